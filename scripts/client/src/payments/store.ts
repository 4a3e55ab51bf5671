import type { Column, StoredPayment } from "./protocol.ts";

/**
 * A store of payments. Written payments must survive a crash of the process and of the machine: money is sent after `write` has resolved.
 * Test your own store with `checkPaymentStore`.
 */
export interface PaymentStore {
  /** The payment with this reference; undefined when there is none. */
  read(reference: string): Promise<StoredPayment | undefined>;
  /**
   * Writes a payment atomically, if the stored version is the expected one.
   *
   * @param payment the whole payment. Version 1 requires that no payment with the reference is stored; version n requires version n - 1.
   * @returns `written`; `changed` when another version is stored; `taken` when another payment has the same `id`, or when both have
   * `holds` and an equal `debit` or `credit` or, if both lack these, an equal `event`. With `changed` and `taken`, nothing is written.
   */
  write(payment: StoredPayment): Promise<"written" | "changed" | "taken">;
  /** The payment with this `id`; undefined when there is none. */
  withId(id: string): Promise<StoredPayment | undefined>;
  /** Up to `limit` payments with `key` in `column`, ordered by `isRefuted` (false first), then by reference. */
  equal(column: Column, key: string, limit: number): Promise<readonly StoredPayment[]>;
  /** Up to `limit` payments with `isOpen` whose reference comes after `afterReference`, ordered by reference. */
  open(afterReference: string, limit: number): Promise<readonly StoredPayment[]>;
  /** Up to `limit` payments with `isContradicted` whose reference comes after `afterReference`, ordered by reference. */
  contradicted(afterReference: string, limit: number): Promise<readonly StoredPayment[]>;
  /** The time of the database's clock, in milliseconds since 1970. Needed for a database that several machines share. */
  now?(): Promise<number>;
  /** Closes the store. */
  close?(): Promise<void>;
}
