/** Shared by the tests of the mock: a running mock, valid requests made from the contract, and checks of answers. */
import { expect } from "vitest";
import {
  type Body,
  type Contract,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  readContract,
} from "../../scripts/contract/index.ts";
import { createMock, type InProcessMock, type ReplaceableMock, startMock } from "../../scripts/mock/mock.ts";
import type { RequestEntry } from "../../scripts/mock/server/server.ts";
import { loadPlan, readPlanRegisters } from "../../scripts/plan/index.ts";
import { planOf } from "../../scripts/plan/make-plan.ts";
import { copyOf, sources } from "../support/contract.ts";
import { dereference, violations } from "../support/schema.ts";

export interface TestMock extends ReplaceableMock {
  /** The contract without references in its schemas. */
  contract: Contract;
  /** Every request that was answered so far. */
  entries: RequestEntry[];
}

/** The whole contract, without references in its schemas. */
async function testContract(): Promise<Contract> {
  return readContract(dereference(await copyOf("test")), sources.registers());
}

/** The mock of the whole contract, or of a changed one, without state and without a port. */
export async function makeTestMock(document?: OpenApiDocument) {
  const plan = document === undefined ? await loadPlan() : planOf({ document, registers: readPlanRegisters(sources) });
  const { fetch, baseUrl, depositBaseUrl }: InProcessMock = createMock(plan, { edition: "test", stateless: true });
  return { fetch, url: baseUrl, depositUrl: depositBaseUrl, contract: await testContract() };
}

/** Starts the mock of the whole contract without state, on free ports. */
export async function startTestMock(): Promise<TestMock> {
  const entries: RequestEntry[] = [];
  const mock = await startMock(await loadPlan(), {
    ...{ edition: "test", stateless: true },
    onRequest: (entry) => entries.push(entry),
  });
  return Object.assign(mock, { contract: await testContract(), entries });
}

/** The operation with this id. */
export function operationOf({ contract }: Pick<TestMock, "contract">, operationId: string): Operation {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
  return operation;
}

/** Values by name that replace the example of a parameter; undefined leaves the parameter out. */
type ParameterValues = Record<string, string | undefined>;

/** The URL of an operation, its parameters taken from their examples. */
export function urlOf(
  mock: Pick<TestMock, "url" | "depositUrl">,
  operation: Operation,
  values: ParameterValues = {},
): string {
  const textOf = (parameter: Parameter): string | undefined =>
    parameter.name in values ? values[parameter.name] : String(parameter.example);
  const path = operation.parameters
    .filter((parameter) => parameter.in === "path")
    .reduce(
      (text, parameter) => text.replace(`{${parameter.name}}`, encodeURIComponent(textOf(parameter) ?? "")),
      operation.path,
    );
  const query = new URLSearchParams(
    operation.parameters.flatMap((parameter) => {
      const value = parameter.in === "query" ? textOf(parameter) : undefined;
      return value === undefined ? [] : [[parameter.name, value]];
    }),
  );
  const address = operation.address === "base_url" ? mock.url : mock.depositUrl;
  return `${address}${path}${query.size === 0 ? "" : `?${query}`}`;
}

export const key: Record<string, string> = { "x-api-key": "a-key" };

/** What `fetch` needs for a valid call: the method, a key and the first example of the body. */
export function validInit(operation: Operation): RequestInit & { headers: Record<string, string> } {
  const init = { method: operation.method.toUpperCase(), headers: { ...key } };
  const body = operation.requestBody?.bodies[0];
  if (body === undefined) return init;
  const example = body.examples[0]?.value;
  if (body.mediaType.startsWith("multipart/")) return { ...init, body: toForm(example as Record<string, unknown>) };
  return withJson(init, example);
}

/** The call with this JSON body. */
export function withJson<Init extends RequestInit & { headers: Record<string, string> }>(
  init: Init,
  value: unknown,
): Init & { body: string } {
  return { ...init, headers: { ...init.headers, "content-type": "application/json" }, body: JSON.stringify(value) };
}

function toForm(example: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(example)) {
    for (const text of [value].flat()) form.append(name, new File([String(text)], "a.png", { type: "image/png" }));
  }
  return form;
}

/** Checks that an answer is one of those that the contract documents for the operation, and returns its body. */
export async function expectDocumented(operation: Operation, response: Response): Promise<unknown> {
  const text = await response.text();
  const what = `${operation.operationId} answered ${response.status} ${text.slice(0, 300)}`;
  expect(undocumentedIn(operation, response.status, response.headers.get("content-type"), text), what).toEqual([]);
  return parseBody(text, response.headers.get("content-type"));
}

/** A JSON body as its value, any other as its text. */
function parseBody(text: string, contentType: string | null): unknown {
  if (text === "") return undefined;
  return contentType === "application/json" ? JSON.parse(text) : text;
}

/** How an answer differs from everything that the contract documents for the operation. */
export function undocumentedIn(
  operation: Operation,
  status: number,
  contentType: string | null,
  text: string,
): string[] {
  const answer = operation.answers.find((candidate) => candidate.status === status);
  if (answer === undefined) return [`status ${status}`];
  const body = answer.bodies.find(({ mediaType }) => mediaType === contentType);
  if (body === undefined) return answer.bodies.length === 0 && text === "" ? [] : [`content type ${contentType}`];
  return violations(schemaOf(body), parseBody(text, contentType));
}

/** Checks that both addresses still answer, and that the mock has noted no failure of its own. */
export async function expectAlive(mock: TestMock): Promise<void> {
  for (const operationId of ["listUserCards", "getCryptoDepositDetails"]) {
    const operation = operationOf(mock, operationId);
    expect((await fetch(urlOf(mock, operation), validInit(operation))).status).toBe(200);
  }
  expect(mock.entries.flatMap(({ notes }) => notes).filter((note) => note.startsWith("The mock failed"))).toEqual([]);
}

/** The schema of a body, a parameter or a property. */
export function schemaOf({ schema }: Pick<Body | Parameter, "schema">): JsonSchema {
  return schema.value as JsonSchema;
}
