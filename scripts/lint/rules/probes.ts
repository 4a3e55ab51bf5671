import { type Operation, propertiesOf, type SourceLocation } from "../../contract/model/index.ts";
import type { Check, Judge } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

export const probeRules: Record<string, Judge> = {
  "probe-resolves"(contract, check) {
    const { probes, openQuestions } = contract.files;
    for (const [, locations] of probes.child("values").entries()) {
      for (const location of locations.items()) {
        judgePointer(operationsAt(contract, location.child("operation"), check), location.child("at"), check);
      }
    }
    for (const [operationId, namedValues] of probes.child("names").entries()) {
      const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
      check(operation !== undefined, namedValues, `There is no operation ${operationId}`);
      for (const [name, value] of namedValues.entries()) {
        check(operation === undefined || hasInput(operation, name), value, `${operationId} does not take ${name}`);
        check(probes.child("values").child(String(value.value)).exists, value, `There is no value ${value.value}`);
      }
    }
    for (const [id, list] of probes.child("questions").entries()) {
      const question = openQuestions.child(id);
      check(question.exists, list, `There is no open question ${id}`);
      for (const probe of list.items()) {
        const operations = operationsAt(contract, probe.child("operation"), check);
        const calledOperations = [...operationsAt(contract, probe.child("before"), check), ...operations];
        for (const [operationId, undoOperation] of probe.child("undo").entries()) {
          const isCalled = calledOperations.some((operation) => operation.operationId === operationId);
          check(isCalled, undoOperation, `The probe does not call ${operationId}`);
          operationsAt(contract, undoOperation, check);
        }
        for (const [name, value] of probe.child("input").entries()) {
          check(
            operations.some((operation) => hasInput(operation, name)),
            value,
            `No operation of the probe takes ${name}`,
          );
        }
        for (const outcome of probe.child("outcomes").items()) judgeOutcome(outcome, { question, operations }, check);
      }
    }
  },
};

function judgeOutcome(
  outcome: SourceLocation,
  { question, operations }: { question: SourceLocation; operations: Operation[] },
  check: Check,
): void {
  const answer = outcome.child("answer");
  const answers = question
    .child("change")
    .entries()
    .map(([name]) => name);
  const isAssumed = answer.value === "assumed";
  const remedy = `Name assumed, or one of: ${answers.join("; ")}`;
  check(
    isAssumed || !question.exists || answers.includes(String(answer.value)),
    answer,
    `The question has no answer ${answer.value}`,
    remedy,
  );
  const pointers = ["every", "some"].flatMap((key) => outcome.child(key).entries());
  for (const [pointer, location] of pointers) judgePointer(operations, location, check, pointer, !isAssumed);
  const sortedPointer = outcome.child("sorted");
  if (sortedPointer.exists) judgePointer(operations, sortedPointer, check);
}

function operationsAt({ operations }: SourceContract, location: SourceLocation, check: Check): Operation[] {
  const references = Array.isArray(location.value) ? location.items() : location.exists ? [location] : [];
  return references.flatMap((reference) => {
    const matches = operations.filter(({ operationId }) => operationId === reference.value);
    check(matches.length > 0, reference, `There is no operation ${reference.value}`);
    return matches;
  });
}

function hasInput({ parameters, requestBody }: Operation, name: string): boolean {
  const bodies = requestBody?.bodies ?? [];
  return (
    parameters.some((parameter) => parameter.name === name) ||
    bodies.some(({ schema }) => propertiesOf(schema).has(name))
  );
}

/**
 * @param mayBeUndocumented whether the contract may lack the last field of `pointer`, because the probe looks for an undocumented field.
 */
function judgePointer(
  operations: Operation[],
  location: SourceLocation,
  check: Check,
  pointer = String(location.value),
  mayBeUndocumented = false,
): void {
  if (operations.length === 0) return;
  const names = pointer.split("/").slice(1, mayBeUndocumented ? -1 : undefined);
  const bodies = operations.flatMap(({ responses }) =>
    responses.flatMap((response) => response.bodies.map(({ schema }) => schema)),
  );
  const schemas = names.reduce(schemasBelow, bodies);
  check(schemas.length > 0, location, `No response of the probe's operation has a field ${pointer}`);
}

function schemasBelow(schemas: SourceLocation[], name: string): SourceLocation[] {
  return schemas.flatMap((schema) => {
    const itemSchemas =
      name === "*" || /^\d+$/.test(name) ? ["items", "additionalProperties"].map((keyword) => schema.at(keyword)) : [];
    const property = propertiesOf(schema).get(name);
    return [...itemSchemas.filter(({ exists }) => exists), ...(property === undefined ? [] : [property])];
  });
}
