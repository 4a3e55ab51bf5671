/** The driver connects the engine with a client, a store and a clock. */

import type { Operation } from "../base/operation.ts";
import type { PartnerApiError } from "../errors/errors.ts";
import { origins } from "../exact/origins.ts";
import type { BeforeSend } from "../state/client.ts";
import { type Client, type MiddlewareResult, stateOf } from "../state/client.ts";
import { clocksOf, type PaymentClock, steadyClock } from "./clock.ts";
import { type Lookup, sourcesOf } from "./matching.ts";
import { type Contradiction, dataOf, type Payment, toPayment } from "./payment.ts";
import type { Command, FailedCall, Replies, Run, StoredPayment, Values } from "./protocol.ts";
import type { PaymentStore } from "./store.ts";

export interface DriverOptions {
  readonly lookups: Readonly<Record<string, Lookup>>;
  readonly client: Client;
  readonly store: PaymentStore;
  readonly clock: PaymentClock;
  readonly timeoutMs: number;
  readonly onContradiction: ((payment: Payment, contradiction: Contradiction) => void) | undefined;
}

/** Matches members with an amount of at most 15 characters without an exponent, which is exact as a JavaScript number; `-0` is not. */
const exactAmount = /"amount\w*"\s*:\s*(?!-0[.0]*\s*[,}])-?[\d.]{1,15}\s*(?=[,}])/g;
const anyNumber = /(?:"\s*:|[[,])\s*-?\d/;

type Handlers = {
  [Name in Command["do"]]: (command: Extract<Command, { do: Name }>) => Replies[Name] | Promise<Replies[Name]>;
};

/** Runs a generator of the engine to its end. */
export type Drive = <Result>(run: Run<Result>) => Promise<Result>;

export function createDriver(options: DriverOptions): Drive {
  const { lookups, client, store, clock } = options;
  const readSteadyClock = steadyClock(clock);
  const readClocks = clocksOf(store, clock, readSteadyClock);
  const reportContradictions = createReporter(options);
  const historyOperations = Object.values(lookups).flatMap(({ records }) => records.map(({ operation }) => operation));

  const handlers: Handlers = {
    read: async ({ reference }) => (await store.read(reference)) ?? null,
    withId: async ({ id }) => (await store.withId(id)) ?? null,
    equal: ({ column, key, limit }) => store.equal(column, key, limit),
    async write({ payment }) {
      const isNew = payment.version === 1 && payment.state === "pending";
      if (isNew) await checkRequests(options, payment);
      // What cannot be loaded must fail before an attempt is stored.
      if (payment.holds) await import("./send-guard.ts");
      const outcome = await store.write(payment);
      if (outcome === "written" && payment.isContradicted) reportContradictions(payment);
      return outcome;
    },
    async send({ operation, body, deadline }) {
      const lookup = lookups[operation] as Lookup;
      // A call can be delayed by the client's concurrency limit, by a hook, by a connection, or while the machine sleeps.
      const { createSendGuard } = await import("./send-guard.ts");
      const guard = createSendGuard(() => readSteadyClock() > deadline, stateOf(client).options.fetch !== undefined);
      const { data, error } = await callOperation(options, lookup.operation, { body }, guard.beforeSend);
      const id = (data as Values | undefined)?.[lookup.created];
      return guard.end(
        error === undefined ? { outcome: "accepted", id: typeof id === "string" ? id : null } : failedCall(error),
      );
    },
    async history({ operation, user, month }) {
      const history = historyOperations.find(({ id }) => id === operation) as Operation;
      const { data, error, response } = await callOperation(options, history, {
        path: historyPath(history, user, month),
      });
      if (error !== undefined) return failedCall(error);
      const entries = Array.isArray(data)
        ? ((await withExactNumbers(data, !hasMiddleware(client))) as Values[])
        : [null];
      const records = entries.filter((entry) => typeof entry === "object" && entry !== null);
      const isList = records.length === entries.length;
      return { outcome: "read", records, isWhole: isList && isWholeHistory(history, response, records.length) };
    },
    async details({ operation, id }) {
      const { details } = lookups[operation] as Lookup;
      const { data, error } = await callOperation(options, details.operation, { path: { [details.id]: id } });
      if (error !== undefined) return failedCall(error);
      return { outcome: "read", details: (await withExactNumbers(data as object, !hasMiddleware(client))) as Values };
    },
    now: ({ isStamp }) => readClocks(isStamp),
    steady: readSteadyClock,
    async wait({ ms }) {
      await clock.wait(ms);
      return null;
    },
  };

  return (run) => drive(run, handlers);
}

async function drive<Result>(run: Run<Result>, handlers: Handlers): Promise<Result> {
  for (let result = run.next(); ; ) {
    if (result.done) return result.value;
    const handle = handlers[result.value.do] as (command: Command) => unknown;
    let reply: unknown;
    try {
      reply = await handle(result.value);
    } catch (cause) {
      result = run.throw(cause);
      continue;
    }
    result = run.next(reply);
  }
}

function callOperation(
  { client, timeoutMs }: DriverOptions,
  operation: Operation,
  request: object,
  beforeSend?: BeforeSend,
): Promise<MiddlewareResult> {
  // The timeout begins when the middleware calls the client, but a middleware can wait before that. Without the signal, such a call could
  // arrive after the payment was looked for.
  const signal = hasMiddleware(client) ? AbortSignal.timeout(timeoutMs + 1000) : undefined;
  const callOptions = { ...request, timeoutMs, signal, retries: operation.safe ? undefined : 0 };
  return client["~call"](operation, callOptions, beforeSend);
}

const hasMiddleware = (client: Client): boolean => stateOf(client).middleware !== undefined;

/** Throws a TypeError when the client would refuse a request of the payment or of its histories: the payment could never be made. */
async function checkRequests({ client, lookups }: DriverOptions, payment: StoredPayment): Promise<void> {
  const { operation, body, kind } = dataOf(payment);
  const lookup = lookups[operation] as Lookup;
  const check = async (operation: Operation, request: object) => {
    const { error } = await client["~check"](operation, request);
    if (error !== undefined) throw new TypeError(`${kind}: ${error.message}`);
  };
  await check(lookup.operation, { body });
  for (const { operation: history, user } of sourcesOf(lookup, body, client.edition)) {
    await check(history, { path: historyPath(history, user, "2026-01") });
  }
}

function createReporter({ onContradiction }: DriverOptions): (payment: StoredPayment) => void {
  const reportedContradictions = new Set<string>();
  return (storedPayment) => {
    for (const contradiction of dataOf(storedPayment).contradictions) {
      const key = JSON.stringify([storedPayment.reference, contradiction]);
      if (reportedContradictions.has(key)) continue;
      reportedContradictions.add(key);
      onContradiction?.(toPayment(storedPayment), contradiction);
    }
  };
}

/**
 * Returns received data in which the engine reads every number as the service wrote it, unless the data are a copy. The code for numbers
 * other than exact amounts is loaded on demand. The promise rejects if it cannot be loaded.
 *
 * @param isReceived whether the data are known to be as received. A middleware can change data or copy them.
 */
export async function withExactNumbers(data: object, isReceived: boolean): Promise<unknown> {
  if (isReceived && !anyNumber.test((origins.get(data)?.text ?? "").replace(exactAmount, ""))) return data;
  const { exactDataOf } = await import("../exact/exact-data.ts");
  try {
    return exactDataOf(data, origins);
  } catch {
    return data;
  }
}

/** @param month such as `2026-01`. */
function historyPath({ path }: Operation, user: string | null, month: string): Values {
  const parameter = /\{(?!month|year)(\w+)\}/.exec(path)?.[1];
  const [year, monthNumber] = month.split("-");
  return { ...(parameter === undefined ? {} : { [parameter]: user }), year, month: monthNumber };
}

/** None of the copied members is sensitive. */
function failedCall({ outcome, kind, operationId, status, errorCode, documented }: PartnerApiError): FailedCall {
  const problem = {
    kind,
    operationId,
    ...(status === undefined ? {} : { status }),
    ...(errorCode === undefined ? {} : { errorCode, documented: documented === true }),
  };
  return { outcome, problem };
}

/**
 * False if a header shows that records may be missing: the response has further pages, is a part, or is a cached copy, which may be older
 * than the payment. The interface does not state whether a history has pages.
 */
function isWholeHistory({ responses }: Operation, response: Response | undefined, recordCount: number): boolean {
  // A middleware may return a response without headers.
  const headers = [...((response as Partial<Response> | undefined)?.headers ?? [])];
  return (
    (response?.status as number) in responses &&
    !headers.some(
      ([name, value]) =>
        /^(warning|content-range)$/.test(name) ||
        (/^age$|next|cursor|more|continu|pag/.test(name) && !/^(0|false)?$/i.test(value)) ||
        (name === "link" && /\bnext\b/i.test(value)) ||
        (/cache/.test(name) && /hit/i.test(value)) ||
        (/total|count/.test(name) && Number(value) > recordCount),
    )
  );
}
