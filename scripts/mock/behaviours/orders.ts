/** An order changes no balance, because the documentation does not state who pays whom (Q-order-direction). */

import { ControlError } from "../checks/error.ts";
import { divideByRate, multiplyByRate } from "../kernel/money.ts";
import { MockError } from "../kernel/transactions.ts";
import type { BehaviourGroup, Call, MockWorld } from "./behaviour.ts";
import { type EventFields, readAmountUnits, resourceForTransition } from "./external-event.ts";
import { makeAddress, newTransactionHash } from "./identifiers.ts";
import type { Resource, ResourceData } from "./records.ts";
import { decisionEvent, expiryEvent, jobForStatus, showRecord } from "./steps.ts";
import {
  amountNumber,
  amountText,
  currencyOf,
  findCurrency,
  lockExpiry,
  readAmount,
  responseRate,
  timestamp,
  timestampInSeconds,
} from "./values.ts";

type QuoteCall = Call<"getOrderRates"> | Call<"createOrderRateLock">;

/** Assumed, because it is not documented (Q-lock-amount). */
const fiatCurrency = "eur";

export const orders: BehaviourGroup = {
  operations: {
    getOrderRates(call) {
      return { status: 200, body: quoteBody(call, makeQuote(call, call.query)) };
    },

    createOrderRateLock(call) {
      const { world } = call;
      const quote = makeQuote(call, call.body);
      const seconds = world.assumptions.locks.orderSeconds;
      const expiresAt = lockExpiry(world, seconds);
      const lock = world.create("orderLock", { id: world.ids.uuid(), owner: null, data: { ...quote, expiresAt } });
      world.schedule(seconds, "expireOrderLock", { lockId: lock.id });
      const body = { lockId: lock.id, ...quoteBody(call, quote), expiresAt: timestampInSeconds(expiresAt) };
      return { status: 201, body };
    },

    createOrder(call) {
      const { world, body } = call;
      const { lockId } = body;
      const lock = world.records.find("orderLock", lockId);
      if (lock === undefined) return call.refuse("P403", `lockId: ${lockId} is no lock of an order`);
      const { cryptocurrency, network, units } = lock.data;
      const { orders: orderAssumptions, delays } = world.assumptions;
      const requiredConfirmations = orderAssumptions.requiredConfirmations[network];
      if (requiredConfirmations === undefined) throw new MockError(`mock.yaml has no confirmations for ${network}.`);
      const data = {
        lockId,
        cryptocurrency,
        network,
        units,
        requiredConfirmations,
        received: 0n,
        confirmations: 0,
        walletAddress: null,
        transactionHash: null,
        expiresAt: null,
      };
      const order = world.create("order", { id: world.ids.uuid(), owner: null, data });
      world.schedule(delays.orderAddress, "assignOrderAddress", { orderId: order.id });
      return { status: 201, body: { orderId: order.id } };
    },

    getOrderDetails: (call) => showRecord(call, "order", call.path.orderId, orderBody),
  },

  jobs: {
    assignOrderAddress: jobForStatus("order", "WAITING_FOR_WALLET_ADDRESS", (world, order) => {
      const noPayment = { confirmations: 0, received: 0n, transactionHash: null };
      assignAddress(world, order, makeAddress(world, order.data.network), noPayment);
    }),

    confirmOrder: jobForStatus("order", "WAITING_FOR_CONFIRMATION", (world, order) => {
      const { confirmations, requiredConfirmations } = order.data;
      if (confirmations > 0 || requiredConfirmations === 1) return complete(world, order);
      world.records.change(order, fullPayment(world, order, 1));
      world.send("orderStatus", order);
      confirmLater(world, order);
    }),
    expireOrderLock: jobForStatus("orderLock", "alive", (world, lock) => world.move(lock, "expired")),
  },

  events: { orderStatus: orderBody },

  externalEvents: {
    "order.addressIsAssigned": (world, input) => {
      const order = resourceForTransition(world, "order", input, "WAITING_FOR_CONFIRMATION");
      const address = input.text("walletAddress", makeAddress(world, order.data.network));
      assignAddress(world, order, address, readPayment(world, input, order));
      return order;
    },

    ...decisionEvent("order", "paymentIsConfirmed", (world, order, status) => {
      if (status === "COMPLETED") complete(world, order);
      else world.move(order, status);
    }),
    ...expiryEvent("orderLock", "lockExpires"),
  },
};

type Quote = Omit<ResourceData["orderLock"], "expiresAt">;

