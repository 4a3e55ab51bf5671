/** A failure of the mock itself. */
import { beforeAll, expect, test } from "vitest";
import { bundleContract } from "../../scripts/build/bundle.ts";
import { type Contract, readContract } from "../../scripts/contract/contract.ts";
import { type MockRequest, makeAnswerer } from "../../scripts/mock/answer.ts";
import type { Engine } from "../../scripts/mock/prism.ts";

const canary = "canary7";
const failing: Engine = {
  findViolations: () => Promise.reject(new TypeError(`cannot read ${canary}`)),
  produceAnswer: () => Promise.reject(canary),
};

let contract: Contract;
beforeAll(async () => {
  contract = readContract(await bundleContract("latest"));
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

test("it becomes the answer that the operation documents for unforeseen failures, and is told at the terminal", async () => {
  const answer = makeAnswerer({ contract, engine: failing, urlOf: () => "" });
  for (const headers of [{}, { prefer: "code=P459" }]) {
    const reply = await answer("base_url", requestTo("/v1/card/all/user-1042", headers));
    expect(reply).toMatchObject({ status: 400, code: "P500", headers: { "content-type": "application/json" } });
    expect(JSON.parse(reply.body)).toMatchObject({ errorCode: "P500", errorMessage: "Unknown exception" });
    expect(reply.notes[0]).toContain("The mock failed");
    expect(JSON.stringify(reply)).not.toContain(canary);
  }
});

test("it is a plain 500 where the operation documents none", async () => {
  const answer = makeAnswerer({ contract, engine: failing, urlOf: () => "" });
  const reply = await answer("deposit_base_url", requestTo("/v1/crypto-deposit/details"));
  expect(reply).toMatchObject({ status: 500, code: undefined });
  expect(reply.headers["content-type"]).toContain("text/plain");
});

test("where the contract names no answer for an invalid request, it is accepted with a warning", async () => {
  const lenient: Engine = {
    findViolations: () => Promise.resolve([{ place: "body", fault: "otherwise", message: "body: is wrong" }]),
    produceAnswer: () => Promise.resolve({ status: 200, headers: { "Content-type": "application/json" }, body: [] }),
  };
  const answer = makeAnswerer({ contract, engine: lenient, urlOf: () => "" });
  const reply = await answer("base_url", requestTo("/v1/card/all/user-1042"));
  expect(reply).toMatchObject({ status: 200, body: "[]", headers: { "x-mock-warning": expect.any(String) } });
});
