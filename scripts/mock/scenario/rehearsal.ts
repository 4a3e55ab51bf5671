/** Does something twice: first to see which identifiers it makes and what it moves, and then with the identifiers that are shown. */
import type { MockWorld } from "../behaviours/behaviour.ts";

/** A resource that was created, or whose state has moved, with its states then. */
export interface Touched {
  readonly resource: string;
  readonly id: string;
  /** The state that moved; undefined for a new one, which has them all. */
  readonly state: string | undefined;
  readonly states: Readonly<Record<string, string>>;
}

/** Stand in for identifiers while something is rehearsed. */
const standIns = Array.from({ length: 48 }, (_, index) => `ffffffff-0000-4000-8000-${String(index).padStart(12, "0")}`);
const allStandIns = new Set(standIns);

export function isStandIn(id: unknown): id is string {
  return typeof id === "string" && allStandIns.has(id);
}

class CurtainCall extends Error {}

/**
 * Does some work, looks at the world as it is afterwards, and takes the work back.
 *
 * @returns what was seen.
 * @throws what the work throws.
 */
export function rehearse<Result, Seen>(
  world: MockWorld,
  work: () => Result,
  look: (result: Result, touched: readonly Touched[]) => Seen,
): Seen {
  const touched: Touched[] = [];
  const listener = world.onStep;
  world.onStep = ({ resource, id, state }) => {
    const entity = world.records.find(resource as "user", id);
    touched.push({ resource, id, state, states: { ...entity?.states } });
  };
  world.ids.expect(standIns);
  let seen: Seen | undefined;
  try {
    world.changes.atomically(() => {
      seen = look(work(), touched);
      throw new CurtainCall();
    });
  } catch (error) {
    if (!(error instanceof CurtainCall)) throw error;
  } finally {
    world.onStep = listener;
    world.ids.expect([]);
  }
  return seen as Seen;
}

/**
 * Does some work with the identifiers that are shown.
 *
 * @param shown finds them, by the stand-in for each.
 */
export function perform<Result>(
  world: MockWorld,
  work: () => Result,
  shown: (result: Result, touched: readonly Touched[]) => ReadonlyMap<string, string>,
): Result {
  const ids = rehearse(world, work, shown);
  const count = standIns.findLastIndex((standIn) => ids.has(standIn)) + 1;
  world.ids.expect(standIns.slice(0, count).map((standIn) => ids.get(standIn) ?? world.ids.uuid()));
  try {
    return work();
  } finally {
    world.ids.expect([]);
  }
}
