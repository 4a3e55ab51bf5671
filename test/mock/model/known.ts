import type { InProcessMock } from "../../../scripts/mock/host/mock.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { type Call, exampleCall, operationNamed, type Service, send } from "../codes/calls.ts";
import type { Action, Fields } from "./actions.ts";

export interface KnownValues {
  readonly ids: Map<string, string[]>;
  /** The values that an exchange must repeat from its lock, by the id of the lock. */
  readonly locks: Map<string, Fields>;
}

export function stepOf(plan: Plan, key: string, action: Action, knownValues: KnownValues): Step {
  if ("target" in action) return { control: action };
  const { operationId } = action;
  const resolvedValues = Object.fromEntries(
    Object.entries(action.values).map(([name, value]) => [name, resolveValue(value, knownValues)] as const),
  );
  const values = { ...knownValues.locks.get(String(resolvedValues.lockId)), ...resolvedValues };
  const call = exampleCall(operationNamed(plan, operationId), key, values);
  const { body } = call;
  if (body === undefined) return { call };
  return { call: { ...call, body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) } };
}

const unknownId = "0f8fad5b-d9cb-469f-a165-70867728950e";

function resolveValue(value: unknown, { ids }: KnownValues): unknown {
  const [, index, name = ""] = (typeof value === "string" && /^\$(\d+) (\w+)$/.exec(value)) || [];
  if (index === undefined) return value;
  const knownIds = ids.get(name) ?? [];
  // Newest first, so that shrinking a sequence leads to small indices.
  return knownIds.at(-1 - (Number(index) % Math.max(knownIds.length, 1))) ?? unknownId;
}

export function storeKnownValues(
  { step, status: responseStatus, text }: StepResponse,
  { ids, locks }: KnownValues,
): void {
  if (responseStatus >= 300 || text === "") return;
  const body = JSON.parse(text) as Record<string, unknown>;
  const add = (name: string, value: unknown) => {
    const knownIds = ids.get(name) ?? [];
    if (typeof value === "string" && !knownIds.includes(value)) ids.set(name, [...knownIds, value]);
  };
  if ("control" in step && body.resource === "cryptoDeposit") add("cryptoDepositId", body.id);
  for (const [name, value] of Object.entries(body)) if (/Id$/.test(name)) add(name, value);
  if ("call" in step && typeof body.lockId === "string" && body.amountFrom !== undefined) {
    const { externalUserId } = step.call.query;
    const { amountFrom: amount, currencyFrom, currencyTo } = body;
    const lockValues = { amount, currencyFrom, currencyTo };
    locks.set(body.lockId, externalUserId === undefined ? lockValues : { ...lockValues, externalUserId });
  }
}

export type Step = { readonly call: Call } | { readonly control: Extract<Action, { target: string }> };

export interface StepResponse {
  readonly step: Step;
  readonly status: number;
  readonly text: string;
}

type Caller = Service & Pick<InProcessMock, "apiKey">;

export async function sendStep(mock: Caller, step: Step): Promise<StepResponse> {
  const response = "call" in step ? await send(mock, step.call) : await sendControl(mock, step.control);
  return { step, status: response.status, text: await response.text() };
}

function sendControl(
  { fetch, baseUrl, apiKey }: Caller,
  { target, body }: Extract<Action, { target: string }>,
): Promise<Response> {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  return fetch(`${baseUrl}/__mock${target}`, { method: "POST", headers, body: JSON.stringify(body) });
}
