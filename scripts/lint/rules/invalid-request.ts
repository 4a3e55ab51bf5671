import { isCode, type Operation, type Parameter, type Place, walkSchema } from "../../contract/index.ts";
import type { Check, Rule } from "../rule.ts";

export const invalidRequest: Rule = {
  name: "invalid-request",
  states:
    "Every request body, and every parameter that a request can get wrong, names in `x-invalid-request` the answer to an invalid one: a P-code or the status of an answer without a code, and one that the operation documents.",
  why: "The mock answers invalid requests by it, and must never give an answer that the operation does not have.",
  wrong: `
requestBody:
  required: true`,
  right: `
requestBody:
  required: true
  x-invalid-request: P403`,
  judge({ operations }, check) {
    for (const operation of operations) {
      const { label, requestBody, parameters } = operation;
      if (requestBody !== undefined) {
        checkPresence(check, requestBody.place, `The request body of ${label}`);
        for (const answer of answersNamed(requestBody.place)) checkAnswer(check, operation, answer, answer);
      }
      for (const parameter of parameters) {
        const { name, place } = parameter;
        if (canBeInvalid(parameter)) checkPresence(check, place, `The parameter ${name}`);
        for (const answer of answersNamed(place)) {
          // A shared parameter can suit one operation and not another: the finding names the operation that refers to it.
          checkAnswer(check, operation, answer, answer.file === place.file ? answer : place);
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

function checkAnswer(check: Check, { label, answers }: Operation, answer: Place, place: Place): void {
  const text = String(answer.value);
  const isDocumented = isCode(text)
    ? answers.some(({ codes }) => codes.includes(text))
    : answers.some(({ key, codes }) => key === text && codes.length === 0);
  check(
    isDocumented,
    place,
    `x-invalid-request names ${text}, which ${label} does not document`,
    "Name one of its codes, or the status of an answer without a code",
  );
}

/** The answers that x-invalid-request names: one, or one for each kind of mistake. */
function answersNamed(holder: Place): Place[] {
  const mark = holder.at("x-invalid-request");
  if (!mark.exists) return [];
  return typeof mark.value === "object" ? mark.entries().map(([, answer]) => answer) : [mark];
}

/** Whether a request can lack the parameter or give it a value that its schema refuses. A path always has a value. */
function canBeInvalid({ in: location, required, schema }: Parameter): boolean {
  return (required && location !== "path") || canRefuse(schema);
}

/** Whether a schema refuses any text that is not empty, as the values of parameters are. */
function canRefuse(schema: Place): boolean {
  let refuses = false;
  walkSchema(
    schema,
    ({ value }) => {
      refuses ||= Object.entries(value as object).some(([keyword, limit]) => {
        if (keyword === "type") return ![limit].flat().includes("string");
        if (keyword === "minLength") return limit > 1;
        return ["pattern", "format", "enum", "const", "maxLength", "not"].includes(keyword);
      });
    },
    { conditions: false },
  );
  return refuses;
}
