/**
 * What a driver of the engine sees. The engine is a set of generators: each yields a {@link Command}, and is resumed with the reply that
 * {@link Replies} lists for it. Commands and replies are plain JSON. Nothing inside reads a clock, a random number, a store or the network.
 */

/**
 * The state of a payment, derived from its attempts and its evidence.
 *
 * - `pending`: not sent, being sent, or to be sent again.
 * - `accepted`: the service has accepted it. It can still fail.
 * - `refused`: the service refused it: it had no effect.
 * - `abandoned`: a person gave it up.
 * - `unclear`: it was sent, and nothing shows whether it had an effect. A person or `repeatAfter` has to decide.
 * - `succeeded`, `failed`: the final states.
 */
export type PaymentState = "pending" | "accepted" | "refused" | "abandoned" | "unclear" | "succeeded" | "failed";

/** A person's decision about an unclear payment. A payment that was never sent can only be abandoned. */
export type Decision = "happened" | "repeat" | "abandon";

/** The kinds of evidence that can be of one payment only: records on each side of the history, and events. */
export type Column = "debit" | "credit" | "event";

/** A payment as a store keeps it: texts, whole numbers, booleans and null. Every column but `reference`, `version` and `data` is derived. */
export interface StoredPayment {
  /** The partner's own name for the payment: the primary key. */
  readonly reference: string;
  /** Starts at 1 and increases by one with each write. */
  readonly version: number;
  readonly state: PaymentState;
  /** Whether `resume` has to continue the payment. */
  readonly isOpen: boolean;
  /** Whether this is the only one of several equal payments that may be sent: no other payment with `holds` may have an equal key. */
  readonly holds: boolean;
  /** Whether the payment is refused or abandoned, so that a record of it is a contradiction. Such payments are listed last. */
  readonly isRefuted: boolean;
  /** Whether evidence contradicts the state of the payment. */
  readonly isContradicted: boolean;
  /** The keys by which evidence of each kind finds the payment; null when such evidence cannot belong to it. */
  readonly debit: string | null;
  readonly credit: string | null;
  readonly event: string | null;
  /** The identifier of the service, which no other payment may have. */
  readonly id: string | null;
  /** JSON text of all other data, with the version of its form. */
  readonly data: string;
}

/** Values of a request, a record or an event. */
export type Values = Readonly<Record<string, unknown>>;

/** A prepared payment: the argument of `begin`. */
export interface PreparedPayment {
  readonly reference: string;
  /** The payment function, such as `fund`. */
  readonly kind: string;
  /** An operation of the table of lookups, such as `createTransfer`. */
  readonly operation: string;
  readonly body: Values;
  /** A digest of each member of the request, by its name: the same reference with another digest is refused. */
  readonly digests: Readonly<Record<string, string>>;
}

/** Why a call failed, without any text of the service. `documented`: the operation lists the P-code for this status. */
export interface PaymentProblem {
  /** The kind of the PartnerApiError. */
  readonly kind: string;
  readonly operationId: string;
  readonly status?: number;
  readonly errorCode?: string;
  readonly documented?: boolean;
}

/** A failed call. `outcome` is that of the client's rule of outcomes (`PartnerApiError.outcome`). */
export interface FailedCall {
  readonly outcome: "not-sent" | "refused" | "unknown";
  readonly problem: PaymentProblem;
}

/** The reply to `send`. `id` is the identifier in the response; null when it has none. */
export type Sent = { readonly outcome: "accepted"; readonly id: string | null } | FailedCall;

/** The reply to `history`. `isWhole` is false when the response shows that records are missing, such as a link to a next page. */
export type History =
  | { readonly outcome: "read"; readonly records: readonly Values[]; readonly isWhole: boolean }
  | FailedCall;

/** The reply to `details`. */
export type Details = { readonly outcome: "read"; readonly details: Values } | FailedCall;

