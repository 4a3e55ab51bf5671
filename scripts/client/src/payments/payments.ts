import { type Client, stateOf } from "../client.ts";
import type { WebhookEvents, WebhookName } from "../entries/lookups.ts";
import { type Duration, type PaymentClock, systemClock, toMs } from "./clock.ts";
import { Engine } from "./engine.ts";
import { checkReference, type Intents, type PaymentKind, prepare } from "./intents.ts";
import type { ReceivedRecord } from "./lookup.ts";
import { type Decision, type Payment, toPayment } from "./payment.ts";
import type { PaymentState, PaymentStore } from "./store.ts";

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
  /** Timeout of each call in milliseconds, from 1 to 600,000. Default: 30,000. */
  readonly timeoutMs?: number;
  /** The clock, which a test can replace. Default: the system clock. */
  readonly clock?: PaymentClock;
}

/** The functions that make payments. All calls with the same reference and the same content make one payment. */
type Functions = { [Kind in PaymentKind]: (intent: Intents[Kind]) => Promise<Payment> };

/** The number of payments that `resume` continued, by their resulting state. */
export type Resumed = Readonly<Record<PaymentState, number>>;

/**
 * Makes and stores payments. `fund`, `collect`, `between`, `sepa`, `withdraw`, `exchange` and `order` resolve to the payment as soon as its
 * outcome is known or `lookForMs` is over. They reject with a TypeError when the payment is malformed or another payment has the reference;
 * nothing is stored or sent then. They reject with the store's error when the store cannot write.
 */
export interface Payments extends Functions {
  /** The stored payment with a reference. */
  get(reference: string): Promise<Payment | undefined>;
  /**
   * Applies a webhook event as evidence, even if it arrives early, late or twice. Events that match no payment are ignored.
   *
   * @returns the payment of the event; undefined when no payment matches, or several do.
   */
  observe<Name extends WebhookName>(name: Name, event: WebhookEvents[Name]): Promise<Payment | undefined>;
  /**
   * Continues every open payment; call it after a start, and on a schedule. It sends payments that were not sent, looks for unclear
   * payments, and reads the final state of accepted payments.
   */
  resume(): Promise<Resumed>;
  /** The payments that need a manual decision. */
  unclear(): AsyncGenerator<Payment, void, undefined>;
  /**
   * Decides an unclear payment: `happened` treats it as accepted, `repeat` sends it again, `abandon` ends it. A payment that waits to be
   * sent can also be abandoned.
   *
   * @throws {TypeError} when an argument is malformed, there is no such payment, or its state does not allow the decision.
   */
  decide(reference: string, decision: Decision): Promise<Payment>;
}

const resumedAtOnce = 8;

/**
 * Creates the functions that make payments.
 *
 * @throws {TypeError} when an option is missing or malformed.
 */
export function createPayments(options: PaymentsOptions): Payments {
  const { client, store, lookForMs = 30_000, repeatAfter, timeoutMs = 30_000, clock = systemClock } = options;
  stateOf(client);
  if (typeof store?.write !== "function")
    throw new TypeError("store must be a PaymentStore, such as createFileStore(path).");
  checkMs("lookForMs", lookForMs, 0, 3_600_000);
  checkMs("timeoutMs", timeoutMs, 1, 600_000);
  const repeatAfterMs = repeatAfter === undefined ? undefined : toMs("repeatAfter", repeatAfter);
  const engine = new Engine({ client, store, clock, lookForMs, repeatAfterMs, timeoutMs });
  const begin =
    <Kind extends PaymentKind>(kind: Kind) =>
    async (intent: Intents[Kind]): Promise<Payment> =>
      toPayment(await engine.begin(kind, intent?.reference, prepare(kind, intent)));
  return {
    fund: begin("fund"),
    collect: begin("collect"),
    between: begin("between"),
    sepa: begin("sepa"),
    withdraw: begin("withdraw"),
    exchange: begin("exchange"),
    order: begin("order"),
    async get(reference) {
      const row = await engine.read(reference);
      return row && toPayment(row);
    },
    async observe(name, event) {
      if (typeof event !== "object" || event === null) throw new TypeError("observe takes the event of a webhook.");
      const row = await engine.observe(name, event as ReceivedRecord);
      return row && toPayment(row);
    },
    async resume() {
      const counts = { pending: 0, accepted: 0, refused: 0, unclear: 0, succeeded: 0, failed: 0 };
      const rows = engine.list(["pending", "unclear", "accepted"]);
      const work = async () => {
        for await (const row of rows) counts[(await engine.look(row)).state] += 1;
      };
      await Promise.all(Array.from({ length: resumedAtOnce }, work));
      return counts;
    },
    async *unclear() {
      for await (const row of engine.list(["unclear"])) yield toPayment(row);
    },
    async decide(reference, decision) {
      checkReference("decide", reference);
      if (!["happened", "repeat", "abandon"].includes(decision)) {
        throw new TypeError("decide takes happened, repeat or abandon.");
      }
      return toPayment(await engine.decide(reference, decision));
    },
  };
}

function checkMs(name: string, value: unknown, least: number, most: number): void {
  if (typeof value === "number" && value >= least && value <= most) return;
  throw new TypeError(`${name} must be a number of milliseconds from ${least} to ${most}.`);
}
