import { type Client, stateOf } from "../client.ts";
import { type Duration, type PaymentClock, systemClock, toMs } from "./clock.ts";
import { createDriver } from "./driver.ts";
import { createEngine } from "./engine.ts";
import { checkReference, type Intents, type PaymentKind, prepare } from "./intents.ts";
import type { Lookup } from "./matching.ts";
import { type Contradiction, type Payment, toPayment } from "./payment.ts";
import type { Decision, PaymentState, Run, StoredPayment, Values } from "./protocol.ts";
import type { PaymentStore } from "./store.ts";

/** Options of {@link createPayments}. */
export interface PaymentsOptions {
  /** A client, as `createPartnerClient` or `createClient` returns it. */
  readonly client: Client;
  /** The store that keeps the payments. */
  readonly store: PaymentStore;
  /** How long to look for a payment after an unknown outcome, in milliseconds, from 0 to 3,600,000. Default: 30,000. */
  readonly lookForMs?: number;
  /**
   * Time without a record after which an unclear payment is sent again, such as `"15 minutes"`. Use the longest delay that you assume
   * between a call and its record in the history: if a record appears later, the payment happens twice. Default: never.
   */
  readonly repeatAfter?: Duration;
  /** The largest difference between any two clocks: of your machines, of your database, of the service. Default: `"15 minutes"`. */
  readonly clocksWithin?: Duration;
  /**
   * `matching`: a record or an event is of a payment when every member agrees and only one payment can be meant. `identifiers`: only what
   * has an identifier that the service gave; for partners with other programs that pay the same amounts to the same users, and not together
   * with `repeatAfter`. Default: `matching`.
   */
  readonly evidence?: "matching" | "identifiers";
  /** Timeout of each call in milliseconds, from 1 to 600,000. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Called when evidence contradicts what was known of a payment. May be called again after a restart. */
  readonly onContradiction?: (payment: Payment, contradiction: Contradiction) => void;
  /** The clock, which a test can replace. Default: the system clock. */
  readonly clock?: PaymentClock;
}

/** The functions that make payments. All calls with the same reference and the same content make one payment. */
type Functions = { [Kind in PaymentKind]: (intent: Intents[Kind]) => Promise<Payment> };

/** The number of payments that `resume` continued, by their resulting state. */
export type Resumed = Readonly<Record<PaymentState, number>>;

/**
 * Makes and stores payments. `fund`, `collect`, `between`, `sepa`, `withdraw`, `exchange` and `order` resolve to the payment as soon as its
 * outcome is known or `lookForMs` is over. They reject with a TypeError when the payment is malformed or the reference has another content;
 * nothing is stored or sent then. They reject with the store's error when the store cannot write.
 */
export interface MadePayments<Events> extends Functions {
  /** The stored payment with a reference. */
  get(reference: string): Promise<Payment | undefined>;
  /**
   * Applies a webhook event as evidence, even if it arrives early, late or twice. Events that match no payment are ignored.
   *
   * @returns the payment of the event, or the one that it contradicts; undefined when no payment matches, or several do.
   */
  observe<Name extends keyof Events & string>(name: Name, event: Events[Name]): Promise<Payment | undefined>;
  /**
   * Continues every open payment; call it after a start, and on a schedule. It sends payments that were not sent, looks for unclear
   * payments, and reads the final state of accepted payments. When some cannot be continued, the others are, and then it rejects with an
   * AggregateError.
   */
  resume(): Promise<Resumed>;
  /** The payments that need a manual decision. */
  unclear(): AsyncGenerator<Payment, void, undefined>;
  /** The payments whose evidence contradicts itself, or what a person decided. */
  contradictions(): AsyncGenerator<Payment, void, undefined>;
  /**
   * Decides an unclear payment: `happened` treats it as accepted, `repeat` sends it again, `abandon` ends it. A payment that waits to be
   * sent can also be abandoned. Evidence that arrives before a `repeat` is carried out wins.
   *
   * @param attempts the number of attempts that the person saw (`payment.attempts`), so that a second `repeat` from an old list is refused.
   * @throws {TypeError} when an argument is malformed, there is no such payment, its state does not allow the decision, or it has another
   * number of attempts.
   */
  decide(reference: string, decision: Decision, attempts?: number): Promise<Payment>;
}

const resumedAtOnce = 8;
/** A payment that is held up longer between the reading of the time and its call is not sent. */
const heldUpMs = 10_000;

