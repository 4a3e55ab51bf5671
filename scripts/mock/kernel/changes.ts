/** What a call changes, as one unit: taken back when the call is refused, told to whoever keeps it when it is carried out. */
import type { Entity, Event, Job, Posting } from "../plan/data.ts";

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
}

/** One change: what it is about, and how to take it back. */
export interface Change<Part extends keyof Changed = keyof Changed> {
  readonly part: Part | undefined;
  readonly value: Changed[Part] | undefined;
  readonly undo: () => void;
}

export class Changes {
  readonly #made: Change[] = [];
  #depth = 0;
  /** Told of each unit before it counts as carried out. When it throws, the unit is taken back. */
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
   * Does some work whole or not at all: when it throws, everything that it changed is as before.
   *
   * @throws what the work throws, or {@link onUnit}.
   */
  atomically<T>(work: () => T): T {
    const start = this.#made.length;
    this.#depth += 1;
    try {
      const result = work();
      if (this.#depth === 1 && this.#made.length > 0) this.onUnit?.(this.#made);
      return result;
    } catch (error) {
      while (this.#made.length > start) this.#made.pop()?.undo();
      throw error;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#made.length = 0;
    }
  }
}
