/** An in-memory index of payments with the rules of a store, shared by the memory and file stores. */
import { keyColumns, type PaymentState, type PaymentStore, type StoredPayment } from "../store.ts";

/** Maximum number of payments without an identifier returned for one event. */
export const maxUnidentified = 100;

export class PaymentIndex implements Omit<PaymentStore, "write" | "close"> {
  readonly #payments = new Map<string, StoredPayment>();
  readonly #ids = new Map<string, string>();
  readonly #holders = new Map<string, string>();
  readonly #events = new Map<string | null, Set<string>>();

  get size(): number {
    return this.#payments.size;
  }

  all(): IterableIterator<StoredPayment> {
    return this.#payments.values();
  }

  judge(payment: StoredPayment): "written" | "changed" | "taken" {
    const { reference, version, id, holds } = payment;
    if ((this.#payments.get(reference)?.version ?? 0) !== version - 1) return "changed";
    const isOthers = (owner: string | undefined) => owner !== undefined && owner !== reference;
    const isTaken = holds && keysOf(payment).some((key) => isOthers(this.#holders.get(key)));
    return isTaken || (id !== null && isOthers(this.#ids.get(id))) ? "taken" : "written";
  }

  put(payment: StoredPayment): void {
    const { reference, id, holds, event } = payment;
    const former = this.#payments.get(reference);
    if (former !== undefined) {
      if (former.holds) for (const key of keysOf(former)) this.#holders.delete(key);
      this.#events.get(former.event)?.delete(reference);
    }
    this.#payments.set(reference, payment);
    if (id !== null) this.#ids.set(id, reference);
    if (holds) for (const key of keysOf(payment)) this.#holders.set(key, reference);
    if (id === null) {
      const waiting = this.#events.get(event) ?? new Set();
      this.#events.set(event, waiting.add(reference));
    }
  }

  async read(reference: string): Promise<StoredPayment | undefined> {
    return this.#payments.get(reference);
  }

  async withId(id: string): Promise<StoredPayment | undefined> {
    return this.#payments.get(this.#ids.get(id) ?? "");
  }

  async holders(keys: Pick<StoredPayment, "debit" | "credit" | "event">): Promise<StoredPayment[]> {
    return this.#named(new Set(keysOf(keys).flatMap((key) => this.#holders.get(key) ?? [])));
  }

  async withEvent(event: string): Promise<StoredPayment[]> {
    return this.#named(this.#events.get(event) ?? []).slice(0, maxUnidentified);
  }

  async list(states: readonly PaymentState[], after: string, limit: number): Promise<StoredPayment[]> {
    const found = [...this.#payments.values()].filter(
      ({ state, reference }) => states.includes(state) && reference > after,
    );
    return found.sort((a, b) => (a.reference < b.reference ? -1 : 1)).slice(0, limit);
  }

  #named(references: Iterable<string>): StoredPayment[] {
    return [...references].flatMap((reference) => this.#payments.get(reference) ?? []);
  }
}

function keysOf(payment: Pick<StoredPayment, "debit" | "credit" | "event">): string[] {
  return keyColumns.flatMap((column) => (payment[column] === null ? [] : `${column} ${payment[column]}`));
}
