import { canBeInvalid, documented, type Operation, type Place } from "../../contract/index.ts";
import type { Check, Rule } from "../rule.ts";

export const invalidRequest: Rule = {
  name: "invalid-request",
  states:
    "For every request body, and every parameter that a request can get wrong, the operation documents an answer to an invalid one: `code` of `invalidRequests` in mock.yaml, the code of a condition, 404 without a code, or what `operations` there says. Each entry there names an operation, its parameters, and answers that it documents.",
  why: "The mock answers invalid requests by it, and must never give an answer that the operation does not have.",
  wrong: `
# addKycFiles does not document P403
invalidRequests:
  code: P403
  operations: {}`,
  right: `
# addKycFiles does not document P403
invalidRequests:
  code: P403
  operations:
    addKycFiles: { body: { otherwise: P439 } }`,
  judge({ operations, mock }, check) {
    const entries = mock.own("invalidRequests", "operations");
    for (const operation of operations) {
      const { label, requestBody, parameters } = operation;
      const answer = requestBody?.invalidRequest;
      const otherwise = typeof answer === "object" ? answer.otherwise : answer;
      if (requestBody !== undefined) checkPresence(check, otherwise, requestBody.place, `body of ${label}`);
      for (const parameter of parameters.filter(canBeInvalid)) {
        checkPresence(check, parameter.invalidRequest, parameter.place, `parameter ${parameter.name} of ${label}`);
      }
    }
    for (const [operationId, entry] of entries.entries()) {
      const operation = operations.find((candidate) => candidate.operationId === operationId);
      const remedy = "Correct the operationId, or remove the entry";
      check(operation !== undefined, entry, `There is no operation ${operationId}`, remedy);
      if (operation !== undefined) judgeEntry(operation, entry, check);
    }
  },
};

function checkPresence(check: Check, answer: string | undefined, place: Place, subject: string): void {
  check(
    answer !== undefined,
    place,
    `Nothing says how an invalid ${subject} is answered`,
    "Add the operation to invalidRequests in openapi/mock.yaml, with a P-code or a status that it documents",
  );
}

function judgeEntry({ label, requestBody, parameters, answers }: Operation, entry: Place, check: Check): void {
  const body = entry.own("body");
  check(!body.exists || requestBody !== undefined, body, `${label} has no request body`, "Remove the entry");
  const named = entry.own("parameters").entries();
  for (const [name, place] of named) {
    const parameter = parameters.find((candidate) => candidate.name === name);
    const canBe = parameter !== undefined && canBeInvalid(parameter);
    check(canBe, place, `${label} has no parameter ${name} that can be invalid`, "Remove the entry");
  }
  for (const [, place] of [...body.entries(), ...named]) {
    const answer = String(place.value);
    const problem = `${label} does not document ${answer}`;
    check(
      documented(answers, answer) !== undefined,
      place,
      problem,
      "Name one of its codes, or the status of an answer without a code",
    );
  }
}