function makeQuote(call: QuoteCall, fields: { currency: string; network: string }): Quote {
  const { world, amount } = call;
  const refuse = (detail: string): never => call.refuse("P403", detail);
  const cryptocurrency = fields.currency.toLowerCase();
  const network = fields.network.toLowerCase();
  const currency = findCurrency(world, cryptocurrency);
  if (currency?.networks === undefined) {
    return refuse(`currency ${JSON.stringify(fields.currency)} is no known cryptocurrency`);
  }
  if (!Object.hasOwn(currency.networks, network)) {
    return refuse(`network ${JSON.stringify(fields.network)} is no network of ${cryptocurrency}`);
  }
  const fiatCall = { world, amount, query: {}, body: { fiat: fiatCurrency }, refuse: call.refuse };
  const { units: fiatUnits } = readAmount(fiatCall, "fiat");
  const { decimals } = currency;
  const { fiatRate } = world.assumptions.orders;
  const rate = fiatRate === "1" ? currency.rate : (Number(currency.rate) / Number(fiatRate)).toFixed(6);
  const units = divideByRate(fiatUnits, 2, rate, decimals);
  return units > 0n
    ? { cryptocurrency, network, fiatUnits, units, rate }
    : refuse(`amount is worth nothing in ${cryptocurrency}`);
}

function quoteBody({ world }: QuoteCall, { cryptocurrency, network, units, rate }: Quote) {
  return {
    rate: responseRate(rate, world.assumptions.orders.rateOf === "fiat"),
    amount: amountNumber(world, units, cryptocurrency),
    cryptocurrency,
    network,
  };
}

type Order = Resource<"order">;

type Payment = Pick<ResourceData["order"], "confirmations" | "received" | "transactionHash">;

function assignAddress(world: MockWorld, order: Order, walletAddress: string, payment: Payment): void {
  const expiresAt = order.createdAt + world.assumptions.orders.seconds * 1000;
  world.records.change(order, { walletAddress, expiresAt, ...payment });
  world.move(order, "WAITING_FOR_CONFIRMATION");
  confirmLater(world, order);
}

function confirmLater(world: MockWorld, { id }: Order): void {
  world.schedule(world.assumptions.delays.orderConfirmation, "confirmOrder", { orderId: id });
}

function complete(world: MockWorld, order: Order): void {
  world.records.change(order, fullPayment(world, order, order.data.requiredConfirmations));
  world.move(order, "COMPLETED");
}

function fullPayment(world: MockWorld, { data }: Order, confirmations: number): Payment {
  return {
    confirmations,
    received: data.received > 0n ? data.received : data.units,
    transactionHash: data.transactionHash ?? newTransactionHash(world, data.network),
  };
}

function readPayment(world: MockWorld, input: EventFields, order: Order): Payment {
  const { requiredConfirmations, cryptocurrency, network, units } = order.data;
  const text = input.decimal("confirmations", "0");
  const confirmations = Number(text);
  if (!Number.isInteger(confirmations) || confirmations > requiredConfirmations) {
    throw new ControlError(`confirmations must be a whole number up to ${requiredConfirmations}.`);
  }
  if (confirmations === 0) return { confirmations, received: 0n, transactionHash: null };
  const fallback = amountText(world, units, cryptocurrency);
  return {
    confirmations,
    received: readAmountUnits(world, input, { field: "receivedAmount", currency: cryptocurrency, fallback }),
    transactionHash: input.text("transactionHash", newTransactionHash(world, network)),
  };
}

/** An amount as responses show it: in the cryptocurrency, or in the fiat currency (Q-order-amounts). */
function responseAmount(world: MockWorld, units: bigint, code: string): number {
  if (world.assumptions.orders.amountsIn === "crypto") return amountNumber(world, units, code);
  const { decimals, rate } = currencyOf(world, code);
  return amountNumber(world, multiplyByRate(units, decimals, rate, 2), fiatCurrency);
}

function orderBody(world: MockWorld, { id, states, data, createdAt }: Order) {
  const { lockId, cryptocurrency, network, walletAddress, units, received, transactionHash, expiresAt } = data;
  const status = states.status ?? "";
  return {
    orderId: id,
    lockId,
    status,
    cryptocurrency,
    network: network.toUpperCase(),
    walletAddress,
    totalAmountRequired: responseAmount(world, units, cryptocurrency),
    receivedAmount: responseAmount(world, received, cryptocurrency),
    confirmations: data.confirmations,
    requiredConfirmations: data.requiredConfirmations,
    // As in the examples: transactionHash is absent in the first status, and otherwise null until the hash is known (Q-null-or-absent).
    ...(status === "WAITING_FOR_WALLET_ADDRESS" ? {} : { transactionHash }),
    createdAt: timestamp(createdAt),
    expiresAt: expiresAt === null ? null : timestamp(expiresAt),
  };
}
