/** What a call changes, as one unit: taken back when the call is refused, told to whoever keeps it when it is carried out. */
import type { DeliveryRecord, Entity, Event, EventAddress, Job, Posting } from "../plan/data.ts";

/** A mistake of the mock itself, never of the caller. */
export class MockFault extends Error {
  override readonly name = "MockFault";
}

/** Whoever keeps the units cannot take one: everything is as before. */
export class UnitRefused extends Error {
  override readonly name: string = "UnitRefused";
}

/** What can change, by the name that it has in a `Unit` of `snapshot.ts`. */
export interface Changed {
  /** Added or changed. It is as it is when the unit is told. */
  readonly entities: Entity;
  /** A value that only one can have, and its holder; null when it is free again. */
  readonly claims: readonly [value: string, holder: string | null];
  readonly postings: Posting;
  readonly jobs: Job;
  /** The number of a job that waits no more. */
  readonly done: number;
  readonly events: Event;
  /** How many identifiers were made before. */
  readonly ids: number;
  /** What is assumed instead of what was assumed at the start. */
  readonly assumed: object;
  readonly deliveries: DeliveryRecord;
  /** Where events are sent. */
  readonly target: EventAddress | null | undefined;
  /** That the clock was moved. */
  readonly clock: undefined;
}

/** One change: what it is about, and how to take it back. */
export interface Change<Part extends keyof Changed = keyof Changed> {
  readonly part: Part | undefined;
  readonly value: Changed[Part] | undefined;
  readonly undo: () => void;
}

export class Changes {
  readonly #made: Change[] = [];
  /** What was noted since the last unit, by what it is about. */
  readonly #noted = new Map<string, Change>();
  #depth = 0;
  /** Called with each unit before it counts as carried out. When it throws, the unit is taken back. */
  onUnit: ((made: readonly Change[]) => void) | undefined;

  /**
   * Records a change that was just made.
   *
   * @param undo makes it unmade; it must not throw.
   * @param part what it is about; left out for what nobody keeps.
   */
  record<Part extends keyof Changed>(undo: () => void, part?: Part, value?: Changed[Part]): void {
    if (this.#depth > 0) this.#made.push({ part, value, undo });
  }

  /**
   * Notes a change that happened outside of a unit, such as an attempt to deliver an event. It becomes part of the next unit.
   *
   * @param key what it is about: it replaces a note with the same key.
   * @param undo makes it unmade when {@link tell} fails; left out for what cannot be.
   */
  note<Part extends keyof Changed>(key: string, part: Part, value: Changed[Part], undo?: () => void): void {
    if (this.onUnit === undefined) return;
    this.#noted.set(key, { part, value, undo: this.#noted.get(key)?.undo ?? undo ?? nothing });
  }

  /**
   * Makes a unit of what was noted.
   *
   * @throws what {@link onUnit} throws; what was noted is part of the next unit then.
   */
  tell(): void {
    if (this.#noted.size === 0 || this.#depth > 0) return;
    this.onUnit?.([...this.#noted.values()]);
    this.#noted.clear();
  }

  /** The same; when it fails, what was noted is taken back as far as possible. @throws what {@link onUnit} throws. */
  tellOrUndo(): void {
    try {
      this.tell();
    } catch (error) {
      for (const { undo } of this.#noted.values()) undo();
      throw error;
    }
  }

  /** Does some work without consequences: everything that it changes is taken back. @throws what the work throws. */
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

  /**
   * Does some work whole or not at all: when it throws, everything that it changed is as before.
   *
   * @throws what the work throws, or {@link onUnit}.
   */
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
