/** What keeps payments: the interface of a store, for those of this package and for a partner's own. */

/**
 * What is known of a payment.
 *
 * - `pending`: not known yet. It waits for its turn, or is being sent or looked for, by this process or another one.
 * - `accepted`: the service has taken it on. It can still fail.
 * - `refused`: it had no effect, or a person has abandoned it.
 * - `unclear`: the response was lost, and no trace of the payment was found. A person or a policy has to decide.
 * - `succeeded`, `failed`: the final states.
 */
export type PaymentState = "pending" | "accepted" | "refused" | "unclear" | "succeeded" | "failed";

/** A payment as a store keeps it. All members are texts, whole numbers, booleans or null. */
export interface StoredPayment {
  /** The partner's own name of the payment: the primary key. */
  readonly reference: string;
  /** 1 when it is written first, and one more each time. */
  readonly version: number;
  readonly state: PaymentState;
  /** Whether its keys are taken: no other payment that holds one of them may be written. */
  readonly holds: boolean;
  /** Keys of what the payment looks like on the side that pays, on the side that receives, and in an event. */
  readonly debit: string | null;
  readonly credit: string | null;
  readonly event: string | null;
  /** The identifier of the service. No two payments have the same. */
  readonly id: string | null;
  /** The process that works on it, and until when, in milliseconds since 1970; null and 0 when nobody does. */
  readonly leasedBy: string | null;
  readonly leasedUntil: number;
  /** JSON text of everything else. */
  readonly data: string;
}

/** The columns whose values are taken while a payment `holds`. */
export const keyColumns = ["debit", "credit", "event"] as const;

/**
 * A store of payments. What it has written must survive the end of the process and of the machine: money is sent after `write`
 * has resolved. Prove one of your own with `checkPaymentStore`.
 */
export interface PaymentStore {
  /** The payment with this reference. */
  read(reference: string): Promise<StoredPayment | undefined>;
  /**
   * Writes a payment, in one step with the comparison.
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
  /** Up to 100 payments with this key of an event and without an identifier. */
  withEvent(event: string): Promise<readonly StoredPayment[]>;
  /** Up to `limit` payments in one of these states whose reference comes after another one, ordered by reference. */
  list(states: readonly PaymentState[], after: string, limit: number): Promise<readonly StoredPayment[]>;
  /** Ends the use of the store. */
  close?(): Promise<void>;
}
