/** The state of a tenant as plain data, which JSON can hold, and back. */

import type { MockWorld } from "../behaviours/behaviour.ts";
import { problemOf, unitsFields } from "../behaviours/integrity.ts";
import { ControlError } from "../checks/error.ts";
import { validated } from "../checks/schema.ts";
import { MockFault } from "../kernel/changes.ts";
import { Clock } from "../kernel/clock.ts";
import { loadSnapshot, snapshotOf } from "../kernel/snapshot.ts";
import type { Snapshot } from "../plan/data.ts";
import type { Plan, PlanScenario } from "../plan/plan.ts";
import { makeWorld } from "../tenants/act.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { checkAssumptions } from "./assumptions.ts";
import { readProblem } from "./try-reads.ts";

/** The form of the data. */
const format = 2;

/** What a tenant keeps. Amounts are minor units as decimal strings, times are milliseconds since 1970. */
export interface State extends Omit<Snapshot, "events"> {
  readonly format: number;
  readonly edition: string;
}

/** Everything that a tenant keeps, but for events that were sent, and requests that were seen. */
export function stateOf({ world }: Tenant, edition: string): State {
  const { events: _, ...snapshot } = snapshotOf(world);
  return { format, edition, ...snapshot };
}

/**
 * Gives a tenant what {@link stateOf} gave, in the place of all that it has. Deliveries and requests are forgotten.
 *
 * @param state has the form of `openapi/mock-control.yaml`.
 * @throws {ControlError} when it does not fit the contract; the tenant is as before then.
 */
export function restoreState(tenant: Tenant, state: State): void {
  assertFits(tenant.world.plan, state);
  tenant.restore((world) => beginState(world, state));
}

/** Fills a world that is new with what {@link stateOf} gave, its time included. */
export function beginState(world: MockWorld, state: State): void {
  loadSnapshot(world, { ...structuredClone(state), events: [] }, unitsFields);
  world.clock.state = { ...state.clock };
}

/**
 * Fills a world that is new with the state after the scenario. The time is that of its last step, and runs on from there unless
 * the clock is frozen: the months of the scenario stay within the past twelve.
 *
 * @throws {MockFault} when the scenario does not fit the contract.
 */
export function beginScenario(world: MockWorld, scenario: PlanScenario): void {
  if ("problem" in scenario) throw new MockFault(scenario.problem);
  const { clock } = world;
  const { isFrozen } = clock;
  loadSnapshot(world, structuredClone(scenario), unitsFields);
  clock.freeze(scenario.clock.frozenAt ?? clock.now);
  if (!isFrozen) clock.run();
}

/** @throws {ControlError} when a state is none, or does not fit the contract. */
export function assertState(plan: Plan, state: State): void {
  validated(plan, "putState", state, "The state");
  assertFits(plan, state);
}

/** @throws {ControlError} when a state that has the form of one does not fit the contract or itself: tried in a world of its own. */
function assertFits(plan: Plan, state: State): void {
  if (state.assumed !== undefined) checkAssumptions(plan, state.assumed);
  const world = makeWorld(plan, { clock: new Clock(), seed: "" });
  explained(() => beginState(world, state));
  const problem = problemOf(world) ?? readProblem(world);
  if (problem !== undefined) throw new ControlError(`The state: ${problem}`);
}

/** What the kernel refuses is a mistake of whoever wrote the state. */
function explained(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof MockFault || error instanceof RangeError)) throw error;
    throw new ControlError(`The state: ${error.message}`);
  }
}
