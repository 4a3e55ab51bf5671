/** What is written to the journal of a running mock, and how a mock comes about again from it. */
import { createHash } from "node:crypto";
import type { Plan, PlanOperation } from "../plan/plan.ts";
import type { AcceptedCall } from "../tenants/session.ts";
import type { Delivery, RememberedDelivery } from "../webhooks/delivery.ts";
import { type Journal, type JournalEntry, JournalError, type JournalHeader } from "./journal.ts";

/** A request to the control interface. */
export interface ControlCall {
  readonly method: string;
  /** Below `/__mock`. */
  readonly path: string;
  readonly body: unknown;
}

/** What the recording is of: the tenants, by the hash of their keys. */
export interface Recorded {
  /** Makes the tenant where there is none. */
  tenant(hash: string): RecordedTenant;
  forget(hash: string): void;
}

export interface RecordedTenant {
  /** What is added to the time of the machine. */
  readonly offset: number;
  act(call: AcceptedCall): void;
  control(call: ControlCall): Promise<void>;
  /** Goes on with deliveries, from what is known of them by the number of the event. */
  resume(known: ReadonlyMap<number, RememberedDelivery>): void;
}

type Line = { readonly tenant: string; readonly at: number } & (
  | { readonly begins: true }
  | { readonly ends: true }
  | { readonly call: RecordedCall }
  | { readonly control: ControlCall }
  | { readonly delivery: RememberedDelivery & { readonly number: number } }
);

type RecordedCall = Omit<AcceptedCall, "operation"> & { readonly operationId: string };

/** What the state follows from, besides the entries. */
export function headerOf(plan: Plan, about: { seed: string; hasScenario: boolean }): JournalHeader {
  const basis = createHash("sha256")
    .update(JSON.stringify([plan, about]))
    .digest("hex");
  return { format: 1, basis };
}

/** Times are milliseconds since 1970. */
export class Recording {
  readonly #journal: Journal;
  /** The time of the machine while a line is replayed. */
  #replayed: number | undefined;
  #isReplaying = false;
  readonly #onNote: (note: string) => void;
  /** Whether it was told that the journal cannot be written. */
  #isFailing = false;

  /** @param onNote told once when the journal cannot be written, and again when it could in between. */
  constructor(journal: Journal, onNote: (note: string) => void = () => {}) {
    this.#journal = journal;
    this.#onNote = onNote;
  }

  /** The time of the machine, for the clocks of the tenants. */
  readonly machine = (): number => this.#replayed ?? Date.now();

  get isReplaying(): boolean {
    return this.#isReplaying;
  }

  begins(tenant: string): void {
    this.#add({ tenant, at: this.machine(), begins: true });
  }

  ends(tenant: string): void {
    this.#add({ tenant, at: this.machine(), ends: true });
  }

  /** The content of files is left out: a behaviour looks at their names, types and sizes only. */
  call(tenant: string, at: number, { operation, path, query, body, amounts, files }: AcceptedCall): void {
    const parts = Object.entries((body ?? {}) as object);
    const isForm = Object.keys(files).length > 0;
    const sent = isForm ? Object.fromEntries(parts.map(([name, value]) => [name, files[name] ? "" : value])) : body;
    const call = { operationId: operation.operationId, path, query, body: sent, amounts, files };
    this.#add({ tenant, at, call });
  }

  control(tenant: string, at: number, control: ControlCall): void {
    this.#add({ tenant, at, control });
  }

  delivery(tenant: string, at: number, { number, attempts, state, tries }: Delivery & RememberedDelivery): void {
    this.#add({ tenant, at, delivery: { number, attempts, state, tries } });
  }

  /**
   * Repeats everything that was recorded, each at its time.
   *
   * @throws {JournalError} naming the entry that cannot be repeated.
   */
  async replay(entries: readonly JournalEntry[], recorded: Recorded, plan: Plan): Promise<void> {
    const operations = new Map(plan.operations.map((operation) => [operation.operationId, operation]));
    const deliveries = new Map<string, Map<number, RememberedDelivery>>();
    this.#isReplaying = true;
    try {
      for (const [index, entry] of entries.entries()) {
        await this.#repeat(entry as unknown as Line, recorded, { operations, deliveries }).catch((error: Error) => {
          throw new JournalError(
            `Entry ${index + 1} of the journal cannot be repeated: ${error.message} Give another file, or remove this one to begin anew.`,
          );
        });
      }
    } finally {
      this.#replayed = undefined;
      this.#isReplaying = false;
    }
    for (const [tenant, known] of deliveries) recorded.tenant(tenant).resume(known);
  }

  async #repeat(
    line: Line,
    recorded: Recorded,
    {
      operations,
      deliveries,
    }: {
      operations: ReadonlyMap<string, PlanOperation>;
      deliveries: Map<string, Map<number, RememberedDelivery>>;
    },
  ): Promise<void> {
    this.#replayed = line.at;
    if ("ends" in line) {
      recorded.forget(line.tenant);
      deliveries.delete(line.tenant);
      return;
    }
    const tenant = recorded.tenant(line.tenant);
    const known = deliveries.get(line.tenant) ?? new Map<number, RememberedDelivery>();
    deliveries.set(line.tenant, known);
    this.#replayed = line.at - tenant.offset;
    if ("call" in line) {
      const operation = operations.get(line.call.operationId);
      if (operation === undefined) throw new Error(`There is no operation ${line.call.operationId}.`);
      tenant.act({ ...line.call, operation });
    } else if ("control" in line) {
      // What was delivered before a reset is none of what comes after it.
      if (["/reset", "/state"].includes(line.control.path)) known.clear();
      await tenant.control(line.control);
    } else if ("delivery" in line) known.set(line.delivery.number, line.delivery);
  }

  #add(line: Line): void {
    if (this.#isReplaying) return;
    try {
      this.#journal.append(line);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) {
        this.#onNote(`${(error as Error).message}. No call that changes something succeeds until it can be written.`);
      }
      this.#isFailing = true;
      throw error;
    }
  }
}
