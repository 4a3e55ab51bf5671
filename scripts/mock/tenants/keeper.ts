/** Keeps the world of one tenant in a journal. */

import type { MockWorld } from "../behaviours/behaviour.ts";
import { unitsFields } from "../behaviours/integrity.ts";
import type { Journal, JournalEntry } from "../journal/journal.ts";
import { loadSnapshot, unitOf, wholeOf } from "../kernel/snapshot.ts";
import type { Unit } from "../plan/data.ts";

/** An entry of a journal: what a call changed in a world, or everything. */
export interface TenantUnit extends Unit {
  /** Whether a new world begins with it. */
  readonly isNew?: true | undefined;
  /** Whether the world ends with it. */
  readonly isEnded?: true | undefined;
}

/** How many items of a list stand in one entry at most. Those of `older` are long texts. */
const mostItems = 1000;

export class Keeper {
  readonly #journal: Journal | undefined;
  /** The hash of the tenant's key. */
  readonly #tenant: string;
  /** Whether the journal has the world. */
  #isKept = false;

  /** @param journal undefined where nothing is kept. */
  constructor(journal: Journal | undefined, tenant: string) {
    this.#journal = journal;
    this.#tenant = tenant;
  }

  /** Writes each change of a world from now on: with the first one everything, where the journal does not have the world yet. */
  follow(world: MockWorld): void {
    if (this.#journal === undefined) return;
    world.changes.onUnit = (made) => {
      if (this.#isKept) this.#append(unitOf(made, world));
      else this.replace(world);
    };
  }

  /** Writes no more of a world. */
  leave(world: MockWorld): void {
    world.changes.onUnit = undefined;
  }

  /** Writes a world whole, in the place of what the journal has. @throws {JournalError} when it cannot be written. */
  replace(world: MockWorld): void {
    this.#append({ isNew: true, ...wholeOf(world, false) });
    this.#isKept = this.#journal !== undefined;
  }

  /** Writes that there is no world any more. @throws {JournalError} when it cannot be written. */
  end(): void {
    if (this.#isKept) this.#append({ isEnded: true });
    this.#isKept = false;
  }

  /** Puts an entry into a world. @throws {MockFault} when it does not fit the contract. */
  load(world: MockWorld, { isNew: _, isEnded: __, clock, target, ...unit }: TenantUnit): void {
    this.#isKept = true;
    loadSnapshot(world, unit, unitsFields);
    if (clock !== undefined) world.clock.state = clock;
    if (target !== undefined) world.setTarget(target);
  }

  /** A world as entries; none where nothing of it has to be kept. */
  *entries(world: MockWorld): Iterable<JournalEntry> {
    if (!this.#isKept) return;
    const everything = Object.entries({ isNew: true, ...wholeOf(world, true) });
    const tenant = this.#tenant;
    yield { tenant, ...Object.fromEntries(everything.filter(([, value]) => !Array.isArray(value))) };
    for (const [name, list] of everything) {
      const most = name === "older" ? 1 : mostItems;
      for (let from = 0; Array.isArray(list) && from < list.length; from += most) {
        yield { tenant, [name]: list.slice(from, from + most) };
      }
    }
  }

  #append(unit: TenantUnit): void {
    this.#journal?.append({ tenant: this.#tenant, ...unit });
  }
}
