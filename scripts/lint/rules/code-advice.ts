import type { Rule } from "../rule.ts";

export const codeAdvice: Rule = {
  name: "code-advice",
  states: "Every operation under `resolvedBy` of a P-code exists, and `resolution` names none of them.",
  why: "The docs and the client add the names of the operations under `resolvedBy`.",
  wrong: `
x-advice:
  resolution: Extend the user first, with Extend user.
  resolvedBy: [extendUser]`,
  right: `
x-advice:
  resolution: Extend the user first.
  resolvedBy: [extendUser]`,
  judge({ operations, model }, check) {
    for (const { code, resolvedBy, resolution, place } of model.errorCodes) {
      const advice = place.own("x-advice");
      for (const [index, operationId] of resolvedBy.entries()) {
        const entry = advice.at("resolvedBy", index);
        const operation = operations.find((candidate) => candidate.operationId === operationId);
        const remedy = "Give the operationId of an operation that removes the cause, or remove it";
        check(operation !== undefined, entry, `There is no operation ${operationId}`, remedy);
        if (operation === undefined) continue;
        const named = [operation.summary, operationId].find((name) => name !== "" && String(resolution).includes(name));
        check(
          named === undefined,
          advice.own("resolution"),
          `resolution of ${code} names ${named}, which resolvedBy lists`,
          "Say what to do without the name; the docs and the client add it",
        );
      }
    }
  },
};
