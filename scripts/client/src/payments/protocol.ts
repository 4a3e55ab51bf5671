/**
 * The protocol between the engine and its driver. The engine is a set of generators: each yields {@link Command}s, and is resumed with the
 * reply that {@link Replies} lists for the command. Commands and replies are plain JSON. The engine itself reads no clock, random number,
 * store or network.
 */

/**
 * The state of a payment, derived from its attempts, its evidence and the last decision of a person.
 *
 * - `pending`: not sent, being sent, or to be sent again.
 * - `accepted`: accepted by the service, as a response, evidence or a person's decision shows. The payment can still fail.
 * - `refused`: refused by the service, without an effect.
 * - `abandoned`: ended by a person's decision.
 * - `unclear`: sent, and nothing shows whether there was an effect. A person or `repeatAfter` has to decide.
 * - `succeeded`, `failed`: the final states.
 */
export type PaymentState = "pending" | "accepted" | "refused" | "abandoned" | "unclear" | "succeeded" | "failed";

/** A person's decision about an unclear payment. A payment that was never sent can only be abandoned. */
export type Decision = "happened" | "repeat" | "abandon";

/** The kinds of evidence: debit records, credit records and events. Each record and each event belongs to at most one payment. */
export type Column = "debit" | "credit" | "event";

/** A payment as a store keeps it: strings, integers, booleans and null. */
export interface StoredPayment {
  /** The primary key: the partner's own name for the payment. A row that only reserves evidence has the evidence's name on a second line. */
  readonly reference: string;
  /** Starts at 1 and increases by one with each write. */
  readonly version: number;
  readonly state: PaymentState;
  /** Whether `resume` has to continue the payment. */
  readonly isOpen: boolean;
  /** Whether equal payments must not be sent while this one is open: no two payments with `holds` may have an equal key. */
  readonly holds: boolean;
  /** Whether the payment is refused or abandoned without an effect. A record of it is then a contradiction. */
  readonly isRefuted: boolean;
  /** Whether the payment has contradictions. */
  readonly isContradicted: boolean;
  /** The keys for finding the payment from a debit record, a credit record and an event; null if no more such evidence can follow. */
  readonly debit: string | null;
  readonly credit: string | null;
  readonly event: string | null;
  /**
   * The identifier that the service gave. No two payments may have the same. In a row that only reserves evidence for a payment, the name
   * of the evidence.
   */
  readonly id: string | null;
  /** JSON text of all other data, with the version of its format. */
  readonly data: string;
}

/** Members of a request, a record or an event. */
export type Values = Readonly<Record<string, unknown>>;

/** A prepared payment: the argument of `begin`. */
export interface PreparedPayment {
  readonly reference: string;
  /** The payment function, such as `fund`. */
  readonly kind: string;
  /** An operation of the table of lookups, such as `createTransfer`. */
  readonly operation: string;
  readonly body: Values;
  /**
   * A digest of each member of the intent except the reference, by its name, and of the whole request, by the name of `wholeRequest`. The
   * same reference with another digest is refused.
   */
  readonly digests: Readonly<Record<string, string>>;
}

/** Why a call failed, without any text of the service. `documented`: whether the contract documents the P-code for this status. */
export interface PaymentProblem {
  /** The kind of the PartnerApiError. */
  readonly kind: string;
  readonly operationId: string;
  readonly status?: number;
  readonly errorCode?: string;
  readonly documented?: boolean;
}

/** A failed call. `outcome` is `PartnerApiError.outcome`. */
export interface FailedCall {
  readonly outcome: "not-sent" | "refused" | "unknown";
  readonly problem: PaymentProblem;
}

/** The reply to `send`. `id` is the identifier in the response; null when it has none. */
export type SendReply = { readonly outcome: "accepted"; readonly id: string | null } | FailedCall;

/** The reply to `history`. `isWhole` is false when the response shows that records may be missing, such as by a link to a next page. */
export type HistoryReply =
  | { readonly outcome: "read"; readonly records: readonly Values[]; readonly isWhole: boolean }
  | FailedCall;

/** The reply to `details`. */
export type DetailsReply = { readonly outcome: "read"; readonly details: Values } | FailedCall;

