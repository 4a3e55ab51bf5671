/** What a rule of this project is. */
import type { Place } from "./place.ts";
import type { SourceContract } from "./source-contract.ts";
import type { Misfit } from "./strict-schemas.ts";

/**
 * States what must hold at a place. When it does not, the place becomes a finding. Calls are counted, so that a rule
 * that never looks at anything is noticed.
 */
export type Check = (holds: boolean, place: Place, problem: string, remedy: string) => void;

export interface Rule {
  name: string;
  judge(contract: SourceContract, check: Check): void;
}

/** States that a value fits a schema, given what does not. */
export function checkFits(check: Check, value: Place, misfits: Misfit[], subject: string, remedy: string): void {
  if (misfits.length === 0) check(true, value, subject, remedy);
  for (const { place, problem } of misfits) check(false, place, `${subject}: ${problem}`, remedy);
}
