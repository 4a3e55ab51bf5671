/** Failures of the mock itself. */
import { expect, test } from "vitest";
import { readContract } from "../../scripts/contract/index.ts";
import { type MockRequest, makeAnswerer } from "../../scripts/mock/answer.ts";
import type { Prism } from "../../scripts/mock/prism.ts";
import { testDocument } from "./support.ts";

const canary = "canary7";
const contract = readContract(testDocument());
const failing: Prism = {
  findViolations: () => Promise.reject(new TypeError(`cannot read ${canary}`)),
  produceAnswer: () => Promise.reject(canary),
};

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
  const answer = makeAnswerer({ contract, prism: failing, urlOf: () => "" });
  for (const headers of [{}, { prefer: "code=P459" }]) {
    const reply = await answer("base_url", requestTo("/v1/card/all/user-1042", headers));
    expect(reply).toMatchObject({ status: 400, code: "P500", headers: { "content-type": "application/json" } });
    expect(JSON.parse(reply.body)).toMatchObject({ errorCode: "P500", errorMessage: "Unknown exception" });
    expect(reply.notes[0]).toContain("The mock failed");
    expect(JSON.stringify(reply)).not.toContain(canary);
  }
});

test("the answer is a plain 500 where the operation documents none", async () => {
  const answer = makeAnswerer({ contract, prism: failing, urlOf: () => "" });
  const reply = await answer("deposit_base_url", requestTo("/v1/crypto-deposit/details"));
  expect(reply).toMatchObject({ status: 500, code: undefined });
  expect(reply.headers["content-type"]).toContain("text/plain");
});

test("an invalid request for which the contract defines no answer is accepted with a warning", async () => {
  const lenient: Prism = {
    findViolations: () => Promise.resolve([{ kind: "otherwise", message: "body: is wrong" }]),
    produceAnswer: () => Promise.resolve({ status: 200, headers: { "Content-type": "application/json" }, body: [] }),
  };
  const answer = makeAnswerer({ contract, prism: lenient, urlOf: () => "" });
  const reply = await answer("base_url", requestTo("/v1/card/all/user-1042"));
  expect(reply).toMatchObject({ status: 200, body: "[]", headers: { "x-mock-warning": expect.any(String) } });
});
