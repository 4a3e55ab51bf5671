import { type Contract, nameFinder } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";

export const codeAdvice: Rule = {
  name: "code-advice",
  states:
    "Every operation under `resolvedBy` of a P-code exists, and `resolution` names none of them. Neither `resolution` nor `onCall` names an operation, by its name or operationId, that an edition with the code does not have.",
  why: "A reader who is told to call an operation must find it in the same edition. The bundle leaves out of `resolvedBy` what an edition does not have; a text stays as it is.",
  wrong: `
x-error:
  resolution: Extend the user first, with Extend user.`,
  right: `
x-error:
  resolution: Extend the user first.
  resolvedBy: [extendUser]`,
  judge({ model }, check) {
    const absent = namesOnlyInTest(model);
    const namesOf = new Map(model.operations.map(({ operationId, summary }) => [operationId, [operationId, summary]]));
    const namesIn = nameFinder(
      [...model.operations, ...model.webhooks].flatMap(({ name, summary }) => [name, summary]),
    );
    for (const { code, resolvedBy, provenance, place } of model.errorCodes) {
      const error = place.own("x-error");
      for (const [index, operationId] of resolvedBy.entries()) {
        const entry = error.at("resolvedBy", index);
        const remedy = "Give the operationId of an operation that removes the cause, or remove it";
        check(namesOf.has(operationId), entry, `There is no operation ${operationId}`, remedy);
      }
      for (const key of ["resolution", "onCall"]) {
        const text = error.own(key);
        const names = typeof text.value === "string" ? namesIn(text.value) : [];
        const isLeftOut = (name: string) => provenance !== "proposed" && absent.has(name);
        const missing = names.find(isLeftOut);
        check(
          missing === undefined,
          text,
          `${key} of ${code} names ${missing}, which the edition latest does not have`,
          "Say what to do without the name, and list the operation under resolvedBy if it removes the cause",
        );
        if (key === "onCall") continue;
        const listed = resolvedBy.flatMap((operationId) => namesOf.get(operationId) ?? []);
        const twice = names.find((name) => listed.includes(name) && !isLeftOut(name));
        check(
          twice === undefined,
          text,
          `${key} of ${code} names ${twice}, which resolvedBy lists`,
          "Say what to do without the name; the docs and the client add it",
        );
      }
    }
  },
};

/** The names of operations that the edition latest does not have, unless something that it has bears the same name. */
function namesOnlyInTest({ operations, webhooks }: Contract): Set<string> {
  const isOnlyInTest = ({ provenance }: { provenance: string | undefined }) =>
    provenance === undefined || provenance === "proposed";
  const named = (subjects: { name: string; summary: string }[]) =>
    subjects.flatMap(({ name, summary }) => [name, summary]);
  const present = new Set(named([...operations.filter((operation) => !isOnlyInTest(operation)), ...webhooks]));
  return new Set(named(operations.filter(isOnlyInTest)).filter((name) => !present.has(name)));
}
