/** Which resource a happening is about: the one whose id is given, or the newest one to which it can happen. */

import type { Entity } from "../kernel/records.ts";
import type { MockWorld } from "./behaviour.ts";
import { HappeningError, read } from "./happening.ts";
import type { ResourceData } from "./records.ts";

type About = Readonly<Record<string, unknown>>;
type Resource = keyof ResourceData & string;

/**
 * A resource that can move to a status.
 *
 * @param about may hold the id of the resource, under the name that it has in `openapi/resources.yaml`.
 * @throws {HappeningError} when there is none, or when it cannot.
 */
export function subjectBecoming<R extends Resource>(
  world: MockWorld,
  resource: R,
  about: About,
  to: string,
): Entity<ResourceData[R]> {
  return pick(world, resource, about, {
    isPossible: (entity) => world.records.canMove(entity, to),
    why: ({ states }) => {
      const following = world.plan.resources[resource]?.states.status?.transitions[states.status ?? ""] ?? [];
      return `cannot become ${to}${following.length === 0 ? "; its status is final" : `, only ${following.join(" or ")}`}`;
    },
    which: `that can become ${to}`,
  });
}

/**
 * A resource that has one of some statuses.
 *
 * @param about as with {@link subjectBecoming}.
 * @throws {HappeningError} when there is none, or when it has another status.
 */
export function subjectIn<R extends Resource>(
  world: MockWorld,
  resource: R,
  about: About,
  statuses: readonly string[],
): Entity<ResourceData[R]> {
  return pick(world, resource, about, {
    isPossible: ({ states }) => statuses.includes(states.status ?? ""),
    why: () => `must be ${statuses.join(" or ")}`,
    which: `that is ${statuses.join(" or ")}`,
  });
}

/**
 * The resource whose id is given, whatever its status; undefined when no id is given.
 *
 * @throws {HappeningError} when there is none with this id.
 */
export function subjectGiven<R extends Resource>(
  world: MockWorld,
  resource: R,
  about: About,
): Entity<ResourceData[R]> | undefined {
  const field = world.plan.resources[resource]?.id ?? "id";
  if (about[field] === undefined) return undefined;
  const id = read(about).text(field);
  const found = world.records.find(resource, id);
  if (found === undefined) throw new HappeningError(`There is no ${resource} whose ${field} is ${id}.`);
  return found;
}

function pick<R extends Resource>(
  world: MockWorld,
  resource: R,
  about: About,
  {
    isPossible,
    why,
    which,
  }: { isPossible: (entity: Entity) => boolean; why: (entity: Entity) => string; which: string },
): Entity<ResourceData[R]> {
  const given = subjectGiven(world, resource, about);
  if (given !== undefined) {
    if (isPossible(given)) return given;
    throw new HappeningError(`The ${resource} ${given.id} is ${given.states.status} and ${why(given)}.`);
  }
  const newest = world.records.all(resource).findLast(isPossible);
  if (newest !== undefined) return newest;
  throw new HappeningError(`There is no ${resource} ${which}.`);
}
