/** A tenant at a time that stands still, with users who are verified and have nothing yet. */
import { Clock } from "../../../scripts/mock/kernel/clock.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { Session } from "../../../scripts/mock/tenants/session.ts";

/** @param start milliseconds since the epoch. */
export function sessionWithVerified(users: readonly string[], plan: Plan, seed: string, start: number): Session {
  const clock = new Clock(() => start);
  clock.freeze();
  const session = new Session({ plan, seed, clock });
  const { world } = session;
  world.at(start, () => {
    for (const id of users) {
      const attributes = { externalUserId: id };
      const data = {
        userId: id,
        attributes,
        poaRequiredForExtended: false,
        documentNumber: null,
        attempts: 0,
        verifiedUntil: null,
        files: [],
      };
      world.move(world.create("user", { id, owner: id, data }), "verified", "verification");
    }
  });
  return session;
}
