import type { PaymentStore } from "../store.ts";
import { PaymentIndex } from "./payment-index.ts";

/** Creates a store in the memory of the process, for tests. Its payments are lost when the process ends. */
export function createMemoryStore(): PaymentStore {
  const index = new PaymentIndex();
  return {
    read: async (reference) => index.read(reference),
    withId: async (id) => index.withId(id),
    holders: async (keys) => index.holders(keys),
    withEvent: async (event) => index.withEvent(event),
    list: async (...query) => index.list(...query),
    write: async (payment) => {
      const outcome = index.judge(payment);
      if (outcome === "written") index.put(payment);
      return outcome;
    },
  };
}
