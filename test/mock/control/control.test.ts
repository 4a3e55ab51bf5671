import { createPartnerClient } from "partner-wallet-api";
import { describe, expect, it } from "vitest";
import { operations } from "../../../scripts/mock/control/operations.ts";
import { createMock } from "../../../scripts/mock/host/mock.ts";
import { plan } from "../../support/plan.ts";
import { controlOf, describedOperations, problemsOfRequest } from "./document.ts";

const clock = "2026-04-01T07:00:00.000Z";

describe("the OpenAPI document of the control interface", () => {
  it("describes exactly its operations", () => {
    const describedIds = describedOperations().map(({ operation }) => operation.operationId);
    expect(describedIds.sort()).toEqual(Object.keys(operations).sort());
  });

  it("has examples that the mock accepts", () => {
    for (const { path, operation } of describedOperations()) {
      const example = operation.requestBody?.content?.["application/json"].example;
      if (example !== undefined) expect(problemsOfRequest(operation, example), path).toEqual([]);
    }
  });
});

describe("the control interface", () => {
  it("confirms at both addresses that the mock runs, without a key", async () => {
    const mock = createMock(plan, { edition: "test" });
    const { status, body } = await controlOf(mock, "")("GET", "/health");
    expect([status, body]).toEqual([200, { version: plan.version, edition: "test", worlds: 0, maxWorlds: 1000 }]);
    const deposit = await mock.fetch(`${mock.depositBaseUrl}/__mock/health`);
    expect(await deposit.json()).toEqual(body);
    const options = await mock.fetch(`${mock.baseUrl}/__mock/state`, { method: "OPTIONS" });
    expect(options.headers.get("access-control-allow-methods")).toContain("PUT");
    expect((await mock.fetch(`${mock.baseUrl}/__mocked`)).headers.get("content-type")).toContain("text/plain");
  });

  it("has a page for GET and HEAD only, to which the path without the final slash redirects", async () => {
    const mock = createMock(plan);
    const { status, headers } = await mock.fetch(`${mock.baseUrl}/__mock`);
    expect([status, headers.get("location")]).toEqual([307, "__mock/"]);
    for (const [method, path, status, type] of [
      ["GET", "/__mock/", 200, "text/html; charset=utf-8"],
      ["HEAD", "/__mock/", 200, "text/html; charset=utf-8"],
      ["POST", "/__mock/", 404, "application/json"],
    ] as const) {
      const response = await mock.fetch(mock.baseUrl + path, { method });
      expect([response.status, response.headers.get("content-type")], `${method} ${path}`).toEqual([status, type]);
    }
  });

  it.each([
    ["POST", "/clock", { freeze: false }, "freeze must be true or a"],
    ["POST", "/clock", { advance: true }, "advance must be"],
    ["POST", "/users/u", { verified: "yes" }, "verified must be true or false."],
    ["POST", "/exchange-locks", { externalUserId: 7 }, "must"],
    ["POST", "/faults", { operation: "createTransfer", times: "often" }, "times must be"],
    ["PUT", "/webhooks", { url: "file:///tmp" }, "The address of webhooks must be a URL"],
  ])("refuses %s %s %j in words", async (method, path, requestBody, expectedText) => {
    const { status, body } = await controlOf(createMock(plan))(method, path, requestBody);
    expect([status, body.message]).toEqual([400, expect.stringContaining(expectedText)]);
    expect(body.message).not.toMatch(/schema|anyOf|oneOf|must be must|undefined/);
  });

  it("requires a key for everything else", async () => {
    const mock = createMock(plan, { keys: ["second"] });
    expect(await controlOf(mock, "")("GET", "/state")).toMatchObject({ status: 401 });
    expect(await controlOf(mock, "third")("GET", "/state")).toMatchObject({ status: 401 });
    expect(await controlOf(mock, "second")("GET", "/state")).toMatchObject({ status: 200 });
  });

  it("lists its paths for an unknown path, and the methods of a known path for another method", async () => {
    const mock = createMock(plan);
    const unknownPathReply = await controlOf(mock)("GET", "/time");
    expect([unknownPathReply.status, unknownPathReply.body.message]).toEqual([
      404,
      expect.stringContaining("/__mock/clock"),
    ]);
    expect((await controlOf(mock)("DELETE", "/clock")).body.message).toBe(
      "This path allows these methods only: GET, POST, HEAD, OPTIONS.",
    );
  });

  it("creates a user whose calls then succeed", async () => {
    const mock = createMock(plan, { clock });
    const control = controlOf(mock);
    const options = { verified: true, extended: true, funds: { eur: "100.00" } };
    const userResponse = await control("POST", "/users/user-1", options);
    expect(userResponse.body).toMatchObject({ verification: "extended", funds: { eur: "100.00" } });
    const client = createPartnerClient({ ...mock.clientOptions, edition: "test" });
    const cardResult = await client.createVirtualCard({
      body: { externalUserId: "user-1", label: "Groceries", pin: "1234" } as never,
    });
    expect(cardResult.status).toBe(200);
    expect((await control("POST", "/partner", { funds: { eur: "7" } })).body).toEqual({ funds: { eur: "7.00" } });
  });

  it("creates exchange locks, also in the edition without an operation for it", async () => {
    const control = controlOf(createMock(plan, { clock, edition: "latest" }));
    await control("POST", "/users/user-1", { verified: true, extended: true, funds: { eur: "200.00" } });
    const lock = { externalUserId: "user-1", currencyFrom: "eur", currencyTo: "usdc", amount: "200.00" };
    const lockResponse = await control("POST", "/exchange-locks", lock);
    expect(lockResponse).toMatchObject({ status: 200, body: { amountTo: 216 } });
    expect((await control("POST", "/exchange-locks", { ...lock, externalUserId: null })).status).toBe(200);
    const unknownUserReply = await control("POST", "/exchange-locks", { ...lock, externalUserId: "user-9" });
    expect(unknownUserReply.body.message).toContain("user-9");
  });

  it("moves the clock", async () => {
    const control = controlOf(createMock(plan, { clock }));
    expect((await control("GET", "/clock")).body).toEqual({ now: clock, isFrozen: true });
    expect((await control("POST", "/clock", { advance: "2 days" })).body.now).toBe("2026-04-03T07:00:00.000Z");
    expect((await control("POST", "/clock", { set: "2026-06-01" })).body.now).toBe("2026-06-01T00:00:00.000Z");
    for (const limit of ["1970-01-01T00:00:00.000Z", "9999-12-31T00:00:00.000Z"]) {
      expect((await control("POST", "/clock", { set: limit })).body.now).toBe(limit);
    }
    expect((await control("POST", "/clock", { advance: 1 })).body.message).toContain("the years 1970 and 9999");
    await control("POST", "/clock", { set: clock });
    expect((await control("POST", "/clock", { run: true })).body.isFrozen).toBe(false);
    expect((await control("POST", "/clock", { freeze: true })).body.isFrozen).toBe(true);
    for (const body of [{}, { run: false }, { advance: "soon" }, { set: "soon" }, { set: 1, run: true }]) {
      expect((await control("POST", "/clock", body)).status, JSON.stringify(body)).toBe(400);
    }
  });

  it("adds faults, and removes them", async () => {
    const mock = createMock(plan);
    const control = controlOf(mock);
    const addedFault = await control("POST", "/faults", { code: "P500", times: "always" });
    expect(addedFault.body).toEqual({ code: "P500", times: "always", number: 0, left: "always" });
    expect((await control("GET", "/faults")).body).toHaveLength(1);
    expect((await control("DELETE", "/faults")).status).toBe(204);
    expect((await control("GET", "/faults")).body).toEqual([]);
    expect((await control("POST", "/faults")).status).toBe(400);
    const latestControl = controlOf(createMock(plan, { edition: "latest" }));
    const testOnlyOperation = plan.operations.find(({ editions }) => !editions.includes("latest"))?.operationId;
    expect((await latestControl("POST", "/faults", { operation: testOnlyOperation, status: 500 })).status).toBe(400);
  });

  it("triggers the external events of the contract", async () => {
    const control = controlOf(createMock(plan, { clock }));
    const { body } = await control("GET", "/events");
    const contractEvents = Object.values(plan.resources).flatMap(({ name, externalEvents }) =>
      Object.keys(externalEvents).map((event) => `${name}.${event}`),
    );
    const listedEvents = (body as { resource: string; event: string }[]).map(
      (event) => `${event.resource}.${event.event}`,
    );
    expect(listedEvents.sort()).toEqual(contractEvents.sort());
    await control("POST", "/users/user-1", { verified: true });
    const event = { resource: "sepaDeposit", event: "depositArrives", externalUserId: "user-1", amount: "250.00" };
    expect(await control("POST", "/events", event)).toMatchObject({ status: 200, body: { externalUserId: "user-1" } });
    const { status, body: refusedReply } = await control("POST", "/events", { ...event, amount: "much" });
    expect([status, refusedReply.message]).toEqual([400, expect.stringContaining("amount")]);
    expect((await control("POST", "/events", { resource: "user", event: "leaves" })).status).toBe(400);
  });

  it("lists requests and deliveries, and redelivers", async () => {
    const receivedLines: string[] = [];
    const mock = createMock(plan, { clock });
    mock.sendWebhooksTo({
      handler: async (request) => {
        receivedLines.push(`${request.headers.get("authorization")} ${new URL(request.url).pathname}`);
        return new Response();
      },
      token: "hush",
    });
    const control = controlOf(mock);
    expect((await control("GET", "/webhooks")).body).toEqual({ url: "(a function of the process)", hasToken: true });
    await control("POST", "/users/user-1", { verified: true });
    expect((await control("POST", "/settle")).status).toBe(204);
    const { body: deliveries } = await control("GET", "/deliveries");
    expect(deliveries).toHaveLength(receivedLines.length);
    const laterDeliveries = await control("GET", "/deliveries?after=0");
    expect(laterDeliveries.body).toEqual(deliveries.filter(({ number }: { number: number }) => number > 0));
    const redelivery = await control("POST", "/deliveries/0/redeliver");
    expect(redelivery.body.attempts).toHaveLength(2);
    expect(receivedLines.at(-1)).toMatch(/^hush \/webhook\//);
    expect((await control("POST", "/deliveries/99/redeliver")).status).toBe(400);
    await createPartnerClient({ ...mock.clientOptions, edition: "test" }).getPartnerBalances();
    expect((await control("GET", "/requests")).body).toMatchObject([{ operation: "getPartnerBalances", status: 200 }]);
  });

  it("returns the webhook target without its token", async () => {
    const control = controlOf(createMock(plan, { clock }));
    const target = { url: "http://someone:secret@127.0.0.1:9/hooks", token: "hush" };
    const { body } = await control("PUT", "/webhooks", target);
    expect(body).toEqual({ url: "http://127.0.0.1:9/hooks", hasToken: true });
    const paths = { exchange: "/my/path" };
    expect((await control("PUT", "/webhooks", { ...target, paths })).body).toEqual({ ...body, paths });
    expect((await control("PUT", "/webhooks", { url: "ftp://nowhere.example" })).status).toBe(400);
    expect((await control("DELETE", "/webhooks")).status).toBe(204);
    expect((await control("GET", "/webhooks")).body).toEqual({ url: null });
  });

  it("restores the state that it returned, and refuses malformed ones", async () => {
    const control = controlOf(createMock(plan, { clock }));
    await control("POST", "/users/user-1", { verified: true, funds: { eur: "5.00", btc: "0.00000001" } });
    const { body: state } = await control("GET", "/state");
    await control("POST", "/reset");
    expect((await control("GET", "/state")).body.entities).toEqual([]);
    expect((await control("PUT", "/state", state)).status).toBe(204);
    expect((await control("GET", "/state")).body).toEqual(state);
    const [entity] = state.entities;
    for (const [brokenState, message] of [
      [{ ...state, format: 3 }, "format must be 2"],
      [{ ...state, entities: [{ ...entity, resource: "unicorn" }] }, "no resource unicorn"],
      [{ ...state, entities: [{ ...entity, states: { ...entity.states, verification: "holy" } }] }, "cannot be holy"],
      [{ ...state, jobs: [{ name: "toString", due: 1, about: {} }] }, "no job toString"],
      [{ ...state, ids: -1 }, "ids must be"],
      ...[5, "1.5"].map((fee) => [
        { ...state, entities: [{ ...entity, data: { ...entity.data, fee } }] },
        "fee must be whole minor units",
      ]),
      [{ ...state, postings: [{ ...state.postings[0], units: "-5" }] }, "postings.0.units must"],
      [[], "must be an object"],
    ]) {
      const reply = await control("PUT", "/state", brokenState);
      expect([reply.status, reply.body.message]).toEqual([400, expect.stringContaining(String(message))]);
    }
    expect((await control("GET", "/state")).body).toEqual(state);
  });

  it("refuses bodies that are no JSON or nested too deeply", async () => {
    const mock = createMock(plan);
    const post = async (body: string, path = "users/user-1") => {
      const init = { method: "POST", headers: { "x-api-key": mock.apiKey }, body };
      return (await mock.fetch(`${mock.baseUrl}/__mock/${path}`, init)).text();
    };
    expect(await post("{")).toContain("well-formed JSON");
    expect(await post("[".repeat(100_000))).toContain("levels");
    expect(await post("[]")).toContain("must be an object with verified");
    expect(await post('{"verfied":true}')).toContain("Possible are verified");
    expect(await post('{"funds":{"eur":"lots"}}')).toContain("funds.eur must be an amount");
    expect(await post(" ".repeat(2 ** 20 + 1))).toContain("too large");
    expect(await post(" ".repeat(2 ** 20))).toContain("well-formed JSON");
    const bodyWithTwoChanges = '{"advance":"1 day","freeze":true}';
    for (const body of ["{}", bodyWithTwoChanges]) expect(await post(body, "clock")).toMatch(/Give one of advance, /);
  });
});
