/**
 * Orders of a cryptocurrency at a locked rate. Who pays whom is not stated (Q-order-direction), so that an order moves no
 * balance. What happens to an order after it was placed is in `order-progress.ts`.
 */

import { MockFault } from "../kernel/fault.ts";
import { divide } from "../kernel/money.ts";
import { amountNumber, knownCurrency, readAmount } from "./amounts.ts";
import type { Area, Call } from "./behaviour.ts";
import { subjectBecoming } from "./happening-subject.ts";
import { orderBody, orderProgress } from "./order-progress.ts";
import type { OrderData, OrderLockData } from "./records.ts";
import { timestampInSeconds } from "./timestamps.ts";

type QuoteCall = Call<"getOrderRates"> | Call<"createOrderRateLock">;

/** The fiat currency of the amount, which is not stated (Q-lock-amount). */
const fiat = "eur";

export const orders: Area<"getOrderRates" | "createOrderRateLock" | "createOrder" | "getOrderDetails"> = {
  operations: {
    getOrderRates(call) {
      return { status: 200, body: quoteBody(call, quote(call, call.query)) };
    },

    createOrderRateLock(call) {
      const { world } = call;
      const quoted = quote(call, call.body);
      const seconds = world.plan.assumptions.locks.orderSeconds;
      // The interface shows the end of a lock without milliseconds, and the lock ends then.
      const expiresAt = Math.floor(world.now / 1000 + seconds) * 1000;
      const lock = world.create("orderLock", { id: world.ids.uuid(), owner: null, data: { ...quoted, expiresAt } });
      world.later(seconds, "expireOrderLock", { lockId: lock.id });
      const body = { lockId: lock.id, ...quoteBody(call, quoted), expiresAt: timestampInSeconds(expiresAt) };
      return { status: 201, body };
    },

    createOrder(call) {
      const { world, body } = call;
      const { lockId } = body;
      const lock = world.records.find("orderLock", lockId);
      if (lock === undefined) return call.refuse("P403", `lockId: ${lockId} is no lock of an order`);
      const { cryptocurrency, network, units } = lock.data;
      const { orders: assumed, delays } = world.plan.assumptions;
      const requiredConfirmations = assumed.requiredConfirmations[network];
      if (requiredConfirmations === undefined) throw new MockFault(`mock.yaml has no confirmations for ${network}.`);
      world.move(lock, "used");
      const data: OrderData = {
        ...{ lockId, cryptocurrency, network, units, requiredConfirmations },
        ...{ received: 0n, confirmations: 0, walletAddress: null, transactionHash: null, expiresAt: null },
      };
      const order = world.create("order", { id: world.ids.uuid(), owner: null, data });
      world.later(delays.orderAddress, "assignOrderAddress", { orderId: order.id });
      return { status: 201, body: { orderId: order.id } };
    },

    getOrderDetails({ world, path, refuseNotFound }) {
      const order = world.records.find("order", path.orderId);
      if (order === undefined) return refuseNotFound();
      return { status: 200, body: orderBody(world, order) };
    },
  },

  jobs: {
    ...orderProgress.jobs,
    expireOrderLock(world, { lockId = "" }) {
      const lock = world.records.get("orderLock", lockId);
      if (lock.states.status === "alive") world.move(lock, "expired");
    },
  },

  events: orderProgress.events,

  outside: {
    ...orderProgress.outside,
    "orderLock.lockExpires": (world, about) => {
      const lock = subjectBecoming(world, "orderLock", about, "expired");
      world.records.change(lock, { expiresAt: world.now });
      world.move(lock, "expired");
      return lock;
    },
  },
};

type Quote = Omit<OrderLockData, "expiresAt">;

/** What a fiat amount gives in a cryptocurrency, rounded down to a whole minor unit. */
function quote(call: QuoteCall, given: { currency: string; network: string }): Quote {
  const { world, amount } = call;
  const refuse = (detail: string): never => call.refuse("P403", detail);
  const cryptocurrency = given.currency.toLowerCase();
  const network = given.network.toLowerCase();
  const currency = knownCurrency(world, cryptocurrency);
  if (currency?.networks === undefined) {
    return refuse(`currency ${JSON.stringify(given.currency)} is no known cryptocurrency`);
  }
  if (!Object.hasOwn(currency.networks, network)) {
    return refuse(`network ${JSON.stringify(given.network)} is no network of ${cryptocurrency}`);
  }
  const inFiat = { world, amount, query: {}, body: { fiat } };
  const { units: fiatUnits } = readAmount(inFiat, refuse, { currencyField: "fiat" });
  const { rate, decimals } = currency;
  const units = divide(fiatUnits, 2, rate, decimals);
  return units > 0n
    ? { cryptocurrency, network, fiatUnits, units, rate }
    : refuse(`amount is worth nothing in ${cryptocurrency}`);
}

function quoteBody({ world }: QuoteCall, { cryptocurrency, network, units, rate }: Quote) {
  return { rate: Number(rate), amount: amountNumber(world, units, cryptocurrency), cryptocurrency, network };
}
