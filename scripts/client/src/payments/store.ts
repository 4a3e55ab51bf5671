import type { Column, StoredPayment } from "./protocol.ts";

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
   * an equal `debit` or `credit`, or neither of these and an equal `event`. Nothing is written after `changed` and `taken`.
   */
  write(payment: StoredPayment): Promise<"written" | "changed" | "taken">;
  /** The payment with this identifier of the service. */
  withId(id: string): Promise<StoredPayment | undefined>;
  /** Up to `limit` payments with this key in this column: those with `isRefuted` last, then by reference. */
  equal(column: Column, key: string, limit: number): Promise<readonly StoredPayment[]>;
  /** Up to `limit` payments with `isOpen` whose reference comes after `after`, ordered by reference. */
  open(after: string, limit: number): Promise<readonly StoredPayment[]>;
  /** The same for payments with `isContradicted`. */
  contradicted(after: string, limit: number): Promise<readonly StoredPayment[]>;
  /** The time by the clock of the database, in milliseconds since 1970, where it is shared by several machines. */
  now?(): Promise<number>;
  /** Closes the store. */
  close?(): Promise<void>;
}
