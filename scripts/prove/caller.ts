import { type Answers, changesOfAnswers } from "../mock/answers/index.ts";
import { hasFailed, type Plan } from "../mock/plan/index.ts";
import type { CallOperation } from "./conditions.ts";

/** @param answers the answers that the mock runs: with some, an amount must be a number. */
export function callerOf(plan: Plan, url: string, key: string, answers: Answers = {}): CallOperation {
  const forms = changesOfAnswers(plan, answers).map(
    ([, world]) => (world as { amounts?: { form?: string } }).amounts?.form,
  );
  const isNumeric = forms.includes("numbers");
  return async (operationId, body) => {
    const operation = plan.operations.find((one) => one.operationId === operationId);
    if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
    const headers = { [operation.keyHeader ?? ""]: key, "content-type": "application/json" };
    const { method, path } = operation;
    const sent = isNumeric && "amount" in body ? { ...body, amount: Number(body.amount) } : body;
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(sent) });
    if (!response.ok) throw new Error(`${operationId}: ${response.status} ${await response.text()}`);
  };
}

/** The status of the created resource after a failure, such as UNSUCCESSFUL; undefined if the resource cannot fail. */
export function failureOf({ operations, resources, assumptions }: Plan, operationId: string): string | undefined {
  const created = operations.find((one) => one.operationId === operationId)?.creates ?? [];
  const ending = created.filter((name) => Object.hasOwn(assumptions.delays, name));
  const events = ending.flatMap((name) => Object.values(resources[name]?.externalEvents ?? {}));
  const ends = events.filter(({ moves }) => ending.includes(moves ?? ""));
  return ends.flatMap(({ moves, to }) => to.filter((value) => hasFailed({ resources }, moves ?? "", value)))[0];
}

/** The P-code with which the operation refuses a payer without the money; undefined if it does not check the funds. */
export function refusalOf({ operations }: Plan, operationId: string): string | undefined {
  const requires = operations.find((one) => one.operationId === operationId)?.requires ?? [];
  return requires.find(({ condition }) => condition === "fundsSuffice")?.code;
}

/** Whether the contract lets a client repeat a call of each of the operations. */
export function mayRepeatAll({ operations }: Plan, operationIds: readonly string[]): boolean {
  return operations.every(({ operationId, mayRepeat }) => mayRepeat || !operationIds.includes(operationId));
}
