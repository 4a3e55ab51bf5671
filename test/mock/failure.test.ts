/** Failures of the mock itself. */
import { beforeAll, expect, test } from "vitest";
import { type MockRequest, makeAnswerer } from "../../scripts/mock/answer/answer.ts";
import type { Plan, PlanOperation } from "../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../scripts/plan/index.ts";

const canary = "canary7";
const path = "/v1/card/all/user-1042";

let plan: Plan;
beforeAll(async () => {
  plan = await loadPlan();
});

function requestTo(path: string, headers: MockRequest["headers"] = { "x-api-key": "key" }): MockRequest {
  return {
    method: "GET",
    path,
    query: new URLSearchParams(),
    headers,
    body: { bytes: Buffer.alloc(0), tooLarge: false },
  };
}

const answererOf = (operations: readonly PlanOperation[], act?: () => never) =>
  makeAnswerer({ plan: { ...plan, operations }, edition: "test", urlOf: () => "", ...(act && { act }) });

test("the answer is a plain 500, and a note goes to the terminal", () => {
  const broken = plan.operations.map((operation) =>
    Object.defineProperty({ ...operation }, "answers", {
      get() {
        throw new TypeError(`cannot read ${canary}`);
      },
    }),
  );
  for (const headers of [{}, { prefer: "code=P459" }]) {
    const reply = answererOf(broken)("base_url", requestTo(path, headers));
    expect(reply).toMatchObject({ status: 500, code: undefined, notes: [expect.stringContaining("The mock failed")] });
    expect(reply.headers["content-type"]).toContain("text/plain");
    expect(JSON.stringify(reply)).not.toContain(canary);
  }
});

test("an act that throws is such a failure", () => {
  const act = () => {
    throw new RangeError(canary);
  };
  const reply = answererOf(plan.operations, act)("base_url", requestTo(path));
  expect(reply).toMatchObject({ status: 500, code: undefined, notes: [expect.stringContaining("RangeError")] });
  expect(JSON.stringify(reply)).not.toContain(canary);
});

test("an invalid request for which the contract defines no answer is accepted with a warning", () => {
  const refuse = Object.assign(() => false, { errors: [{ keyword: "type", instancePath: "", params: {} }] });
  const undefinedFor = plan.operations.map(({ parameters, ...operation }) => ({
    ...operation,
    parameters: parameters.map((parameter) => ({ ...parameter, validator: refuse, invalidRequest: undefined })),
  }));
  const reply = answererOf(undefinedFor)("base_url", requestTo(path));
  expect(reply).toMatchObject({ status: 200, headers: { "x-mock-warning": expect.any(String) } });
  expect(reply.notes.join()).toContain("defines no answer");
});
