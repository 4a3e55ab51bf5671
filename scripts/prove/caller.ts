import { type Answers, changesOfAnswers } from "../mock/answers/index.ts";
import { hasFailed, type Plan } from "../mock/plan/index.ts";
import type { CallOperation } from "./conditions.ts";

/** @param answers the chosen answers of the world; with some of them, amounts must be numbers. */
export function callerOf(plan: Plan, url: string, key: string, answers: Answers = {}): CallOperation {
  const amountForms = changesOfAnswers(plan, answers).map(
    ([, changes]) => (changes as { amounts?: { form?: string } }).amounts?.form,
  );
  const isNumeric = amountForms.includes("numbers");
  return async (operationId, body) => {
    const operation = plan.operations.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
    const headers = { [operation.keyHeader ?? ""]: key, "content-type": "application/json" };
    const { method, path } = operation;
    const sentBody = isNumeric && "amount" in body ? { ...body, amount: Number(body.amount) } : body;
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(sentBody) });
    if (!response.ok) throw new Error(`${operationId}: ${response.status} ${await response.text()}`);
  };
}

/** Such as UNSUCCESSFUL; undefined if the operation creates no resource that can fail. */
export function failureStatusOf({ operations, resources, assumptions }: Plan, operationId: string): string | undefined {
  const createdResources = operations.find((operation) => operation.operationId === operationId)?.creates ?? [];
  const endingResources = createdResources.filter((name) => Object.hasOwn(assumptions.delays, name));
  const events = endingResources.flatMap((name) => Object.values(resources[name]?.externalEvents ?? {}));
  const endEvents = events.filter(({ moves }) => endingResources.includes(moves ?? ""));
  return endEvents.flatMap(({ moves, to }) => to.filter((value) => hasFailed({ resources }, moves ?? "", value)))[0];
}

/** Undefined if the operation does not check the funds. */
export function refusalCodeOf({ operations }: Plan, operationId: string): string | undefined {
  const requires = operations.find((operation) => operation.operationId === operationId)?.requires ?? [];
  return requires.find(({ condition }) => condition === "fundsSuffice")?.code;
}

/** `x-lookup` in the contract states whether a call may be repeated. */
export function mayRepeatAll({ operations }: Plan, operationIds: readonly string[]): boolean {
  return operations.every(({ operationId, mayRepeat }) => mayRepeat || !operationIds.includes(operationId));
}
