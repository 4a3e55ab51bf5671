import type { MockWorld } from "../behaviours/behaviour.ts";
import { unitsFields } from "../behaviours/integrity.ts";
import type { Journal, JournalEntry } from "../journal/journal.ts";
import { completeUnit, loadSnapshot, unitOf } from "../kernel/snapshot.ts";
import type { Unit } from "../plan/data.ts";

/** A journal entry: the changes of a call, or a whole world. */
export interface TenantUnit extends Unit {
  /** Whether this entry starts a new world, replacing the tenant's earlier world. */
  readonly isNew?: true | undefined;
  readonly isEnded?: true | undefined;
}

/** Maximum number of list items in one entry; only one for the list `older`, whose items are long texts. */
const mostItems = 1000;

export class JournalWriter {
  readonly #journal: Journal | undefined;
  readonly #tenant: string;
  #isKept = false;

  constructor(journal: Journal | undefined, tenant: string) {
    this.#journal = journal;
    this.#tenant = tenant;
  }

  /** Appends each later change to the journal, but first the complete world if the journal does not contain it yet. */
  follow(world: MockWorld): void {
    if (this.#journal === undefined) return;
    world.changes.onUnit = (made) => {
      if (this.#isKept) this.#append(unitOf(made, world));
      else this.replace(world);
    };
  }

  leave(world: MockWorld): void {
    world.changes.onUnit = undefined;
  }

  replace(world: MockWorld): void {
    this.#append({ isNew: true, ...completeUnit(world, false) });
    this.#isKept = this.#journal !== undefined;
  }

  end(): void {
    if (this.#isKept) this.#append({ isEnded: true });
    this.#isKept = false;
  }

  load(world: MockWorld, { isNew: _, isEnded: __, clock, target, ...unit }: TenantUnit): void {
    this.#isKept = true;
    loadSnapshot(world, unit, unitsFields);
    if (clock !== undefined) world.clock.state = clock;
    if (target !== undefined) world.setTarget(target);
  }

  /** The complete world as several entries, for a compaction. */
  *entries(world: MockWorld): Iterable<JournalEntry> {
    if (!this.#isKept) return;
    const everything = Object.entries({ isNew: true, ...completeUnit(world, true) });
    const tenant = this.#tenant;
    yield { tenant, ...Object.fromEntries(everything.filter(([, value]) => !Array.isArray(value))) };
    for (const [name, list] of everything) {
      const rest: unknown[] = Array.isArray(list) ? [...list] : [];
      while (rest.length > 0) yield { tenant, [name]: rest.splice(0, name === "older" ? 1 : mostItems) };
    }
  }

  #append(unit: TenantUnit): void {
    this.#journal?.append({ tenant: this.#tenant, ...unit });
  }
}
