/** `npx partner-wallet-api prove`: shows whether a partner's program pays once and loses no event. */
import type { Plan } from "../mock/plan/index.ts";
import { inputLines, type Journey } from "./journey.ts";
import { onboarding } from "./journeys/onboarding.ts";
import { payouts } from "./journeys/payouts.ts";
import { treasury } from "./journeys/treasury.ts";
import type { ProveOptions } from "./options.ts";
import { ProveError } from "./processes.ts";
import { proveCalls } from "./prove-calls.ts";
import { proveReceiver } from "./prove-receiver.ts";
import { receiverConditions } from "./receiver-conditions.ts";
import type { ProofReport } from "./report.ts";

export { conditionLine, reportJson, reportJunit, reportText } from "./formats.ts";
export type { ProveOptions } from "./options.ts";
export { ProveError } from "./processes.ts";
export { limitations, type ProofReport } from "./report.ts";

const ofCalls: readonly Journey[] = [payouts, treasury, onboarding];

const receiver = {
  name: "receiver",
  text: "takes webhooks, and keeps a ledger of what users have",
  call: "./receiver, which is run as `./receiver serve PORT STATE` and `./receiver ledger STATE`",
};

/** The kinds of programs that can be tested. */
export const journeys: readonly { readonly name: string; readonly text: string; readonly call: string }[] = [
  ...ofCalls.map(({ name, text }) => ({ name, text, call: `./${name} {csv} {state}` })),
  receiver,
];

/** The conditions of a kind of program, in the order of the runs. */
export function conditionsOf(name: string): readonly { readonly name: string; readonly meaning: string }[] {
  if (name === receiver.name) return receiverConditions;
  return ofCalls.find((one) => one.name === name)?.conditions ?? [];
}

/** The lines of the input file that a kind of program gets; none for a receiver. */
export function inputOf(name: string): readonly string[] {
  const journey = ofCalls.find((one) => one.name === name);
  return journey === undefined ? [] : inputLines(journey);
}

/**
 * Tests a program.
 *
 * @param name the kind of program, of {@link journeys}.
 * @throws {ProveError} when it cannot be run.
 */
export async function prove(plan: Plan, name: string, options: ProveOptions): Promise<ProofReport> {
  if (name === receiver.name) return proveReceiver(plan, options);
  const journey = ofCalls.find((one) => one.name === name);
  if (journey === undefined) throw new ProveError(`${name} cannot be proven.`);
  return proveCalls(plan, journey, options);
}
