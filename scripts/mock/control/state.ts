import type { MockWorld } from "../behaviours/behaviour.ts";
import { unitsFields, worldProblem } from "../behaviours/integrity.ts";
import { ControlError } from "../checks/error.ts";
import { validateInput } from "../checks/schema.ts";
import { Clock } from "../kernel/clock.ts";
import { loadSnapshot, snapshotOf } from "../kernel/snapshot.ts";
import { MockError } from "../kernel/transactions.ts";
import type { Snapshot } from "../plan/data.ts";
import type { Plan, PlanScenario } from "../plan/plan.ts";
import { makeWorld } from "../tenants/act.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { checkAssumptions } from "./assumptions.ts";
import { problemOfReads } from "./try-reads.ts";

const format = 2;

/** The state of a tenant. Amounts are minor units as decimal strings; times are milliseconds since 1970. */
export interface State extends Omit<Snapshot, "events"> {
  readonly format: number;
  readonly edition: string;
}

export function stateOf({ world }: Tenant, edition: string): State {
  const { events: _, ...snapshot } = snapshotOf(world);
  return { format, edition, ...snapshot };
}

export function restoreState(tenant: Tenant, state: State): void {
  assertLoadable(tenant.world.plan, state);
  tenant.restore((world) => loadState(world, state));
}

export function loadState(world: MockWorld, state: State): void {
  loadSnapshot(world, { ...structuredClone(state), events: [] }, unitsFields);
  world.clock.state = { ...state.clock };
}

/**
 * The clock starts at the last step of the scenario instead of today, because only the records of recent months can be read in the history.
 */
export function loadScenario(world: MockWorld, scenario: PlanScenario): void {
  if ("problem" in scenario) throw new MockError(scenario.problem);
  const { clock } = world;
  const { isFrozen } = clock;
  loadSnapshot(world, structuredClone(scenario), unitsFields);
  clock.freeze(scenario.clock.frozenAt ?? clock.now);
  if (!isFrozen) clock.run();
}

export function assertState(plan: Plan, state: State): void {
  validateInput(plan, "putState", state, "The state");
  assertLoadable(plan, state);
}

function assertLoadable(plan: Plan, state: State): void {
  if (state.assumed !== undefined) checkAssumptions(plan, state.assumed);
  const world = makeWorld(plan, { clock: new Clock(), seed: "" });
  try {
    loadState(world, state);
  } catch (error) {
    if (!(error instanceof MockError || error instanceof RangeError)) throw error;
    throw new ControlError(`The state: ${error.message}`);
  }
  const problem = worldProblem(world) ?? problemOfReads(world);
  if (problem !== undefined) throw new ControlError(`The state: ${problem}`);
}
