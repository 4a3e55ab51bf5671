import { checkMs } from "../base/check-ms.ts";
import { checkNames } from "../base/check-names.ts";
import { type Client, stateOf } from "../state/client.ts";
import { type Duration, type PaymentClock, systemClock, toMs } from "./clock.ts";
import { createDriver, type Drive, withExactNumbers } from "./driver.ts";
import { PaymentEngine } from "./engine.ts";
import { checkReference, type Intents, type PaymentKind, paymentKinds, preparePayment } from "./intents.ts";
import type { Lookup } from "./matching.ts";
import { type Contradiction, type Payment, toPayment } from "./payment.ts";
import type { Decision, PaymentState, Policy, Run, StoredPayment, Values } from "./protocol.ts";
import type { PaymentStore } from "./store.ts";

/** Options of {@link createPayments}. */
export interface PaymentsOptions {
  /** A client, as `createPartnerClient` or `createClient` returns it. */
  readonly client: Client;
  /** The store that keeps the payments. */
  readonly store: PaymentStore;
  /**
   * How long to look for a payment after an unknown outcome, and to wait for an open equal payment, in milliseconds, from 0 to 3,600,000.
   * Default: 30,000.
   */
  readonly lookForMs?: number;
  /**
   * Time without a record after which an unclear payment is sent again, such as `"15 minutes"`. Use the longest delay that you assume
   * between a call and its record in the history: if a record appears later, the payment happens twice. No payment is sent again in this
   * way after 20 attempts. Default: never.
   */
  readonly repeatAfter?: Duration;
  /** The largest difference between any two clocks: of your machines, of your database, of the service. Default: `"15 minutes"`. */
  readonly clocksWithin?: Duration;
  /**
   * How evidence is attributed to payments. `matching`: a record or an event belongs to a payment when every compared member agrees and no
   * other payment is possible. `identifiers`: records are not used, and an event belongs to the payment with its identifier; for partners
   * whose other programs pay the same amounts to the same users. Cannot be combined with `repeatAfter`. Default: `matching`.
   */
  readonly evidence?: "matching" | "identifiers";
  /** Timeout of each call in milliseconds, from 1 to 600,000. Default: 30,000. */
  readonly timeoutMs?: number;
  /**
   * Called with each contradiction of a payment, which is stored already. May be called again for the same contradiction after a restart.
   * If it throws, the function that found the contradiction, such as `observe`, rejects with its error.
   */
  readonly onContradiction?: (payment: Payment, contradiction: Contradiction) => void;
  /** The clock, which a test can replace. Default: the system clock. */
  readonly clock?: PaymentClock;
}

/** The functions that make payments. All calls with the same reference and the same content make one payment. */
type SendFunctions = { [Kind in PaymentKind]: (intent: Intents[Kind]) => Promise<Payment> };

/** The number of payments that `resume` continued, by their resulting state. */
export type Resumed = Readonly<Record<PaymentState, number>>;

/**
 * Makes and stores payments. `fund`, `collect`, `between`, `sepa`, `withdraw`, `exchange` and `order` resolve to the payment when its
 * outcome is known, when it cannot be sent now, or when it was looked for during `lookForMs`. They reject with a TypeError when the payment
 * is malformed, the client would refuse it, or a payment with the same reference and other content is stored; nothing is stored or sent
 * then. They reject with the store's error when the store fails, and with the loader's when a part of the client that is loaded on demand
 * cannot be loaded, even if the payment was sent before: call `resume`, or make the same call again.
 */
export interface BasePayments<Events> extends SendFunctions {
  /** The stored payment with this reference; undefined when there is none. */
  get(reference: string): Promise<Payment | undefined>;
  /**
   * Applies a webhook event as evidence, even if it arrives early, late or twice. Events that match no payment are ignored,
   * so that a receiver can pass every event, also that of a webhook which reports no payment. An event without a time that can be read counts at the time of this call.
   *
   * @returns the payment that the event belongs to or contradicts; undefined when no payment matches, several do, or one does only in part.
   */
  observe<Name extends keyof Events & string>(name: Name, event: Events[Name]): Promise<Payment | undefined>;
  /**
   * Continues every open payment; call it after a start, and on a schedule. It sends payments that were not sent, looks for unclear
   * payments, and reads the final state of accepted payments. A payment that cannot be continued does not stop the others; at the end,
   * `resume` rejects with an AggregateError.
   */
  resume(): Promise<Resumed>;
  /** The payments that `resume` continues: `pending`, `accepted` or `unclear`. */
  open(): AsyncGenerator<Payment, void, undefined>;
  /** The payments in the state `unclear`: a person or `repeatAfter` has to decide. */
  unclear(): AsyncGenerator<Payment, void, undefined>;
  /** The payments with evidence that contradicts their state, a decision or other evidence. */
  contradictions(): AsyncGenerator<Payment, void, undefined>;
  /**
   * Decides an unclear payment: `happened` treats it as accepted, `repeat` sends it again, `abandon` ends it. A payment that waits to be
   * sent can also be abandoned. A `repeat` is not carried out if evidence of the payment arrives first. After `happened`, the payment stays
   * accepted until evidence shows that it succeeded, or that every attempt that may have had an effect has failed.
   *
   * @param attempts the number of attempts when the person decided (`payment.attempts`): a second `repeat` from an outdated list is
   * refused.
   * @throws {TypeError} when an argument is malformed, there is no such payment, its state does not allow the decision, or its number of
   * attempts is not `attempts`.
   */
  decide(reference: string, decision: Decision, attempts?: number): Promise<Payment>;
}

