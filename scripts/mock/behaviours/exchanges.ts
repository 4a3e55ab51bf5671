import { divideByRate, multiplyByRate } from "../kernel/money.ts";
import type { BehaviourGroup, Call, MockWorld } from "./behaviour.ts";
import { endTransaction, exchangeAccount, hasHeldFunds, holdExchange, refuseWithoutFunds } from "./funds.ts";
import type { Resource } from "./records.ts";
import { assertFundsHeld, decisionEvent, expiryEvent, jobForStatus, showRecord } from "./steps.ts";
import { isActive } from "./users.ts";
import {
  amountNumber,
  amountText,
  currencyOf,
  exchangeRate,
  findCurrency,
  lockExpiry,
  readAmount,
  responseRate,
  timestamp,
  timestampInSeconds,
} from "./values.ts";

type RateCall = Call<"getExchangeRate"> | Call<"getPartnerExchangeRate">;
type LockCall = Call<"createExchangeRateLock"> | Call<"createPartnerExchangeRateLock">;
type ExchangeCall = Call<"createExchange"> | Call<"createPartnerExchange">;

export const exchanges: BehaviourGroup = {
  operations: {
    getExchangeRate: showRate,
    createExchangeRateLock: (call) => lockRate(call, call.query.externalUserId),
    createExchange: (call) => createExchange(call, call.body.externalUserId),
    getExchangeDetails: (call) =>
      showRecord(call, "exchange", call.path.exchangeId, bodyOf, ({ owner }) => owner !== null),
    getPartnerExchangeRate: showRate,
    createPartnerExchangeRateLock: (call) => lockRate(call, null),
    createPartnerExchange: (call) => createExchange(call, null),
    getPartnerExchangeDetails: (call) =>
      showRecord(call, "exchange", call.path.exchangeId, bodyOf, ({ owner }) => owner === null),
  },

  jobs: {
    expireExchangeLock: jobForStatus("exchangeLock", "alive", (world, lock) => world.move(lock, "expired")),

    endExchange: jobForStatus("exchange", "IN_PROGRESS", (world, exchange) => {
      const { transactionId } = exchange.data;
      // The exchange of a suspended user fails only now, because no P-code for a refusal is documented.
      const isCompleted = hasHeldFunds(world, transactionId) && isActive(world, exchange.owner);
      endExchange(world, exchange, isCompleted ? "COMPLETED" : "FAILED");
    }),
  },

  events: { exchange: bodyOf },

  externalEvents: {
    ...expiryEvent("exchangeLock", "lockExpires"),
    ...decisionEvent("exchange", "exchangeIsDecided", (world, exchange, status) => {
      if (status === "COMPLETED") assertFundsHeld(world, "exchange", exchange, "FAILED");
      endExchange(world, exchange, status);
    }),
  },
};

function endExchange(world: MockWorld, exchange: Resource<"exchange">, status: string): void {
  endTransaction(world, exchange.data.transactionId, status === "COMPLETED", exchangeAccount);
  world.move(exchange, status);
}

/** Whether responses state a rate as the price of one unit of `currencyTo`. */
function hasInverseRates({ assumptions }: MockWorld): boolean {
  return assumptions.exchanges.rateOf === "to";
}

function showRate(call: RateCall) {
  const { world, query } = call;
  const { currencyFrom, currencyTo } = readCurrencies(call, query);
  const rate = responseRate(exchangeRate(world, currencyFrom, currencyTo), hasInverseRates(world));
  return { status: 200 as const, body: { currencyFrom, currencyTo, rate } };
}

function lockRate(call: LockCall, owner: string | null) {
  const { world, query } = call;
  const { currencyFrom, currencyTo } = readCurrencies(call, query);
  const isDebited = world.assumptions.exchanges.amountIn === "from";
  const { units } = readAmount(call, isDebited ? "currencyFrom" : "currencyTo");
  const rate = exchangeRate(world, currencyFrom, currencyTo);
  const [placesFrom, placesTo] = [currencyOf(world, currencyFrom).decimals, currencyOf(world, currencyTo).decimals];
  const unitsFrom = isDebited ? units : divideByRate(units, placesTo, rate, placesFrom);
  const unitsTo = isDebited ? multiplyByRate(units, placesFrom, rate, placesTo) : units;
  if (unitsTo <= 0n || unitsFrom <= 0n) {
    call.refuse("P403", `amount is worth nothing in ${isDebited ? currencyTo : currencyFrom}`);
  }
  const seconds = world.assumptions.locks.exchangeSeconds;
  const expiresAt = lockExpiry(world, seconds);
  const data = { currencyFrom, currencyTo, unitsFrom, unitsTo, rate, expiresAt };
  const lock = world.create("exchangeLock", { id: world.ids.uuid(), owner, data });
  world.schedule(seconds, "expireExchangeLock", { lockId: lock.id });
  const body = {
    lockId: lock.id,
    currencyFrom,
    currencyTo,
    rate: responseRate(rate, hasInverseRates(world)),
    amountFrom: amountNumber(world, unitsFrom, currencyFrom),
    amountTo: amountNumber(world, unitsTo, currencyTo),
    expiresAt: timestampInSeconds(expiresAt),
  };
  return { status: 200 as const, body };
}

