/** The interface of payment stores, those of this package and a partner's own. */

/**
 * What is known of a payment.
 *
 * - `pending`: not known yet. It is queued, being sent, or being looked for, by this or another process.
 * - `accepted`: the service has accepted it. It can still fail.
 * - `refused`: it had no effect, or a person has abandoned it.
 * - `unclear`: the response was lost, and no record of the payment was found. A person or a policy has to decide.
 * - `succeeded`, `failed`: the final states.
 */
export type PaymentState = "pending" | "accepted" | "refused" | "unclear" | "succeeded" | "failed";

/** A payment as a store keeps it. All members are texts, whole numbers, booleans or null. */
export interface StoredPayment {
  /** The partner's own name for the payment: the primary key. */
  readonly reference: string;
  /** Starts at 1 and increases by one with each write. */
  readonly version: number;
  readonly state: PaymentState;
  /** Whether the payment reserves its keys: no other payment with `holds` may have one of them. */
  readonly holds: boolean;
  /** Matching keys of the payment on the debit side, on the credit side, and in an event. */
  readonly debit: string | null;
  readonly credit: string | null;
  readonly event: string | null;
  /** The identifier of the service. No two payments have the same. */
  readonly id: string | null;
  /** The process that works on it, and the end of its lease in milliseconds since 1970; null and 0 when there is no lease. */
  readonly leasedBy: string | null;
  readonly leasedUntil: number;
  /** JSON text of all other data. */
  readonly data: string;
}

/** The columns that must be unique among payments that `hold`. */
export const keyColumns = ["debit", "credit", "event"] as const;

/**
 * A store of payments. What it has written must survive the end of the process and of the machine: money is sent after `write` has
 * resolved. Test your own store with `checkPaymentStore`.
 */
export interface PaymentStore {
  /** The payment with this reference. */
  read(reference: string): Promise<StoredPayment | undefined>;
  /**
   * Writes a payment atomically, if the stored version is the expected one.
   *
   * @param payment the whole payment. A payment of version 1 must not exist; of any other, the version before must be the stored one.
   * @returns `written`; `changed` when another version is stored; `taken` when another payment has the same `id`, or both hold and
   * have the same `debit`, `credit` or `event`. Nothing is written in the last two cases.
   */
  write(payment: StoredPayment): Promise<"written" | "changed" | "taken">;
  /** The payment with this identifier of the service. */
  withId(id: string): Promise<StoredPayment | undefined>;
  /** The payments that hold one of the keys of this payment: at most one for each key; possibly itself. */
  holders(keys: Pick<StoredPayment, "debit" | "credit" | "event">): Promise<readonly StoredPayment[]>;
  /** Up to 100 payments without an identifier that have this event key. */
  withEvent(event: string): Promise<readonly StoredPayment[]>;
  /** Up to `limit` payments in one of these states whose reference comes after another one, ordered by reference. */
  list(states: readonly PaymentState[], after: string, limit: number): Promise<readonly StoredPayment[]>;
  /** Ends the use of the store. */
  close?(): Promise<void>;
}