const optionNames: readonly (keyof PaymentsOptions)[] = [
  ...(["client", "store", "lookForMs", "repeatAfter", "clocksWithin"] as const),
  ...(["evidence", "timeoutMs", "onContradiction", "clock"] as const),
];
const storeMethods = ["read", "withId", "equal", "open", "contradicted", "write"] as const;
const maxConcurrentResumes = 8;
/** The longest time from reading the clock to the call, in milliseconds. A payment that is delayed longer is not sent. */
const maxSendDelayMs = 10_000;

/**
 * Implements `createPayments`.
 *
 * @param lookups how to look up the payments of each operation, by its operationId.
 */
export function makePayments<Events>(
  lookups: Readonly<Record<string, Lookup>>,
  options: PaymentsOptions,
): BasePayments<Events> {
  const policy = policyOf(options);
  const { client, store, clock = systemClock, onContradiction } = options;
  const engine = new PaymentEngine(lookups, policy);
  const drive = createDriver({ lookups, client, store, clock, timeoutMs: policy.timeoutMs, onContradiction });
  const run = oneAtATime(drive);
  const sendFunctions = Object.fromEntries(
    paymentKinds.map((kind) => {
      const make = async (intent: Intents[typeof kind]): Promise<Payment> => {
        const payment = await preparePayment(kind, intent);
        return toPayment(await run(payment.reference, () => engine.begin(payment)));
      };
      return [kind, make];
    }),
  ) as SendFunctions;
  const openRows = () => allRows((after, limit) => store.open(after, limit));

  return {
    ...sendFunctions,
    async get(reference) {
      checkReference("get", reference);
      const row = await store.read(reference);
      return row && toPayment(row);
    },
    async observe(name, event) {
      if (typeof event !== "object" || event === null) throw new TypeError("observe takes the event of a webhook.");
      const row = await drive(engine.observe(name, (await withExactNumbers(event, true)) as Values));
      return row === null ? undefined : toPayment(row);
    },
    resume: () => resumeAll(openRows(), (reference) => run(reference, () => engine.resume(reference))),
    open: () => allPayments(openRows()),
    unclear: () => allPayments(openRows(), "unclear"),
    contradictions: () => allPayments(allRows((after, limit) => store.contradicted(after, limit))),
    async decide(reference, decision, attempts) {
      checkReference("decide", reference);
      if (!["happened", "repeat", "abandon"].includes(decision)) {
        throw new TypeError("decide takes happened, repeat or abandon.");
      }
      return toPayment(await run(reference, () => engine.decide(reference, decision, attempts)));
    },
  };
}

function policyOf(options: PaymentsOptions): Policy {
  if (Object(options) !== options) throw new TypeError("createPayments takes an object with client and store.");
  checkNames("option", options, optionNames);
  const { client, store, lookForMs = 30_000, repeatAfter, timeoutMs = 30_000 } = options;
  const { evidence = "matching", clocksWithin = "15 minutes" } = options;
  stateOf(client);
  const missingMethods = storeMethods.filter((name) => typeof store?.[name] !== "function");
  if (missingMethods.length > 0)
    throw new TypeError(`store must be a PaymentStore. It has no ${missingMethods.join(", ")}.`);
  checkMs("lookForMs", lookForMs, 0, 3_600_000);
  checkMs("timeoutMs", timeoutMs, 1, 600_000);
  if (evidence !== "matching" && evidence !== "identifiers")
    throw new TypeError(`evidence must be "matching" or "identifiers".`);
  if (evidence === "identifiers" && repeatAfter !== undefined)
    throw new TypeError(`repeatAfter needs the evidence "matching".`);
  const repeatAfterMs = repeatAfter === undefined ? null : toMs("repeatAfter", repeatAfter);
  const allowanceMs = toMs("clocksWithin", clocksWithin);
  return { edition: client.edition, lookForMs, repeatAfterMs, allowanceMs, timeoutMs, maxSendDelayMs, evidence };
}

/** Runs of one payment, by its reference, wait for each other. */
function oneAtATime(drive: Drive): <Result>(reference: string, startRun: () => Run<Result>) => Promise<Result> {
  const currentCalls = new Map<string, Promise<unknown>>();
  return async (reference, startRun) => {
    while (currentCalls.has(reference)) await currentCalls.get(reference)?.catch(() => {});
    const call = drive(startRun());
    currentCalls.set(reference, call);
    try {
      return await call;
    } finally {
      currentCalls.delete(reference);
    }
  };
}

async function resumeAll(
  rows: AsyncIterable<StoredPayment>,
  resume: (reference: string) => Promise<StoredPayment>,
): Promise<Resumed> {
  const counts = { pending: 0, accepted: 0, refused: 0, abandoned: 0, unclear: 0, succeeded: 0, failed: 0 };
  const errors: unknown[] = [];
  const worker = async () => {
    for await (const { reference } of rows) {
      try {
        const { state } = await resume(reference);
        counts[state] += 1;
      } catch (cause) {
        errors.push(cause);
      }
    }
  };
  const workerResults = await Promise.allSettled(Array.from({ length: maxConcurrentResumes }, worker));
  for (const result of workerResults) if (result.status === "rejected") errors.push(result.reason);
  if (errors.length === 0) return counts;
  throw new AggregateError(errors, `resume: ${errors.length} could not be continued: ${errors[0]}`);
}

async function* allRows(read: (afterReference: string, limit: number) => Promise<readonly StoredPayment[]>) {
  for (let lastReference = ""; ; ) {
    const page = await read(lastReference, 200);
    yield* page;
    const lastRow = page.at(-1);
    if (lastRow === undefined) return;
    lastReference = lastRow.reference;
  }
}

async function* allPayments(rows: AsyncIterable<StoredPayment>, state?: PaymentState) {
  for await (const row of rows) if (state === undefined || row.state === state) yield toPayment(row);
}
