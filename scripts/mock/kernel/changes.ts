/** Transactions: the changes of a call are one unit, rolled back when the call is refused, and passed to the journal when it succeeds. */
import type { DeliveryRecord, Entity, Event, EventAddress, Job, Posting } from "../plan/data.ts";

/** A bug of the mock, never a mistake of the caller. */
export class MockFault extends Error {
  override readonly name = "MockFault";
}

/** The journal cannot store the changes of a transaction, which is therefore rolled back. */
export class UnitNotStored extends Error {
  override readonly name: string = "UnitNotStored";
}

/** The kinds of changes, by their names in a `Unit` of `snapshot.ts`. */
export interface ChangeKinds {
  /** Added or changed resources, with their values at the end of the unit. */
  readonly entities: Entity;
  /** A unique value and its holder; null when it is released. */
  readonly claims: readonly [value: string, holder: string | null];
  readonly postings: Posting;
  readonly jobs: Job;
  readonly done: number;
  readonly events: Event;
  /** Number of identifiers generated before the change. */
  readonly ids: number;
  /** Assumptions that differ from the initial ones. */
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
  /** Changes made outside of transactions and not yet passed to {@link onUnit}, by subject. */
  readonly #noted = new Map<string, Change>();
  #depth = 0;
  /** Called with the changes of a transaction before it is committed. When it throws, the transaction is rolled back. */
  onUnit: ((made: readonly Change[]) => void) | undefined;

  /**
   * Records a change that was just made in a transaction.
   *
   * @param undo undoes it; it must not throw.
   * @param part its subject; left out for changes that are not journaled.
   */
  record<Part extends keyof ChangeKinds>(undo: () => void, part?: Part, value?: ChangeKinds[Part]): void {
    if (this.#depth > 0) this.#made.push({ part, value, undo });
  }

  /**
   * Records a change made outside of a transaction, such as an attempt to deliver an event, until {@link tell} passes it on.
   *
   * @param key its subject; an earlier change with the same key is replaced.
   * @param undo undoes it when {@link tell} fails; left out if it cannot be undone.
   */
  note<Part extends keyof ChangeKinds>(key: string, part: Part, value: ChangeKinds[Part], undo?: () => void): void {
    if (this.onUnit === undefined) return;
    this.#noted.set(key, { part, value, undo: this.#noted.get(key)?.undo ?? undo ?? nothing });
  }

  /** Passes the changes recorded by {@link note} to {@link onUnit}. @throws its error; the changes are then kept for the next call. */
  tell(): void {
    if (this.#noted.size === 0 || this.#depth > 0) return;
    this.onUnit?.([...this.#noted.values()]);
    this.#noted.clear();
  }

  /** Like {@link tell}, but an error undoes every change that was recorded with `undo`. @throws the error of {@link onUnit}. */
  tellOrUndo(): void {
    try {
      this.tell();
    } catch (error) {
      for (const { undo } of this.#noted.values()) undo();
      throw error;
    }
  }

  /** Runs work, then rolls back all its changes and returns its result. @throws the error of the work. */
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

  /** Runs work as a transaction: when it throws, all its changes are rolled back. @throws the error of the work, or of {@link onUnit}. */
  atomically<T>(work: () => T): T {
    const start = this.#made.length;
    this.#depth += 1;
    try {
      const result = work();
      if (this.#depth === 1 && this.#made.length > 0) {
        this.onUnit?.(this.#noted.size === 0 ? this.#made : [...this.#noted.values(), ...this.#made]);
        this.#noted.clear();
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
