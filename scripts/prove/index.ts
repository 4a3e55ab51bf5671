import type { Plan } from "../mock/plan/index.ts";
import { inputLines, type Journey } from "./journey.ts";
import { onboarding } from "./journeys/onboarding.ts";
import { payouts } from "./journeys/payouts.ts";
import { treasury } from "./journeys/treasury.ts";
import type { ProveOptions } from "./options.ts";
import { proveCalls } from "./prove-calls.ts";
import { proveReceiver } from "./prove-receiver.ts";
import { receiverConditions } from "./receiver-conditions.ts";
import type { ProofReport } from "./report.ts";

export { conditionLine, conditionMeaning, type FormatRerun, reportJson, reportJunit, reportText } from "./formats.ts";
export type { ProveOptions } from "./options.ts";
export { ProveError } from "./processes.ts";
export { limitations, type ProofReport } from "./report.ts";

export interface ProofKind {
  readonly name: string;
  readonly text: string;
  readonly usage: string;
  readonly conditions: readonly { readonly name: string; readonly meaning: string; readonly hasDelay?: boolean }[];
  /** The lines of the input file; empty for a receiver. */
  readonly input: readonly string[];
  /** @throws {ProveError} when the program cannot be tested. */
  readonly prove: (plan: Plan, options: ProveOptions) => Promise<ProofReport>;
}

const kindOf = (journey: Journey): ProofKind => ({
  name: journey.name,
  text: journey.text,
  usage: `./${journey.name} {csv} {state}`,
  conditions: journey.conditions,
  input: inputLines(journey),
  prove: (plan, options) => proveCalls(plan, journey, options),
});

export const proofKinds: readonly ProofKind[] = [
  ...[payouts, treasury, onboarding].map(kindOf),
  {
    name: "receiver",
    text: "takes webhooks, and keeps a ledger of what users have",
    usage: "./receiver, which is run as `./receiver serve PORT STATE` and `./receiver ledger STATE`",
    conditions: receiverConditions,
    input: [],
    prove: proveReceiver,
  },
];
