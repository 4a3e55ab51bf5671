/** What the client makes of the responses of a world. */
import type { Answers } from "../../../scripts/mock/answers/choice.ts";
import { createMock } from "../../../scripts/mock/host/mock.ts";
import type { PlanOperation } from "../../../scripts/mock/plan/plan.ts";
import { type AnyCall, type AnyResult, makeClient } from "../../support/clients.ts";
import { plan } from "../../support/plan.ts";
import { type Fixture, fixtureKey, makeFixture, successOf } from "../codes/fixture.ts";

export interface ClientCall {
  readonly operationId: string;
  readonly status: number;
  readonly result: AnyResult | { readonly rejected: unknown };
  /** How the body breaks the contract's schema; undefined for a status without a schema. */
  readonly broken: readonly { readonly keyword: string; readonly place: string }[] | undefined;
  readonly isTold: boolean;
}

/** A world in which the calls that make a fixture are refused has that of the assumed answers. */
export function fixtureIn(answers: Answers): Promise<Fixture> {
  return makeFixture(plan, { answers }).catch(() => makeFixture(plan));
}

export async function callAll(answers: Answers): Promise<ClientCall[]> {
  const fixture = await fixtureIn(answers);
  const mock = createMock(plan, { clock: "2026-04-01T07:00:00Z", edition: "test", key: fixtureKey, answers });
  const calls: ClientCall[] = [];
  let isChanged = true;
  for (const operation of plan.operations) {
    if (isChanged) mock.restore(fixture.state);
    isChanged = operation.method !== "GET";
    const seen = { status: 0, text: "" };
    const told: string[] = [];
    const recording: typeof fetch = async (input, init) => {
      const response = await mock.fetch(input as string, init);
      Object.assign(seen, { status: response.status, text: await response.clone().text() });
      return response;
    };
    const onDeviation = ({ rule }: { rule: string }) => void told.push(rule);
    const client = makeClient("test", { ...mock.clientOptions, fetch: recording, onDeviation });
    const { path, query, body } = successOf(fixture, operation.operationId);
    const call = client[operation.operationId] as AnyCall;
    const result = await call({ path, query, body }).catch((rejected: unknown) => ({ rejected }));
    // The client compares a body with its schema after it has returned the result.
    await new Promise((resolve) => setTimeout(resolve));
    const { operationId } = operation;
    calls.push({
      operationId,
      status: seen.status,
      result,
      broken: brokenBy(operation, seen),
      isTold: told.length > 0,
    });
  }
  mock.close();
  return calls;
}

/** A success with another status than the documented one has the body of the documented one. */
function brokenBy({ responseValidators }: PlanOperation, { status, text }: { status: number; text: string }) {
  const isSuccess = status < 300;
  const own = Object.entries(responseValidators).find(([key]) => key === `${status} application/json`);
  const alike = Object.entries(responseValidators).find(([key]) => isSuccess && /^2\d\d application\/json$/.test(key));
  const [, validator] = own ?? alike ?? [];
  if (validator === undefined) return undefined;
  const body: unknown = JSON.parse(text);
  const errors = validator(body) ? [] : (validator.errors ?? []);
  return errors.map(({ keyword, instancePath }) => ({ keyword, place: instancePath }));
}

/** Whether a success holds what its type promises: the required fields, and values of the right JSON types. */
export function holdsItsType({ broken }: ClientCall): boolean {
  // A value that breaks a pattern in one of several forms breaks the others by its type.
  const isOfForm = (place: string) =>
    broken?.some((error) => error.place === place && !["type", "oneOf", "anyOf"].includes(error.keyword)) === true;
  return (
    broken?.every(({ keyword, place }) => keyword !== "required" && (keyword !== "type" || isOfForm(place))) ?? true
  );
}