/** By default, an exchange without sufficient funds is accepted and fails later (Q-money-refusals). */
function createExchange(call: ExchangeCall, owner: string | null) {
  const { world, body } = call;
  const lock = readLock(call, owner);
  const { currencyFrom, currencyTo, unitsFrom, unitsTo, rate } = lock.data;
  refuseWithoutFunds(call, owner, currencyFrom, unitsFrom);
  const exchangeId = world.ids.uuid();
  const credit = { owner, currency: currencyTo, units: unitsTo, fields: { exchangeId } };
  const { id: transactionId } = holdExchange(world, credit, { currency: currencyFrom, units: unitsFrom });
  const data = { lockId: body.lockId, currencyFrom, currencyTo, unitsFrom, unitsTo, rate, transactionId };
  world.create("exchange", { id: exchangeId, owner, data });
  world.schedule(world.assumptions.delays.exchange, "endExchange", { exchangeId });
  return { status: 201 as const, body: { exchangeId } };
}

/**
 * Refuses the call if the lock is for an order, or was made for another owner, pair of currencies or amount. `x-requires` has already
 * checked that the lock exists, is unused and has not expired.
 */
function readLock(call: ExchangeCall, owner: string | null): Resource<"exchangeLock"> {
  const { world, body } = call;
  const { lockId } = body;
  const { currencyFrom, currencyTo } = readCurrencies(call, body);
  const isDebited = world.assumptions.exchanges.amountIn === "from";
  const { units } = readAmount(call, isDebited ? "currencyFrom" : "currencyTo");
  const lock = world.records.find("exchangeLock", lockId);
  if (lock === undefined) return call.refuse("P403", `lockId: ${lockId} is no lock of an exchange`);
  const { data } = lock;
  if (lock.owner !== owner) {
    return call.refuse("P403", `lockId: the lock ${lockId} is not of ${owner ?? "the partner"}`);
  }
  if (data.currencyFrom !== currencyFrom || data.currencyTo !== currencyTo) {
    return call.refuse("P403", `lockId: the lock ${lockId} is for ${data.currencyFrom} to ${data.currencyTo}`);
  }
  const [lockedUnits, currency] = isDebited ? [data.unitsFrom, currencyFrom] : [data.unitsTo, currencyTo];
  if (lockedUnits !== units) {
    return call.refuse(
      "P403",
      `amount: the lock ${lockId} is for ${amountText(world, lockedUnits, currency)} ${currency}`,
    );
  }
  return lock;
}

function readCurrencies(
  call: RateCall | LockCall | ExchangeCall,
  fields: { currencyFrom: string; currencyTo: string },
): { currencyFrom: string; currencyTo: string } {
  const currencyFrom = fields.currencyFrom.toLowerCase();
  const currencyTo = fields.currencyTo.toLowerCase();
  for (const [field, code] of Object.entries({ currencyFrom, currencyTo })) {
    if (findCurrency(call.world, code) === undefined)
      call.refuse("P403", `${field} ${JSON.stringify(code)} is not known`);
  }
  if (currencyFrom === currencyTo) call.refuse("P403", "currencyFrom and currencyTo are the same");
  return { currencyFrom, currencyTo };
}

function bodyOf(world: MockWorld, { id, owner, states, data, createdAt }: Resource<"exchange">) {
  return {
    exchangeId: id,
    ...(owner === null ? {} : { externalUserId: owner }),
    status: states.status ?? "",
    amountFrom: amountText(world, data.unitsFrom, data.currencyFrom),
    currencyFrom: data.currencyFrom,
    amountTo: amountText(world, data.unitsTo, data.currencyTo),
    currencyTo: data.currencyTo,
    rate: responseRate(data.rate, hasInverseRates(world)),
    createdAt: timestamp(createdAt),
  };
}
