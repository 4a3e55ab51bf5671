/**
 * The state of a payment, as far as it is known.
 *
 * - `pending`: the outcome is not known yet. A process will send it, is sending it, or is looking for it.
 * - `accepted`: the service has accepted it. It can still fail.
 * - `refused`: it had no effect, or a person has abandoned it.
 * - `unclear`: the response was lost, and no record of the payment was found. A person or `repeatAfter` has to decide.
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
  /** Whether the payment reserves its keys: no other payment with `holds` may have an equal key. */
  readonly holds: boolean;
  /** The keys of the payment's record on the debit side, of its record on the credit side, and of its event. */
  readonly debit: string | null;
  readonly credit: string | null;
  readonly event: string | null;
  /** The identifier of the service, which no other payment may have. */
  readonly id: string | null;
  /** The process that works on the payment, and the end of its lease in milliseconds since 1970; null and 0 without a lease. */
  readonly leasedBy: string | null;
  readonly leasedUntil: number;
  /** JSON text of all other data. */
  readonly data: string;
}

/** The columns that must be unique among payments with `holds`. */
export const keyColumns = ["debit", "credit", "event"] as const;

/**
 * A store of payments. Written payments must survive a crash of the process and of the machine: money is sent after `write` has resolved.
 * Test your own store with `checkPaymentStore`.
 */
export interface PaymentStore {
  /** The payment with this reference. */
  read(reference: string): Promise<StoredPayment | undefined>;
  /**
   * Writes a payment atomically, if the stored version is the expected one.
   *
   * @param payment the whole payment. Version 1 requires that no payment with the reference is stored; version n requires version n - 1.
   * @returns `written`; `changed` when another version is stored; `taken` when another payment has the same `id`, or both have `holds` and
   * an equal `debit`, `credit` or `event`. Nothing is written after `changed` and `taken`.
   */
  write(payment: StoredPayment): Promise<"written" | "changed" | "taken">;
  /** The payment with this identifier of the service. */
  withId(id: string): Promise<StoredPayment | undefined>;
  /** The payments with `holds` and one of these keys: at most one for each key. */
  holders(keys: Pick<StoredPayment, "debit" | "credit" | "event">): Promise<readonly StoredPayment[]>;
  /** Up to 100 payments that have this event key and no identifier. */
  withEvent(event: string): Promise<readonly StoredPayment[]>;
  /** Up to `limit` payments in these states whose reference comes after `after`, ordered by reference. */
  list(states: readonly PaymentState[], after: string, limit: number): Promise<readonly StoredPayment[]>;
  /** Closes the store. */
  close?(): Promise<void>;
}
