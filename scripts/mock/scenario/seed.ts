/** Brings a session to the state of the contract's story, so that the identifiers of the documentation are found in it. */

import type { Acted, Session } from "../tenants/session.ts";
import { Player } from "./player.ts";
import { type Scenario, type Step, Story } from "./story.ts";

/**
 * Tells the story in a session that is new. What happens by itself gives way to what the story tells. Afterwards the time is that of
 * the last step, and runs on from there unless the clock was frozen: the months of the story stay within the past twelve.
 *
 * @param scenario `scenario` of the plan.
 * @param onAnswer told of what the mock answers to each operation. The operations that change nothing are called for it only.
 * @throws {MockFault} when something in the story cannot be: it and the mock do not fit together then.
 */
export function seedScenario(session: Session, scenario: unknown, onAnswer?: (step: Step, acted: Acted) => void): void {
  const { clock, world } = session;
  const { isFrozen } = clock;
  const { timeline } = scenario as Scenario;
  const isLookup = ({ operation = "" }: Step) => /^(get|list|redirect)/.test(operation);
  const player = new Player(session, new Story(scenario as Scenario, world.plan));
  player.begin(Date.parse(timeline[0]?.at ?? ""));
  for (const [index, step] of timeline.entries()) {
    const acted = player.play(step, index, onAnswer !== undefined || !isLookup(step));
    if (acted !== undefined) onAnswer?.(step, acted);
  }
  player.end();
  if (!isFrozen) clock.run();
}

export type { Step };
