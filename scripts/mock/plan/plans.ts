/** The plans that are published with the mock, one for each edition. */
import type { Plan } from "./plan.ts";

/** The editions of the contract that there is a plan of. */
export type Edition = "latest" | "test";

/**
 * Loads the plan of an edition.
 *
 * @throws when the build has not made it.
 */
export async function loadPublishedPlan(edition: Edition): Promise<Plan> {
  // Literals, which the build of the package replaces by what it publishes.
  const { plan } = await (edition === "test"
    ? import("../../../generated/mock/test.js")
    : import("../../../generated/mock/latest.js"));
  return plan;
}
