/** Failures of the mock itself. */
import { beforeAll, expect, test } from "vitest";
import { type MockRequest, makeAnswerer } from "../../scripts/mock/answer/answer.ts";
import type { Engine } from "../../scripts/mock/answer/engine.ts";
import type { Plan } from "../../scripts/mock/plan/plan.ts";
import { prismSource } from "../../scripts/plan/index.ts";
import { testDocument } from "./support.ts";

const canary = "canary7";
const failing: Engine = {
  findViolations: () => Promise.reject(new TypeError(`cannot read ${canary}`)),
  produceAnswer: () => Promise.reject(canary),
};

let plan: Plan;
beforeAll(async () => {
  ({ plan } = await prismSource({ document: testDocument() }));
});

function requestTo(path: string, headers: MockRequest["headers"] = {}): MockRequest {
  return {
    method: "GET",
    path,
    query: new URLSearchParams(),
    headers,
    body: { bytes: Buffer.alloc(0), tooLarge: false },
  };
}

test("the answer is the one that the operation documents for unforeseen failures, and a note goes to the terminal", async () => {
  const answer = makeAnswerer({ plan, engine: failing, urlOf: () => "" });
  for (const headers of [{}, { prefer: "code=P459" }]) {
    const reply = await answer("base_url", requestTo("/v1/card/all/user-1042", headers));
    expect(reply).toMatchObject({ status: 400, code: "P500", headers: { "content-type": "application/json" } });
    expect(JSON.parse(reply.body)).toMatchObject({ errorCode: "P500", errorMessage: "Unknown exception" });
    expect(reply.notes[0]).toContain("The mock failed");
    expect(JSON.stringify(reply)).not.toContain(canary);
  }
});

test("an act that throws is such a failure", async () => {
  const act = () => {
    throw new RangeError(canary);
  };
  const engine: Engine = { findViolations: () => [], produceAnswer: (_, answer) => answer };
  const answer = makeAnswerer({ plan, engine, act, urlOf: () => "" });
  const reply = await answer("base_url", requestTo("/v1/card/all/user-1042"));
  expect(reply).toMatchObject({ status: 400, code: "P500", notes: [expect.stringContaining("RangeError")] });
  expect(JSON.stringify(reply)).not.toContain(canary);
});

test("the answer is a plain 500 where the operation documents none", async () => {
  const answer = makeAnswerer({ plan, engine: failing, urlOf: () => "" });
  const reply = await answer("deposit_base_url", requestTo("/v1/crypto-deposit/details"));
  expect(reply).toMatchObject({ status: 500, code: undefined });
  expect(reply.headers["content-type"]).toContain("text/plain");
});

test("an invalid request for which the contract defines no answer is accepted with a warning", async () => {
  const lenient: Engine = {
    findViolations: () => [{ kind: "otherwise", message: "body: is wrong" }],
    produceAnswer: (_, answer) => ({ ...answer, status: 200, body: "[]" }),
  };
  const answer = makeAnswerer({ plan, engine: lenient, urlOf: () => "" });
  const reply = await answer("base_url", requestTo("/v1/card/all/user-1042"));
  expect(reply).toMatchObject({ status: 200, body: "[]", headers: { "x-mock-warning": expect.any(String) } });
});
