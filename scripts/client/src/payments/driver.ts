/** Drives the engine with a client, a store and a clock. */
import type { Client, MiddlewareResult } from "../client.ts";
import type { PartnerApiError } from "../errors.ts";
import { exactNumbers } from "../exact-numbers.ts";
import type { Operation } from "../operation.ts";
import { type PaymentClock, steadyClock } from "./clock.ts";
import { type Lookup, sourcesOf } from "./matching.ts";
import { type Contradiction, dataOf, type Payment, toPayment } from "./payment.ts";
import type { Command, FailedCall, Replies, Run, StoredPayment, Time, Values } from "./protocol.ts";
import type { PaymentStore } from "./store.ts";

export interface DriverOptions {
  readonly lookups: Readonly<Record<string, Lookup>>;
  readonly client: Client;
  readonly store: PaymentStore;
  readonly clock: PaymentClock;
  readonly timeoutMs: number;
  readonly onContradiction: ((payment: Payment, contradiction: Contradiction) => void) | undefined;
}

/** How long the time that a store has said is continued by the process's steady clock, where no attempt carries it. */
const storeTimeMs = 5000;

type Handlers = {
  [Name in Command["do"]]: (command: Extract<Command, { do: Name }>) => Replies[Name] | Promise<Replies[Name]>;
};

/** Returns a function that runs a generator of the engine to its end. */
export function createDriver(options: DriverOptions): <Result>(run: Run<Result>) => Promise<Result> {
  const { lookups, client, store, clock, timeoutMs, onContradiction } = options;
  const steady = steadyClock(clock);
  const told = new Set<string>();
  const callOnce = (operation: Operation, given: object, beforeSend?: () => void): Promise<MiddlewareResult> => {
    // A middleware can wait before it sends: what it sends later than this would come after the payment was looked for.
    const signal = AbortSignal.timeout(timeoutMs + 1000);
    const retries = operation.safe ? undefined : 0;
    return client["~call"](
      operation,
      { ...given, timeoutMs, retries, signal },
      beforeSend,
    ) as Promise<MiddlewareResult>;
  };
  let last: Time | undefined;
  const lookupOf = (operation: string) => lookups[operation] as Lookup;
  const historyOperation = (id: string) =>
    Object.values(lookups)
      .flatMap(({ records }) => records.map((record) => record.operation))
      .find((one) => one.id === id) as Operation;

  /** A call that the client does not send, or a history that it does not ask for, would leave a payment that can never be made. */
  const checkRequests = async (payment: StoredPayment): Promise<void> => {
    const { operation, body, kind } = dataOf(payment);
    const lookup = lookupOf(operation);
    const calls: [Operation, object][] = [[lookup.operation, { body }]];
    for (const { operation: history, user } of sourcesOf(lookup, body, client.edition)) {
      calls.push([history, { path: historyPath(history, user, "2026-01") }]);
    }
    for (const [called, given] of calls) {
      const { error } = (await client["~call"](called, given, "check only")) as MiddlewareResult;
      if (error !== undefined) throw new TypeError(`${kind}: ${error.message}`);
    }
  };

  const handlers: Handlers = {
    read: async ({ reference }) => (await store.read(reference)) ?? null,
    withId: async ({ id }) => (await store.withId(id)) ?? null,
    equal: ({ column, key, limit }) => store.equal(column, key, limit),
    async write({ payment }) {
      const isNew = payment.version === 1 && payment.state === "pending";
      if (isNew) await checkRequests(payment);
      const outcome = await store.write(payment);
      if (outcome === "written" && payment.isContradicted && onContradiction !== undefined) tell(payment);
      return outcome;
    },
    async send({ operation, body, before }) {
      const { operation: called, created } = lookupOf(operation);
      // A call can wait for a slot or a hook of the client, while the machine sleeps.
      const checkTime = () => {
        if (steady() > before) throw new Error("The process was held up.");
      };
      const { data, error } = await callOnce(called, { body }, checkTime);
      if (error !== undefined) return failed(error);
      const id = (data as Values | undefined)?.[created];
      return { outcome: "accepted", id: typeof id === "string" ? id : null };
    },
    async history({ operation, user, month }) {
      const called = historyOperation(operation);
      const { data, error, response } = await callOnce(called, { path: historyPath(called, user, month) });
      if (error !== undefined) return failed(error);
      const records = Array.isArray(data) ? (withExactNumbers(data) as Values[]) : [];
      const isList = Array.isArray(data) && records.every((one) => typeof one === "object" && one !== null);
      return { outcome: "read", records, isWhole: isList && isWhole(response, records.length) };
    },
    async details({ operation, id }) {
      const { details } = lookupOf(operation);
      if (details === undefined)
        return { outcome: "not-sent", problem: { kind: "invalid-request", operationId: operation } };
      const { data, error } = await callOnce(details.operation, { path: { [details.id]: id } });
      return error === undefined
        ? { outcome: "read", details: withExactNumbers(data as object) as Values }
        : failed(error);
    },
    async now({ isStamp }) {
      const reading = steady();
      if (store.now === undefined) return { steady: reading, now: clock.now() };
      // A jump of the process's clock counts as time here.
      const since = last === undefined ? Number.POSITIVE_INFINITY : reading - last.steady;
      if (last !== undefined && since < storeTimeMs && !isStamp) return { steady: reading, now: last.now + since };
      // The steady clock is read first, so that the time of the store is never later than the reading beside it.
      last = { steady: reading, now: await store.now() };
      return last;
    },
    steady,
    async wait({ ms }) {
      await clock.wait(ms);
      return null;
    },
  };

  function tell(stored: StoredPayment): void {
    for (const one of dataOf(stored).contradictions) {
      const name = JSON.stringify([stored.reference, one]);
      if (told.has(name)) continue;
      told.add(name);
      onContradiction?.(toPayment(stored), one);
    }
  }

  return async (run) => {
    for (let step = run.next(); ; ) {
      if (step.done) return step.value;
      const handle = handlers[step.value.do] as (command: Command) => unknown;
      let reply: unknown;
      try {
        reply = await handle(step.value);
      } catch (cause) {
        step = run.throw(cause);
        continue;
      }
      step = run.next(reply);
    }
  };
}