/** The readings of two clocks, in milliseconds. */
export interface ClockReadings {
  /** Milliseconds since 1970, by the store's clock or, if the store has none, by the process's. Can be wrong, and can jump. */
  readonly now: number;
  /** A clock of this process that never goes back, read before `now`. Only differences between its readings have a meaning. */
  readonly steady: number;
}

/** A request of the engine to its driver. */
export type Command =
  /** Reads the payment with this reference; the reply is null when there is none. */
  | { readonly do: "read"; readonly reference: string }
  /** Reads the payment with this identifier; the reply is null when there is none. */
  | { readonly do: "withId"; readonly id: string }
  /** Reads up to `limit` payments with `key` in `column`, sorted by `isRefuted` (false first), then by reference. */
  | { readonly do: "equal"; readonly column: Column; readonly key: string; readonly limit: number }
  /**
   * Writes a payment if the previous version is stored (for version 1: none); otherwise the reply is `changed`. The reply is `taken` when
   * another payment has the same `id`, or when both have `holds` and an equal `debit` or `credit` or, if both lack these, an equal `event`.
   */
  | { readonly do: "write"; readonly payment: StoredPayment }
  /** Calls the operation that makes the payment, once. Nothing is sent after `deadline`, a time of the steady clock. */
  | { readonly do: "send"; readonly operation: string; readonly body: Values; readonly deadline: number }
  /** Reads one month, such as `2026-06`, of the history of a user or, if `user` is null, of the partner. */
  | { readonly do: "history"; readonly operation: string; readonly user: string | null; readonly month: string }
  /** Reads the details of the resource with an identifier. `operation` is the operation that makes the payment. */
  | { readonly do: "details"; readonly operation: string; readonly id: string }
  /** Reads the time. With `isStamp`, the time is stored in an attempt: the store's clock, if any, is then read anew. */
  | { readonly do: "now"; readonly isStamp?: true }
  | { readonly do: "steady" }
  | { readonly do: "wait"; readonly ms: number };

/** The reply to each command. When a command fails, the driver throws the error into the generator. */
export interface Replies {
  readonly read: StoredPayment | null;
  readonly withId: StoredPayment | null;
  readonly equal: readonly StoredPayment[];
  readonly write: "written" | "changed" | "taken";
  readonly send: SendReply;
  readonly history: HistoryReply;
  readonly details: DetailsReply;
  readonly now: ClockReadings;
  readonly steady: number;
  readonly wait: null;
}

/** A run of the engine. If its process is killed, another run continues from the stored payment. */
export type Run<Result> = Generator<Command, Result, unknown>;

/** The options of a partner that the engine needs, and its assumptions about the service and clocks. All times are in milliseconds. */
export interface Policy {
  readonly edition: "latest" | "test";
  /**
   * How long `begin`, and `decide` with `repeat`, wait while an equal payment is open, and look for the payment after an unknown outcome.
   * With 0, they do not wait.
   */
  readonly lookForMs: number;
  /** The longest assumed time between a call and its record; null: payments are never repeated automatically. */
  readonly repeatAfterMs: number | null;
  /** The largest difference between any two clocks. */
  readonly allowanceMs: number;
  /** The longest time that a call takes. */
  readonly timeoutMs: number;
  /** The longest time from reading the clock to the call. A payment that is delayed longer is not sent. */
  readonly maxSendDelayMs: number;
  /** See `PaymentsOptions`. */
  readonly evidence: "matching" | "identifiers";
}

/** The engine: one generator function for each call of the partner. */
export interface Engine {
  /**
   * Stores a payment if it is new, and continues it. Throws a TypeError when other content is stored under the reference, or the edition
   * does not have the operation.
   */
  begin(payment: PreparedPayment): Run<StoredPayment>;
  /** Continues a stored payment: sends it, looks for it, or reads its final state. */
  resume(reference: string): Run<StoredPayment>;
  /**
   * Applies an event. Returns the payment that the event belongs to or contradicts; null when none matches, several do, or one does only as
   * `unsure`.
   */
  observe(webhook: string, event: Values): Run<StoredPayment | null>;
  /** Applies a person's decision. Throws a TypeError when the state does not allow it, or the payment does not have `attempts` attempts. */
  decide(reference: string, decision: Decision, attempts?: number): Run<StoredPayment>;
}
