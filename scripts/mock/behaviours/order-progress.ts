/** What happens to an order after it was placed: it gets an address, a payment and its confirmations. */

import type { Entity } from "../kernel/records.ts";
import { makeAddress } from "./addresses.ts";
import { amountNumber, amountText } from "./amounts.ts";
import type { Area, MockWorld } from "./behaviour.ts";
import { newTransactionHash } from "./chains.ts";
import { type Given, HappeningError, read } from "./happening.ts";
import { givenUnits } from "./happening-amount.ts";
import { subjectBecoming } from "./happening-subject.ts";
import type { OrderData } from "./records.ts";
import { timestamp } from "./timestamps.ts";

type Order = Entity<OrderData>;

/** What is known of the payment when the address is assigned. */
type Payment = Pick<OrderData, "confirmations" | "received" | "transactionHash">;

export const orderProgress: Pick<Area<never>, "jobs" | "events" | "outside"> = {
  jobs: {
    assignOrderAddress(world, { orderId = "" }) {
      const order = world.records.get("order", orderId);
      if (order.states.status !== "WAITING_FOR_WALLET_ADDRESS") return;
      const unpaid = { confirmations: 0, received: 0n, transactionHash: null };
      assign(world, order, makeAddress(world, order.data.network), unpaid);
    },

    // The first confirmation is told of, and the next time all of them are there.
    confirmOrder(world, { orderId = "" }) {
      const order = world.records.get("order", orderId);
      const { confirmations, requiredConfirmations } = order.data;
      if (order.states.status !== "WAITING_FOR_CONFIRMATION") return;
      if (confirmations > 0 || requiredConfirmations === 1) return complete(world, order);
      world.records.change(order, paid(world, order, 1));
      world.send("orderStatus", order);
      confirmLater(world, order);
    },
  },

  events: {
    orderStatus: { body: orderBody },
  },

  outside: {
    "order.addressIsAssigned": (world, about) => {
      const given = read(about);
      const order = subjectBecoming(world, "order", about, "WAITING_FOR_CONFIRMATION");
      const address = given.text("walletAddress", makeAddress(world, order.data.network));
      assign(world, order, address, readPayment(world, given, order));
      return order;
    },

    "order.paymentIsConfirmed": (world, about) => {
      const status = read(about).choice("status", ["COMPLETED", "FAILED"], "COMPLETED");
      const order = subjectBecoming(world, "order", about, status);
      if (status === "COMPLETED") complete(world, order);
      else world.move(order, status);
      return order;
    },
  },
};

function assign(world: MockWorld, order: Order, walletAddress: string, payment: Payment): void {
  const expiresAt = order.createdAt + world.plan.assumptions.orders.seconds * 1000;
  world.records.change(order, { walletAddress, expiresAt, ...payment });
  world.move(order, "WAITING_FOR_CONFIRMATION");
  confirmLater(world, order);
}

function confirmLater(world: MockWorld, { id }: Order): void {
  world.later(world.plan.assumptions.delays.orderConfirmation, "confirmOrder", { orderId: id });
}

function complete(world: MockWorld, order: Order): void {
  world.records.change(order, paid(world, order, order.data.requiredConfirmations));
  world.move(order, "COMPLETED");
}

/** The payment with a number of confirmations; one that is not known yet is of the whole amount. */
function paid(world: MockWorld, { data }: Order, confirmations: number): Payment {
  return {
    confirmations,
    received: data.received > 0n ? data.received : data.units,
    transactionHash: data.transactionHash ?? newTransactionHash(world, data.network),
  };
}

function readPayment(world: MockWorld, given: Given, order: Order): Payment {
  const { requiredConfirmations, cryptocurrency, network, units } = order.data;
  const text = given.decimal("confirmations", "0");
  const confirmations = Number(text);
  if (!Number.isInteger(confirmations) || confirmations > requiredConfirmations) {
    throw new HappeningError(`confirmations must be a whole number up to ${requiredConfirmations}.`);
  }
  if (confirmations === 0) return { confirmations, received: 0n, transactionHash: null };
  const otherwise = amountText(world, units, cryptocurrency);
  return {
    confirmations,
    received: givenUnits(world, given, { field: "receivedAmount", currency: cryptocurrency, otherwise }),
    transactionHash: given.text("transactionHash", newTransactionHash(world, network)),
  };
}

/** An order, in the details and in the event. */
export function orderBody(world: MockWorld, { id, states, data, createdAt }: Order) {
  const { lockId, cryptocurrency, network, walletAddress, units, received, transactionHash, expiresAt } = data;
  const status = states.status ?? "";
  return {
    ...{ orderId: id, lockId, status, cryptocurrency, network: network.toUpperCase(), walletAddress },
    totalAmountRequired: amountNumber(world, units, cryptocurrency),
    receivedAmount: amountNumber(world, received, cryptocurrency),
    confirmations: data.confirmations,
    requiredConfirmations: data.requiredConfirmations,
    // Missing or null before it is there (Q-null-or-absent): both occur, as in the examples.
    ...(status === "WAITING_FOR_WALLET_ADDRESS" ? {} : { transactionHash }),
    createdAt: timestamp(createdAt),
    expiresAt: expiresAt === null ? null : timestamp(expiresAt),
  };
}
