/** The plan of an edition, for tests: made from the sources as they stand, at most once in each process. */
import { type Edition, editions } from "../../../scripts/contract/index.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { makePlan } from "../../../scripts/plan/make-plan.ts";
import { readPlanRegisters } from "../../../scripts/plan/registers.ts";
import { documentOf, sources } from "../../support/contract.ts";

const plans = new Map<Edition, Promise<Plan>>();

/** The plan of an edition, with its compiled validators. Nobody may change what it holds. */
export function planOf(edition: Edition): Promise<Plan> {
  const plan = plans.get(edition) ?? compile(edition);
  plans.set(edition, plan);
  return plan;
}

async function compile(edition: Edition): Promise<Plan> {
  const documents = await Promise.all(editions.map(async (name) => [name, await documentOf(name)] as const));
  const others = Object.fromEntries(documents.filter(([name]) => name !== edition));
  const document = await documentOf(edition);
  const { code } = await makePlan({ edition, document, registers: readPlanRegisters(sources), others });
  const { plan } = (await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`)) as {
    plan: Plan;
  };
  return plan;
}
