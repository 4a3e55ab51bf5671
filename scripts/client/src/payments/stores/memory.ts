import { blockingKey, keyColumns } from "../payment.ts";
import type { StoredPayment } from "../protocol.ts";
import type { PaymentStore } from "../store.ts";

/** Creates a store in the memory of the process, for tests. Its payments are lost when the process ends. */
export function createMemoryStore(): PaymentStore {
  const payments = new Map<string, StoredPayment>();
  const select = (isSelected: (payment: StoredPayment) => boolean) =>
    [...payments.keys()]
      .sort()
      .map((reference) => payments.get(reference) as StoredPayment)
      .filter(isSelected);
  return {
    read: async (reference) => payments.get(reference),
    withId: async (id) => select((candidate) => candidate.id === id)[0],
    equal: async (column, key, limit) =>
      select((candidate) => candidate[column] === key)
        .sort((a, b) => Number(a.isRefuted) - Number(b.isRefuted))
        .slice(0, limit),
    open: async (afterReference, limit) =>
      select(({ isOpen, reference }) => isOpen && reference > afterReference).slice(0, limit),
    contradicted: async (afterReference, limit) =>
      select(({ isContradicted, reference }) => isContradicted && reference > afterReference).slice(0, limit),
    async write(payment) {
      const { reference, version, id, holds } = payment;
      if ((payments.get(reference)?.version ?? 0) !== version - 1) return "changed";
      const hasEqualKey = (other: StoredPayment) =>
        keyColumns.some(
          (column) => blockingKey(payment, column) !== null && payment[column] === blockingKey(other, column),
        );
      const [conflictingPayment] = select(
        (candidate) =>
          candidate.reference !== reference &&
          ((id !== null && candidate.id === id) || (holds && candidate.holds && hasEqualKey(candidate))),
      );
      if (conflictingPayment !== undefined) return "taken";
      payments.set(reference, payment);
      return "written";
    },
  };
}
