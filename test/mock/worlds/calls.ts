/** Calls every operation in a world, and checks how the client reads the responses. */
import type { Answers } from "../../../scripts/mock/answers/choice.ts";
import { createMock } from "../../../scripts/mock/host/mock.ts";
import type { PlanOperation } from "../../../scripts/mock/plan/plan.ts";
import { type AnyCall, type AnyResult, makeClient } from "../../support/clients.ts";
import { plan } from "../../support/plan.ts";
import { type Call, withValues } from "../codes/calls.ts";
import { type Fixture, fixtureKey, makeFixture, successOf } from "../codes/fixture.ts";

export interface ClientCall {
  readonly operationId: string;
  /** `refusal`: the identifiers in the call are unknown. A call without identifiers nevertheless succeeds. */
  readonly expectedOutcome: "success" | "refusal";
  readonly status: number;
  readonly result: AnyResult | { readonly rejected: unknown };
  /** The violations of the contract's schema by the body; undefined for a status without a schema. */
  readonly violations: readonly { readonly keyword: string; readonly place: string }[] | undefined;
  readonly isDeviationReported: boolean;
}

/** The fixture with `answers` or, if a call of the fixture fails with them, with the assumed answers. */
export function makeFixtureIn(answers: Answers): Promise<Fixture> {
  return makeFixture(plan, { answers }).catch(() => makeFixture(plan));
}

const unknownId = "2f1c8a1e-7a64-4a53-9d0c-5d3e6b0f9a11";
const withUnknownIds = (call: Call): Call =>
  withValues(
    call,
    Object.fromEntries(
      Object.keys({ ...call.path, ...call.query, ...call.body }).flatMap((name) =>
        /Id$/.test(name) ? [[name, /User/.test(name) ? "nobody" : unknownId]] : [],
      ),
    ),
  );

/** Calls every operation twice: first with unknown identifiers instead of those in the example, and then with valid values. */
export async function callAll(answers: Answers): Promise<ClientCall[]> {
  const fixture = await makeFixtureIn(answers);
  const mock = createMock(plan, {
    clock: "2026-04-01T07:00:00Z",
    edition: "test",
    key: fixtureKey,
    answers,
    state: fixture.state,
  });
  const lastResponse = { status: 0, text: "" };
  const recordingFetch: typeof fetch = async (input, init) => {
    const response = await mock.fetch(input as string, init);
    Object.assign(lastResponse, { status: response.status, text: await response.clone().text() });
    return response;
  };
  const reportedRules: string[] = [];
  const onDeviation = ({ rule }: { rule: string }) => void reportedRules.push(rule);
  const client = makeClient("test", { ...mock.clientOptions, fetch: recordingFetch, onDeviation });
  const calls: ClientCall[] = [];
  let isChanged = true;
  const make = async (
    operation: PlanOperation,
    { path, query, body }: Call,
    expectedOutcome: ClientCall["expectedOutcome"],
  ) => {
    Object.assign(lastResponse, { status: 0, text: "" });
    const result = await (client[operation.operationId] as AnyCall)({ path, query, body }).catch(
      (rejected: unknown) => ({ rejected }),
    );
    const { operationId } = operation;
    calls.push({
      operationId,
      expectedOutcome,
      status: lastResponse.status,
      result,
      violations: violationsIn(operation, lastResponse),
      isDeviationReported: reportedRules.splice(0).length > 0,
    });
  };
  for (const operation of plan.operations) {
    const call = successOf(fixture, operation.operationId);
    if (isChanged) mock.reset();
    isChanged = operation.method !== "GET";
    // The call with unknown identifiers comes first, because a refused call changes nothing.
    await make(operation, withUnknownIds(call), "refusal");
    if ((calls.at(-1)?.status ?? 0) < 300) mock.reset();
    await make(operation, call, "success");
  }
  mock.close();
  return calls;
}

/** Validates the body. A success with an undocumented status is compared with the schema of the documented success. */
function violationsIn({ responseValidators }: PlanOperation, { status, text }: { status: number; text: string }) {
  const isSuccess = status < 300;
  const entryOfStatus = Object.entries(responseValidators).find(([key]) => key === `${status} application/json`);
  const entryOfOtherSuccess = Object.entries(responseValidators).find(
    ([key]) => isSuccess && /^2\d\d application\/json$/.test(key),
  );
  const [, validator] = entryOfStatus ?? entryOfOtherSuccess ?? [];
  if (validator === undefined) return undefined;
  const body: unknown = JSON.parse(text);
  const errors = validator(body) ? [] : (validator.errors ?? []);
  return errors.map(({ keyword, instancePath }) => ({ keyword, place: instancePath }));
}

export function problemsOf(calls: readonly ClientCall[]): string[] {
  return calls.flatMap((call) => {
    const { operationId, status, result, violations, isDeviationReported } = call;
    if ("rejected" in result) return [`${operationId} rejects`];
    const isSuccess = status >= 200 && status < 300;
    const { error } = result;
    if (isSuccess && matchesType(call) && error !== undefined) return [`${operationId}: a success is an error`];
    if (isSuccess && !matchesType(call) && error?.outcome !== "unknown") return [`${operationId}: not unknown`];
    if (status === 404 && error?.outcome !== "refused") return [`${operationId}: 404 is no refusal`];
    if (violations !== undefined && violations.length > 0 && !isDeviationReported)
      return [`${operationId}: a deviation is not told`];
    return [];
  });
}

/** Whether the body of a success matches its type: it has the required fields, and values of the right JSON types. */
function matchesType({ violations }: ClientCall): boolean {
  // If a value violates the pattern of one alternative, it also violates the types of the other alternatives. Such type errors do not
  // count.
  const isOfForm = (place: string) =>
    violations?.some((error) => error.place === place && !["type", "oneOf", "anyOf"].includes(error.keyword)) === true;
  return (
    violations?.every(({ keyword, place }) => keyword !== "required" && (keyword !== "type" || isOfForm(place))) ?? true
  );
}
