/** Answers that say nothing of a single operation: those of every one, and failures of the service itself. */
import type { Answer, Contract } from "../../contract/index.ts";

/** Operations of at least this part of the areas with P-codes answer a general code. */
const generalShare = 0.5;

const known = new WeakMap<Contract, Set<string>>();

/** The P-codes that the service has to act on, whatever was asked: operations of most areas answer them. */
export function generalCodes(contract: Contract): Set<string> {
  const found = known.get(contract);
  if (found !== undefined) return found;
  const areas = new Map<string, Set<string>>();
  const withCodes = new Set<string>();
  for (const { tag, answers } of contract.operations) {
    for (const code of answers.flatMap(({ codes }) => codes)) {
      withCodes.add(tag);
      areas.set(code, (areas.get(code) ?? new Set()).add(tag));
    }
  }
  const isGeneral = (code: string) => (areas.get(code)?.size ?? 0) >= withCodes.size * generalShare;
  const general = contract.errorCodes.filter(({ actor, code }) => actor === "service" && isGeneral(code));
  const codes = new Set(general.map(({ code }) => code));
  known.set(contract, codes);
  return codes;
}

/** Whether every operation has this very response. */
export function isAnswerOfAll(answer: Answer, { operations }: Contract): boolean {
  const { id } = answer.place.target;
  return (
    operations.length > 1 && operations.every(({ answers }) => answers.some(({ place }) => place.target.id === id))
  );
}