/** Two readings at once, in milliseconds. */
export interface Time {
  /** Milliseconds since 1970, by the clock of the store if it has one; otherwise by the process's. Can be wrong, and can jump. */
  readonly now: number;
  /** A clock of this process that never goes back and never jumps, read before `now` was asked for. Its zero has no meaning. */
  readonly steady: number;
}

/** What the engine asks of its driver. */
export type Command =
  /** The payment with this reference. */
  | { readonly do: "read"; readonly reference: string }
  /** The payment with this identifier. */
  | { readonly do: "withId"; readonly id: string }
  /** Up to `limit` payments with this key, sorted by `isRefuted` (false first), then by reference. */
  | { readonly do: "equal"; readonly column: Column; readonly key: string; readonly limit: number }
  /**
   * Version 1 is stored if there is no payment with the reference, version n if version n - 1 is stored; otherwise `changed`. `taken`:
   * another payment has the same `id`, or both have `holds` and an equal `debit` or `credit`, or neither of these and an equal `event`.
   */
  | { readonly do: "write"; readonly payment: StoredPayment }
  /** Calls the operation that makes the payment, once; not if the request would leave after `before`, a time of the steady clock. */
  | { readonly do: "send"; readonly operation: string; readonly body: Values; readonly before: number }
  /** Reads one month, such as `2026-06`, of the history of a user; null: the partner's. */
  | { readonly do: "history"; readonly operation: string; readonly user: string | null; readonly month: string }
  /** Reads what the service shows of an identifier. `operation` is the one that makes the payment. */
  | { readonly do: "details"; readonly operation: string; readonly id: string }
  /** With `isStamp`, an attempt carries the time: a store with a clock is asked, and an earlier reading is not continued. */
  | { readonly do: "now"; readonly isStamp?: true }
  | { readonly do: "steady" }
  | { readonly do: "wait"; readonly ms: number };

/** The reply to each command. A driver whose store fails throws its error into the generator. */
export interface Replies {
  readonly read: StoredPayment | null;
  readonly withId: StoredPayment | null;
  readonly equal: readonly StoredPayment[];
  readonly write: "written" | "changed" | "taken";
  readonly send: Sent;
  readonly history: History;
  readonly details: Details;
  readonly now: Time;
  readonly steady: number;
  readonly wait: null;
}

/** A run of the engine. A process that is killed never resumes it; another run continues from the store. */
export type Run<Result> = Generator<Command, Result, unknown>;

/** What the partner assumes of the service and of clocks. Times in milliseconds. */
export interface Policy {
  readonly edition: "latest" | "test";
  /** How long `begin` waits for an equal payment and looks for a lost one; 0: looks once and never waits. */
  readonly lookForMs: number;
  /** The longest time that the partner assumes between a call and its record; null: never repeat. */
  readonly repeatAfterMs: number | null;
  /** The largest difference between any two clocks. */
  readonly allowanceMs: number;
  /** The longest time that a call takes. */
  readonly timeoutMs: number;
  /** The longest time from the reading of the time to the call: a payment that was held up longer is not sent. */
  readonly heldUpMs: number;
  /** `identifiers`: records and events without a known identifier are never attributed. */
  readonly evidence: "matching" | "identifiers";
}

/** The engine: one generator for each kind of turn. Each reads the payment itself. */
export interface Engine {
  /** Stores the intent if it is new, and goes on with the payment. Throws a TypeError when the reference has another content. */
  begin(payment: PreparedPayment): Run<StoredPayment>;
  /** Goes on with a stored payment: sends it, looks for it, or reads its final state. */
  resume(reference: string): Run<StoredPayment>;
  /** Applies an event; the result is the payment that the event belongs to or contradicts. */
  observe(webhook: string, event: Values): Run<StoredPayment | null>;
  /** Applies a person's decision. Throws a TypeError when the state does not allow it, or when the payment does not have `attempts` attempts. */
  decide(reference: string, decision: Decision, attempts?: number): Run<StoredPayment>;
}
