import { expect, it, onTestFinished, vi } from "vitest";
import { contract } from "../../generated/client/contract.ts";
import { createTransfer as transferRow } from "../../generated/client/operation-table.ts";
import { createTransfer, getUserBalances } from "../../generated/client/operations.ts";
import { makeClient } from "../../scripts/client/src/setup/make-client.ts";

type LoadTables = typeof contract.errorTables;

function clientWith(errorTables: LoadTables, responses: (Response | Error)[], retries = 0) {
  const fetch = async () => {
    const response = responses.length > 1 ? responses.shift() : responses[0];
    if (response instanceof Error) throw response;
    return (response as Response).clone();
  };
  return makeClient({ baseUrl: "https://api.example", apiKey: "k", retries, fetch }, { ...contract, errorTables });
}

const refusal = (errorCode: string) =>
  new Response(JSON.stringify({ errorCode, errorMessage: "to user-1042" }), {
    status: 400,
    headers: { "content-type": "application/json", "x-request-id": "r-1" },
  });
const failToLoad: LoadTables = () => Promise.reject(new Error("chunk not found"));
const body = { sourceExternalUserId: "user-1042", amount: 10, currency: "eur" };

it.each([
  ["a documented code", refusal("P433"), { kind: "code", errorCode: "P433", documented: true, outcome: "refused" }],
  ["another code of the catalogue", refusal("P464"), { kind: "code", documented: false, outcome: "refused" }],
  ["an internal failure", refusal("P500"), { kind: "code", retry: "unknown", outcome: "unknown" }],
  ["a page", new Response("<p>", { status: 502 }), { kind: "unexpected-response", outcome: "unknown" }],
  ["a success that is none", new Response("{}", { status: 201 }), { kind: "unexpected-response", outcome: "unknown" }],
  ["a lost connection", new Error("lost"), { kind: "network", outcome: "unknown" }],
])("the outcome for %s is the same when the error texts cannot be loaded", async (_name, response, expected) => {
  const clients = [failToLoad, contract.errorTables].map((loadTables) => clientWith(loadTables, [response]));
  const results = await Promise.all(clients.map((client) => createTransfer(client as never, { body })));
  const decisions = results.map(({ error }) => {
    const { kind, status, errorCode, documented, retry, outcome, attempts } = error ?? expect.fail();
    return { kind, status, errorCode, documented, retry, outcome, attempts };
  });
  expect(decisions[0]).toEqual(decisions[1]);
  expect(results[0]?.error).toMatchObject(expected);
  const { meaning, errorMessage, requestId, body: text, headers, cause } = results[0]?.error ?? expect.fail();
  expect([meaning, errorMessage, requestId, text, headers, cause]).toEqual(Array(6).fill(undefined));
  expect(JSON.stringify(results[0])).not.toContain("user-1042");
});

it("an invalid request is refused with a short message when the error texts cannot be loaded", async () => {
  const { error } = await createTransfer(clientWith(failToLoad, [refusal("P433")]), {
    body: { ...body, amount: Number.NaN },
  });
  expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent", attempts: 0 });
  expect(error?.message).toBe("createTransfer: invalid-request");
});

const brokenContract = { ...contract, requests: async () => ({}) as never };
const brokenRow = { ...transferRow, path: undefined } as never;
it.each([
  ["before the call is prepared", contract, brokenRow],
  ["after it", brokenContract, transferRow],
])("a defect of the client %s does not blame the options, and is the masked cause", async (_name, tables, row) => {
  const client = makeClient(
    { baseUrl: "https://api.example", apiKey: "k", headers: { "x-partner": "properties" } },
    tables,
  );
  const { error } = await client["~call"](row, { body });
  expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
  expect(error?.message).toMatch(/^createTransfer: The client failed\./);
  expect(error?.cause).toMatchObject({
    name: "TypeError",
    message: expect.stringMatching(/^Cannot read \[redacted\] of undefined/),
  });
});

it("a call is retried when the error texts cannot be loaded, and has them once they can", async () => {
  let attemptCount = 0;
  const loadOnSecondTry: LoadTables = () => (attemptCount++ === 0 ? failToLoad() : contract.errorTables());
  const client = clientWith(loadOnSecondTry, [refusal("P501"), refusal("P464")], 1);
  const { error } = await getUserBalances(client, { path: { externalUserId: "user-1042" } });
  expect(error).toMatchObject({ attempts: 2, errorCode: "P464", meaning: expect.any(String), requestId: "r-1" });
});

it("a call waits at most about a second for the error texts", { timeout: 5_000 }, async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const loadNothing = vi.fn(() => new Promise<never>(() => {}));
  const call = createTransfer(clientWith(loadNothing, [refusal("P433")]), { body });
  await expect.poll(() => loadNothing.mock.calls.length, { interval: 1 }).toBe(1);
  await vi.advanceTimersByTimeAsync(1_500);
  const { error } = await call;
  expect(error).toMatchObject({ errorCode: "P433", outcome: "refused" });
});
