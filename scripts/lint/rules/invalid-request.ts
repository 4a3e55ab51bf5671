import type { Place } from "../place.ts";
import type { Check, Rule } from "../rule.ts";
import { codePattern, type SourceOperation } from "../source-contract.ts";
import { canRefuse } from "../walk-schema.ts";

/**
 * Every request body, and every parameter that a request can get wrong, says with `x-invalid-request` which answer is
 * given then; and that is an answer which the operation documents: one of its codes, or a status without a code.
 *
 * Why: the mock answers invalid requests by it, and must never give an answer that the operation does not have.
 */
export const invalidRequest: Rule = {
  name: "invalid-request",
  judge({ operations }, check) {
    for (const operation of operations) {
      const { requestBody } = operation;
      if (requestBody.exists) {
        checkPresence(check, requestBody, `The request body of ${operation.name}`);
        for (const answer of answersNamed(requestBody)) checkAnswer(check, operation, answer, answer);
      }
      for (const parameter of operation.parameters) {
        const { value: name } = parameter.at("name");
        if (canGoWrong(parameter)) checkPresence(check, parameter, `The parameter ${name}`);
        for (const answer of answersNamed(parameter)) {
          // A shared parameter is right for one operation and wrong for another: told is the one that refers to it.
          checkAnswer(check, operation, answer, answer.file === parameter.file ? answer : parameter);
        }
      }
    }
  },
};

function checkPresence(check: Check, holder: Place, subject: string): void {
  check(
    holder.at("x-invalid-request").exists,
    holder.target,
    `${subject} does not say how an invalid one is answered`,
    "Add x-invalid-request with a P-code or a status that the operation documents",
  );
}

function checkAnswer(check: Check, { name, answers }: SourceOperation, answer: Place, place: Place): void {
  const text = String(answer.value);
  const isDocumented = codePattern.test(text)
    ? answers.some(({ codes }) => codes.some(({ code }) => code === text))
    : answers.some(({ status, codes }) => status === text && codes.length === 0);
  check(
    isDocumented,
    place,
    `x-invalid-request names ${text}, which ${name} does not document`,
    "Name one of its codes, or the status of an answer without a code",
  );
}

/** The answers that x-invalid-request names: one, or one for each kind of mistake. */
function answersNamed(holder: Place): Place[] {
  const mark = holder.at("x-invalid-request");
  if (!mark.exists) return [];
  return typeof mark.value === "object" ? mark.entries().map(([, answer]) => answer) : [mark];
}

/** Whether a request can miss the parameter or give it a value that its schema refuses. A path always has a value. */
function canGoWrong(parameter: Place): boolean {
  const isMissable = parameter.at("in").value !== "path" && parameter.at("required").value === true;
  return isMissable || canRefuse(parameter.at("schema"));
}
