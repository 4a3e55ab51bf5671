import { exceptionsKey } from "../judge.ts";
import type { Rule } from "../rule.ts";

export const exceptionUsed: Rule = {
  name: "exception-used",
  states: "Every exception (`x-lint-exceptions`) covers a problem that its rule would report without it.",
  why: "An exception that is no longer needed hides the next mistake in the same place.",
  wrong: `
get:
  operationId: getKycStatus
  x-lint-exceptions:
    operation-name: The service uses this name for the operation.`,
  right: `
get:
  operationId: getKycStatus`,
  judge(contract, check, unusedExceptions) {
    const unused = new Set(unusedExceptions().map(({ place }) => place.id));
    for (const { place } of contract.marksOf(exceptionsKey)) {
      for (const [rule, reason] of place.entries()) {
        check(
          !unused.has(reason.id),
          reason,
          `The exception from ${rule} covers no problem`,
          "Remove it; name a rule of this project (npm run lint -- --explain lists them) and put it on the object concerned",
        );
      }
    }
  },
};
