import { codeProperty, codeRefsOf, isCode, type SourceLocation } from "../../contract/model/index.ts";
import { violationsOf } from "../../contract/sources/index.ts";
import type { Check, Judge } from "../rule.ts";
import { readSchema } from "../validation.ts";
import { expressionProblem } from "./machine-data.ts";

const codeSchema = (readSchema("errors") as { $defs: { error: object } }).$defs.error;

export const codeRules: Record<string, Judge> = {
  "code-advice"({ operations, errorCodes }, check) {
    for (const { code, resolvedBy, resolution, location } of errorCodes) {
      const advice = location.child("x-advice");
      for (const [index, operationId] of resolvedBy.entries()) {
        const operation = operations.find((candidate) => candidate.operationId === operationId);
        const remedy = "Give the operationId of an operation that removes the cause, or remove it";
        const entry = advice.at("resolvedBy", index);
        check(operation !== undefined, entry, `There is no operation ${operationId}`, remedy);
        if (operation === undefined) continue;
        const nameInText = [operation.summary, operationId].find(
          (name) => name !== "" && String(resolution).includes(name),
        );
        check(
          nameInText === undefined,
          advice.child("resolution"),
          `resolution of ${code} names ${nameInText}, which resolvedBy lists`,
          "Describe the action without the name; the docs and the client append it",
        );
      }
    }
  },

  "code-examples"({ catalogue, nodes }, check) {
    for (const file of catalogue.filter(({ name }) => isCode(name))) {
      for (const example of file.child("examples").items()) judgeExampleCode(file.name, example, check);
    }
    for (const media of nodes("MediaType")) {
      const refs = codeRefsOf(media.at("schema"));
      for (const [name, example] of media.at("examples").entries()) {
        if (!isCode(name)) continue;
        const ref = refs.find(({ code }) => code === name);
        const problem = `The response has an example for ${name}, but does not list this code`;
        check(ref !== undefined, example, problem, `Remove the example, or add ${name} to the oneOf`);
        if (ref === undefined) continue;
        judgeExampleCode(name, example.at("value"), check);
        const [generalExample] = ref.location.at("examples").items();
        const message = example.at("value", "errorMessage");
        check(
          generalExample === undefined || message.value !== generalExample.child("errorMessage").value,
          message,
          `The example ${name} has the same message as the example in errors.yaml`,
          "Remove the example: the bundle adds the one of errors.yaml",
        );
      }
    }
  },

  "code-form"({ catalogue }, check) {
    for (const entry of catalogue) {
      const violations = violationsOf(codeSchema, entry);
      const remedy = "Follow the other entries of errors.yaml";
      check.violations(violations, entry, "The entry does not have the form of a P-code", remedy);
      if (violations.length > 0) continue;
      const code = entry.name;
      check(isCode(code), entry, `${code} is not a P-code`, "Use the code as the name: P and three digits");
      if (!isCode(code)) continue;
      const constant = entry.at("properties", codeProperty, "const");
      const problem = `The entry is named ${code}, but its constant is ${constant.value}`;
      check(constant.value === code, constant, problem, "Use the same code in both");
    }
  },

  "code-mapping"({ nodes }, check) {
    for (const media of nodes("MediaType")) {
      const schema = media.at("schema").target;
      const refs = codeRefsOf(schema);
      if (refs.length === 0) continue;
      const discriminator = schema.child("discriminator");
      const remedy = "Remove it: the bundle adds it, with the mapping of all codes";
      check(!discriminator.exists, discriminator, "This list of P-codes has a discriminator", remedy);
      const codes = refs.map(({ code }) => code);
      for (const [index, { code, location }] of refs.entries()) {
        const isFirst = codes.indexOf(code) === index;
        check(isFirst, location, `${code} is listed twice in this response`, "Remove one of the two");
      }
    }
  },

  "code-status"({ operations }, check) {
    for (const { label, responses } of operations) {
      for (const { key, codeRefs } of responses) {
        for (const { code, location } of codeRefs) {
          const statedStatus = location.at("x-error", "status").value;
          check(
            String(statedStatus) === key,
            location,
            `${code} has the status ${statedStatus} but is in the ${key} response of ${label}`,
            `Move it to the ${statedStatus} response, or correct x-error.status in errors.yaml`,
          );
        }
      }
    }
  },

  "code-used"({ operations, catalogue }, check) {
    const usedCodes = new Set(operations.flatMap(({ responses }) => responses.flatMap(({ codes }) => codes)));
    for (const location of catalogue.filter(({ name }) => isCode(name))) {
      check(usedCodes.has(location.name), location, `No operation returns ${location.name}`);
    }
  },

  "requires-codes"({ operations, files }, check) {
    const conditions = files.extensions.at("x-requires", "conditions").entries();
    const conditionNames = conditions.map(([condition]) => condition);
    for (const operation of operations) {
      const { label, location, requires, responses } = operation;
      const refs = responses.flatMap(({ codeRefs }) => codeRefs);
      for (const { condition, expressions, code, location: mark } of requires) {
        const remedy = `Name one of ${conditionNames.join(", ")}, or declare it in openapi/extensions.yaml`;
        check(conditionNames.includes(condition), mark, `There is no condition ${condition}`, remedy);
        check(
          code === undefined || refs.some((ref) => ref.code === code),
          mark,
          `${label} requires ${condition} but does not list ${code}`,
          `Add ${code} to its responses, or remove ${condition}`,
        );
        for (const expression of expressions) {
          check.problem(
            expressionProblem(operation, expression),
            mark,
            "Use an expression for the user, card or amount that the condition concerns",
          );
        }
      }
      const mark = location.child("x-requires");
      for (const [condition, entry] of conditions) {
        const code = entry.child("code").value;
        if (entry.child("shared").exists || !refs.some((ref) => ref.code === code)) continue;
        check(
          requires.some((requirement) => requirement.condition === condition),
          mark.exists ? mark : location,
          `${label} lists ${code} but does not require ${condition}`,
          `Add ${condition} to x-requires, or remove ${code} from its responses`,
        );
      }
    }
  },
};

function judgeExampleCode(code: string, example: SourceLocation, check: Check): void {
  const exampleCode = example.child(codeProperty);
  const problem = `The example of ${code} has the code ${exampleCode.value}`;
  check(exampleCode.value === code, exampleCode, problem, `Write ${code}, or move the example`);
}
