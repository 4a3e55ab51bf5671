import { readdirSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { escapePattern, projectRoot } from "../../../scripts/base/index.ts";
import type { PlanOperation } from "../../../scripts/mock/plan/plan.ts";
import { failuresOf, operations } from "../../specification/stated-operations.ts";
import { plan } from "../../support/plan.ts";
import { type Call, type Fields, operationNamed, send, withValues } from "./calls.ts";
import { makeFixture, mockOf, successOf } from "./fixture.ts";
import { codesAndStatusesOf, needsFault, prepare, type Row, refusalsOf, tableEntries } from "./refusals.ts";

const fixture = await makeFixture(plan);
const fixtureMock = mockOf(fixture);
const initialState = JSON.stringify(fixtureMock.state());
beforeEach(() => fixtureMock.reset());

describe.each(plan.operations.map((operation) => [operation.operationId, operation] as const))(
  "%s",
  (id, operation) => {
    it("succeeds on the fixture", async () => {
      const response = await send(fixtureMock, successOf(fixture, id));
      const description = `${response.status} ${await response.clone().text()}. Give ${id} what its call needs, under values in fixture.ts.`;
      expect(response.ok, description).toBe(true);
    });

    it.each(codesAndStatusesOf(operation))("%s", async (codeOrStatus) => {
      const rows = refusalsOf(fixture, operation, codeOrStatus);
      if (needsFault(fixture, operation, codeOrStatus))
        expect(rows, `${codeOrStatus} of ${id} arises by itself.`).toEqual([]);
      else
        expect(rows.length, `Nothing provokes ${codeOrStatus} of ${id}. Add it to refusals.yaml.`).toBeGreaterThan(0);
      for (const [index, row] of rows.entries()) {
        if (index > 0) fixtureMock.reset();
        await expectRefusal(operation, codeOrStatus, row);
      }
    });

    it("responds with each of its codes by a fault, and succeeds after them", () => expectByFaults(operation));
  },
);

it.each(operations)(
  "every refusal that the specification states for $operationId can be provoked by a request, except P500 and P501",
  (rows) => {
    const codes = [...failuresOf(rows).values()].flat();
    const codesByFault = codes.filter((code) => needsFault(fixture, operationNamed(plan, rows.operationId), code));
    expect(codesByFault).toEqual(codes.filter((code) => code === "P500" || code === "P501"));
  },
);

it.each([
  ["Q-money-refusals", "A code", "createCryptoWithdrawal", { amount: "9000000" }],
  ["Q-request-amounts", "Numbers only", "createTransfer", { amount: "1.00" }],
  ["Q-amount-bounds", "A bound", "createTransfer", { amount: "7300.01" }],
])("a refusal that only %s=%s has names it", async (id, answer, operationId, values) => {
  const mock = mockOf(fixture, { answers: { [id]: answer } });
  const response = await send(mock, withValues(successOf(fixture, operationId), values));
  expect([response.status, response.headers.get("x-mock-assumes")]).toEqual([
    400,
    expect.stringContaining(`${id}=${answer}`),
  ]);
  provokedMessages.push(((await response.json()) as { errorMessage: string }).errorMessage);
  mock.close();
});

it("every rule by which a behaviour refuses a request is provoked", () => {
  const folder = `${projectRoot}/scripts/mock/behaviours`;
  const sources = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "utf8"));
  const rules = sources.flatMap((text) =>
    [...text.matchAll(/refuse\(\s*(?:"P403"|\w+ as "P403"|(?=[`"](?!P\d)))(?:,\s*)?([`"])(.*?)\1,?\s*\)/gs)].map(
      ([, , rule = ""]) => rule,
    ),
  );
  const patternOf = (rule: string) =>
    new RegExp(
      rule
        .split(/\$\{(?:[^{}`]|`[^`]*`)*\}/)
        .map(escapePattern)
        .join(".*"),
    );
  expect(rules.length).toBeGreaterThan(20);
  expect(rules.filter((rule) => !provokedMessages.some((message) => patternOf(rule).test(message)))).toEqual([]);
});

it("every row of refusals.yaml names a code or status that its operation documents", () => {
  const isDocumented = ({ operationId, codeOrStatus }: { operationId: string; codeOrStatus: string }) =>
    codesAndStatusesOf(operationNamed(plan, operationId)).includes(codeOrStatus);
  expect(tableEntries().filter((row) => !isDocumented(row))).toEqual([]);
});

/** The messages of all refusals with P403, and of refusals that occur only with another answer to an open question than the default. */
const provokedMessages: string[] = [];

/** The caller must have reset the mock of the fixture. */
async function expectRefusal(operation: PlanOperation, codeOrStatus: string, row: Row): Promise<void> {
  const { call, names, hides } = await prepare(fixtureMock, fixture, operation.operationId, row);
  const state = row.before?.length ? JSON.stringify(fixtureMock.state()) : initialState;
  const response = await send(fixtureMock, call);
  const text = await response.text();
  const description = `${operation.operationId}, ${row.why}: ${response.status} ${text.slice(0, 500)}`;
  expectDocumented(operation, codeOrStatus, { status: response.status, text, description });
  const { errorMessage = "", timestamp } = JSON.parse(text) as { errorMessage?: string; timestamp?: string };
  expect(errorMessage, description).toContain(names);
  if (codeOrStatus === "P403") provokedMessages.push(errorMessage);
  const questions = response.headers.get("x-mock-assumes") ?? "";
  if (!isStated(operation, codeOrStatus)) expect(questions, description).toContain("Q-");
  // If a valid request is refused with P403, the mock applied a rule that it assumes, so the response names the question about such rules.
  if (codeOrStatus === "P403" && isValid(call)) expect(questions.split(", "), description).toContain("Q-refusal-codes");
  if (row.question !== undefined) expect(questions.split(", "), description).toContain(row.question);
  if (hides !== undefined) expect(text.toLowerCase(), description).not.toContain(hides.toLowerCase());
  // A response with 401 belongs to no world, so there is no clock to compare its timestamp with.
  if (codeOrStatus !== "401") expect(timestamp, description).toBe(fixtureMock.clock.now.toISOString());
  expect(response.headers.has("preference-applied"), description).toBe(false);
  // A success response with a code (a notice) does change data.
  if (response.status >= 400) expect(JSON.stringify(fixtureMock.state()), description).toBe(state);
}

function isStated({ operationId }: PlanOperation, codeOrStatus: string): boolean {
  const rows = operations.find((candidate) => candidate.operationId === operationId);
  const failures =
    rows === undefined ? [] : [...failuresOf(rows)].flatMap(([status, codes]) => (codes.length > 0 ? codes : status));
  // Common rules of section 4 of the specification: the header `x-api-key` is required, and a wrong key gives 401.
  return codeOrStatus === "401" || failures.includes(codeOrStatus);
}

/** Whether a request conforms to the contract. False for a form, whose fields are not checked. */
function isValid({ operation: { parameters, requestBody }, ...call }: Call): boolean {
  const sentParameters: Fields = { ...call.path, ...call.query };
  const isGiven = parameters.every(({ name, required, validator }) =>
    sentParameters[name] === undefined ? !required : validator(sentParameters[name]),
  );
  const [body] = requestBody?.bodies ?? [];
  return isGiven && (body === undefined || (body.mediaType === "application/json" && body.validator(call.body)));
}

async function expectByFaults(operation: PlanOperation): Promise<void> {
  const call = successOf(fixture, operation.operationId);
  for (const code of codesAndStatusesOf(operation).filter((codeOrStatus) => codeOrStatus.startsWith("P"))) {
    fixtureMock.faults.add({ operation: operation.operationId, code });
    const response = await send(fixtureMock, call);
    const description = `${operation.operationId} by a fault`;
    expectDocumented(operation, code, {
      status: response.status,
      text: await response.text(),
      description,
    });
    expect(JSON.stringify(fixtureMock.state()), description).toBe(initialState);
  }
  expect((await send(fixtureMock, call)).ok).toBe(true);
}

function expectDocumented(
  operation: PlanOperation,
  codeOrStatus: string,
  { status, text, description }: { status: number; text: string; description: string },
): void {
  const documentedResponse = operation.responses.find(
    (response) => (response.code ?? String(response.status)) === codeOrStatus,
  );
  expect(status, description).toBe(documentedResponse?.status);
  const body = JSON.parse(text) as { errorCode?: string };
  expect(body.errorCode, description).toBe(documentedResponse?.code);
  const validator = operation.responseValidators[`${status} application/json`];
  expect(validator?.(body), `${description} ${JSON.stringify(validator?.errors)}`).toBe(true);
}