/** @param month such as `2026-01`. */
function historyPath({ path }: Operation, user: string | null, month: string): Values {
  const parameter = /\{(?!month|year)(\w+)\}/.exec(path)?.[1];
  const [year, number] = month.split("-");
  return { ...(parameter === undefined ? {} : { [parameter]: user }), year, month: number };
}

/** Copies the members of an error that are not sensitive. */
function failed({ outcome, kind, operationId, status, errorCode, documented }: PartnerApiError): FailedCall {
  const problem = {
    ...{ kind, operationId },
    ...(status === undefined ? {} : { status }),
    ...(errorCode === undefined ? {} : { errorCode, documented: documented === true }),
  };
  return { outcome, problem };
}

/** Whether a response gives no sign that there are more records: the interface does not state whether a history has pages. */
function isWhole(response: Response | undefined, records: number): boolean {
  const { status = 200, headers = new Headers() } = response ?? {};
  const [total = records] = ["x-total-count", "total-count", "x-total"].flatMap((name) => headers.get(name) ?? []);
  const hasNext = /rel="?next/i.test(headers.get("link") ?? "") || headers.has("content-range");
  const isMore =
    ["x-next-page", "x-next-cursor", "x-has-more"].some((name) => !/^(|0|false)$/i.test(headers.get(name) ?? "")) ||
    Number(headers.get("x-total-pages") ?? 1) > 1;
  // A response with an age comes from a cache, and can be older than the payment.
  const isCached = Number(headers.get("age") ?? 0) > 0;
  return status !== 206 && !hasNext && !isMore && !isCached && !(Number(total) > records);
}

function withExactNumbers(data: object): unknown {
  try {
    return exactNumbers(data);
  } catch {
    return data;
  }
}
