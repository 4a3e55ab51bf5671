/** Begins a world with the contract's scenario, so that the identifiers of the documentation are found in it. */
import type { MockWorld } from "./behaviours/behaviour.ts";
import { unitsFields } from "./behaviours/records.ts";
import { MockFault } from "./kernel/changes.ts";
import { loadSnapshot } from "./kernel/snapshot.ts";
import type { PlanScenario } from "./plan/plan.ts";

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
