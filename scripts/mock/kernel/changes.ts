/** Transactions: the changes of a call are rolled back together when it is refused, and passed to the journal together when it succeeds. */
import type { DeliveryRecord, Entity, Event, EventAddress, Job, Posting } from "../plan/data.ts";

/** An error in the mock itself, never a mistake of its caller. */
export class MockFault extends Error {
  override readonly name = "MockFault";
}

/** The journal cannot store the changes of a transaction, which is therefore rolled back. */
export class UnitNotStored extends Error {
  override readonly name: string = "UnitNotStored";
}

/** Each key is the name of the member of `Unit` (`plan/data.ts`) that stores the changes of this kind. */
export interface ChangeKinds {
  readonly entities: Entity;
  readonly claims: readonly [value: string, holder: string | null];
  readonly postings: Posting;
  readonly jobs: Job;
  readonly done: number;
  readonly events: Event;
  /** Number of identifiers generated before the change. */
  readonly ids: number;
  readonly assumed: object;
  readonly deliveries: DeliveryRecord;
  readonly target: EventAddress | null | undefined;
  readonly clock: undefined;
}

export interface Change<Part extends keyof ChangeKinds = keyof ChangeKinds> {
  readonly part: Part | undefined;
  readonly value: ChangeKinds[Part] | undefined;
  readonly undo: () => void;
}

export class Changes {
  readonly #made: Change[] = [];
  /** Changes made outside of transactions and not yet passed to {@link onUnit}, by the key of the change. */
  readonly #outside = new Map<string, Change>();
  #depth = 0;
  /** Called with the changes of a transaction before its commit. If it throws, the transaction is rolled back. */
  onUnit: ((made: readonly Change[]) => void) | undefined;

  /** `undo` must not throw. Without `part`, the journal does not store the change. */
  record<Part extends keyof ChangeKinds>(undo: () => void, part?: Part, value?: ChangeKinds[Part]): void {
    if (this.#depth > 0) this.#made.push({ part, value, undo });
  }

  /**
   * Records a change made outside of a transaction, such as an attempt to deliver an event. It replaces an earlier change with the same
   * key.
   */
  recordOutside<Part extends keyof ChangeKinds>(
    key: string,
    part: Part,
    value: ChangeKinds[Part],
    undo?: () => void,
  ): void {
    if (this.onUnit === undefined) return;
    this.#outside.set(key, { part, value, undo: this.#outside.get(key)?.undo ?? undo ?? nothing });
  }

  /** If {@link onUnit} throws, the changes are kept for a retry. */
  flush(): void {
    if (this.#outside.size === 0 || this.#depth > 0) return;
    this.onUnit?.([...this.#outside.values()]);
    this.#outside.clear();
  }

  flushOrUndo(): void {
    try {
      this.flush();
    } catch (error) {
      for (const { undo } of this.#outside.values()) undo();
      throw error;
    }
  }

  /** Runs work, rolls back its changes, and returns its result. */
  tentatively<T>(work: () => T): T {
    const start = this.#made.length;
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#undo(start);
      this.#depth -= 1;
    }
  }

  atomically<T>(work: () => T): T {
    const start = this.#made.length;
    this.#depth += 1;
    try {
      const result = work();
      if (this.#depth === 1 && this.#made.length > 0) {
        this.onUnit?.(this.#outside.size === 0 ? this.#made : [...this.#outside.values(), ...this.#made]);
        this.#outside.clear();
      }
      return result;
    } catch (error) {
      this.#undo(start);
      throw error;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#made.length = 0;
    }
  }
  #undo(start: number): void {
    while (this.#made.length > start) this.#made.pop()?.undo();
  }
}

function nothing(): void {}