/** Makes the function `createPayments` from the table of lookups. */
export function makePayments<Events>(
  lookups: Readonly<Record<string, Lookup>>,
  options: PaymentsOptions,
): MadePayments<Events> {
  const { client, store, lookForMs = 30_000, repeatAfter, timeoutMs = 30_000, clock = systemClock } = options;
  const { evidence = "matching", clocksWithin = "15 minutes", onContradiction } = options;
  stateOf(client);
  if (typeof store?.write !== "function" || typeof store.equal !== "function")
    throw new TypeError(`store must be a PaymentStore, such as createSqliteStore("payments.db").`);
  checkMs("lookForMs", lookForMs, 0, 3_600_000);
  checkMs("timeoutMs", timeoutMs, 1, 600_000);
  if (evidence !== "matching" && evidence !== "identifiers")
    throw new TypeError(`evidence must be "matching" or "identifiers".`);
  if (evidence === "identifiers" && repeatAfter !== undefined)
    throw new TypeError("repeatAfter needs records as evidence: leave it out, or leave out evidence.");
  const repeatAfterMs = repeatAfter === undefined ? null : toMs("repeatAfter", repeatAfter);
  const allowanceMs = toMs("clocksWithin", clocksWithin);
  const { edition } = client;
  const engine = createEngine(lookups, {
    edition,
    lookForMs,
    repeatAfterMs,
    allowanceMs,
    timeoutMs,
    heldUpMs,
    evidence,
  });
  const drive = createDriver({ lookups, client, store, clock, timeoutMs, onContradiction });

  /** Calls in this process for the same payment follow each other. */
  const busy = new Map<string, Promise<unknown>>();
  const run = async <Result>(reference: string, start: () => Run<Result>): Promise<Result> => {
    const before = busy.get(reference);
    const work = (async () => {
      await before?.catch(() => {});
      return drive(start());
    })();
    busy.set(reference, work);
    try {
      return await work;
    } finally {
      if (busy.get(reference) === work) busy.delete(reference);
    }
  };
  const begin =
    <Kind extends PaymentKind>(kind: Kind) =>
    async (intent: Intents[Kind]): Promise<Payment> => {
      const payment = await prepare(kind, intent);
      return toPayment(await run(payment.reference, () => engine.begin(payment)));
    };
  async function* pages(read: (after: string, limit: number) => Promise<readonly StoredPayment[]>) {
    for (let after = ""; ; ) {
      const page = await read(after, 200);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.reference;
    }
  }

  return {
    fund: begin("fund"),
    collect: begin("collect"),
    between: begin("between"),
    sepa: begin("sepa"),
    withdraw: begin("withdraw"),
    exchange: begin("exchange"),
    order: begin("order"),
    async get(reference) {
      checkReference("get", reference);
      const row = await store.read(reference);
      return row && toPayment(row);
    },
    async observe(name, event) {
      if (typeof event !== "object" || event === null) throw new TypeError("observe takes the event of a webhook.");
      const row = await drive(engine.observe(name, event as Values));
      return row === null ? undefined : toPayment(row);
    },
    async resume() {
      const counts = { pending: 0, accepted: 0, refused: 0, abandoned: 0, unclear: 0, succeeded: 0, failed: 0 };
      const rows = pages((after, limit) => store.open(after, limit));
      const errors: unknown[] = [];
      const work = async () => {
        for await (const { reference } of rows) {
          try {
            const { state } = await run(reference, () => engine.resume(reference));
            counts[state] += 1;
          } catch (cause) {
            errors.push(cause);
          }
        }
      };
      const workers = await Promise.allSettled(Array.from({ length: resumedAtOnce }, work));
      for (const worker of workers) if (worker.status === "rejected") errors.push(worker.reason);
      if (errors.length === 0) return counts;
      const [first] = errors;
      throw new AggregateError(errors, `resume: ${errors.length} payments could not be continued: ${String(first)}`);
    },
    async *unclear() {
      const open = pages((after, limit) => store.open(after, limit));
      for await (const row of open) if (row.state === "unclear") yield toPayment(row);
    },
    async *contradictions() {
      for await (const row of pages((after, limit) => store.contradicted(after, limit))) yield toPayment(row);
    },
    async decide(reference, decision, attempts) {
      checkReference("decide", reference);
      if (!["happened", "repeat", "abandon"].includes(decision)) {
        throw new TypeError("decide takes happened, repeat or abandon.");
      }
      return toPayment(await run(reference, () => engine.decide(reference, decision, attempts)));
    },
  };
}

function checkMs(name: string, value: unknown, least: number, most: number): void {
  if (typeof value === "number" && value >= least && value <= most) return;
  throw new TypeError(`${name} must be a number of milliseconds from ${least} to ${most}.`);
}
