import { type ClientOptions, type CreateTransferResult, PartnerApiError, toDecimal, unwrap } from "partner-wallet-api";
import { createTransfer, getExchangeDetails, getUserBalances } from "partner-wallet-api/operations";
import { createRawClient } from "partner-wallet-api/raw";
import {
  createFakeClient,
  deliver,
  type FailureDetails,
  type FakeClient,
  failure,
  type OperationName,
  success,
  testEvent,
} from "partner-wallet-api/testing";
import { createWebhookHandler } from "partner-wallet-api/webhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { throwing } from "./support.ts";

const transfer = { body: { destinationExternalUserId: "user-2077", amount: "10.50", currency: "eur" } } as const;
const path = { externalUserId: "user-1042" };

const globalFetch = vi.fn(() => Promise.reject(new Error("The global fetch was called.")));
beforeEach(() => {
  vi.stubGlobal("fetch", globalFetch);
});
afterEach(() => {
  expect(globalFetch).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});

const describeError = (error: PartnerApiError | undefined) => ({
  ...error?.toJSON(),
  body: error?.body,
  cause: error?.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : error?.cause,
});

describe("every operation", () => {
  const namesOf = (client: object) =>
    Object.entries(client).flatMap(([name, member]) =>
      typeof member === "function" && name !== "explain" ? [name as OperationName] : [],
    );
  const names = namesOf(createFakeClient({}, { edition: "test" }));

  it("is in the fake client of its edition", () => {
    const latest = createFakeClient();
    expect(latest.edition).toBe("latest");
    expect(namesOf(latest).length).toBeGreaterThan(30);
    expect(names.length).toBeGreaterThan(namesOf(latest).length);
  });

  it.each(names)("%s has a success and failures", (name) => {
    const { data, error, status, response } = success(name);
    expect(error).toBeUndefined();
    expect(data).toBeDefined();
    expect([200, 201]).toContain(status);
    expect(response?.status).toBe(status);
    expect(failure(name, "no-code").error).toMatchObject({ kind: "no-code", status: 401, documented: true });
    expect(failure(name, "P501").error).toMatchObject({ kind: "code", errorCode: "P501", retry: "later" });
  });
});

describe("success", () => {
  it("has the example of the contract as its data", () => {
    const result: CreateTransferResult = success("createTransfer");
    expect(result.data).toEqual({ transferId: "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63" });
    expect(result).toMatchObject({ error: undefined, status: 201 });
    expect(unwrap(result)).toBe(result.data);
    expect(result.response?.bodyUsed).toBe(true);
  });

  it("accepts some fields of an object, or a whole list or page", () => {
    const deposit = success("getCryptoDepositDetails", { amount: toDecimal("0.5") });
    expect(deposit.data).toMatchObject({ amount: "0.5", currency: "BTC", status: "SUCCESSFUL" });
    expect(success("listUserCards").data.length).toBe(2);
    expect(success("listUserCards", []).data).toEqual([]);
    const verification = { externalUserId: "user-1042", verificationId: "1" };
    expect(success("redirectToKycVerification").data).toContain("<!doctype html>");
    expect(success("redirectToKycVerification", `<p>${verification.verificationId}`).data).toBe("<p>1");
    expect(success("redirectToKycVerification").response.headers.get("content-type")).toBe("text/html");
  });

  it("can use a named example, also of another status", () => {
    expect(success("getUserBalances", {}, { example: "waitingToBeActivated" }).data).toMatchObject({
      fiatBalances: [{ status: "WAITING_TO_BE_ACTIVATED" }],
    });
    const risk = success("addUserVerification", { errorMessage: "Wait" }, { example: "P213" });
    expect(risk).toMatchObject({ status: 202, data: { errorCode: "P213", errorMessage: "Wait" } });
    expect(() => success("createTransfer", {}, { example: "toString" as "fundUser" })).toThrow(/no example "toString"/);
  });

  it("returns a new object every time", () => {
    const { data } = success("createTransfer");
    data.transferId = "changed";
    expect(success("createTransfer", { transferId: "changed" }).data.transferId).toBe("changed");
    expect(success("createTransfer").data.transferId).not.toBe("changed");
  });
});

describe("failure", () => {
  it("can be thrown, and has what the contract says about its code", () => {
    const { data, error, response, status } = failure("createTransfer", "P433");
    expect(data).toBeUndefined();
    expect(error).toBeInstanceOf(PartnerApiError);
    expect(error).toMatchObject({
      kind: "code",
      operationId: "createTransfer",
      outcome: "refused",
      status: 400,
      documented: true,
      errorCode: "P433",
      errorName: "insufficient-funds",
      errorMessage: "Insufficient funds",
      timestamp: "2026-03-02T09:12:07.318Z",
      meaning: "Insufficient funds",
      retry: "after-change",
    });
    expect([status, response?.status]).toEqual([400, 400]);
    expect(() => unwrap(failure("createTransfer", "P433"))).toThrow("P433 Insufficient funds");
  });

  it("has the status that the contract documents for the operation", () => {
    expect(failure("updateUser", "P412").error).toMatchObject({ status: 404, documented: true });
    expect(failure("createTransfer", "P412").error).toMatchObject({ status: 404, documented: true });
    expect(failure("getUserBalances", "P433").error).toMatchObject({ status: 400, documented: false });
    expect(failure("createTransfer", "P433", { status: 422 }).error).toMatchObject({ status: 422, documented: false });
    expect(failure("getCryptoDepositDetails", "no-code", { status: 404 }).error.errorMessage).toBe(
      "Transaction not found",
    );
    expect(failure("createTransfer", "P454").error).toMatchObject({ kind: "code", errorMessage: expect.any(String) });
  });

  it("accepts errorName, errorMessage and timestamp", () => {
    const texts = { errorName: "low", errorMessage: "Too low", timestamp: "2026-01-01T00:00:00.000Z" };
    expect(failure("createTransfer", "P433", texts).error).toMatchObject(texts);
    expect(failure("createTransfer", "unknown-code", { errorCode: "P700", ...texts }).error).toMatchObject({
      errorCode: "P700",
      ...texts,
    });
  });

  const cases: [Parameters<typeof failure>[1], FailureDetails?][] = [
    ["P433"],
    ["P433", { errorMessage: "Too low", status: 409 }],
    ["P412"],
    ["P501", { headers: { "retry-after": "7" } }],
    ["no-code"],
    ["unknown-code"],
    ["unknown-code", { errorCode: "P700" }],
    ["unexpected-response"],
    ["unexpected-response", { status: 200, body: '{"transferId":' }],
    ["unexpected-response", { status: 404 }],
    ["network"],
    ["network", { outcome: "not-sent" }],
    ["timeout"],
    ["aborted"],
  ];

  it.each(cases)("equals what the client returns: %s %j", async (what, details) => {
    const expected = failure("createTransfer", what as "P433", details);
    const result = await createTransfer(createFakeClient({ createTransfer: expected }), transfer);
    expect(describeError(result.error)).toEqual(describeError(expected.error));
    expect(result.status).toBe(expected.status);
    expect(result.error?.outcome).toBe(details?.outcome ?? expected.error.outcome);
    expect([...(result.response?.headers ?? [])]).toEqual([...(expected.response?.headers ?? [])]);
    expect(expected.response?.headers.get("retry-after") ?? null).toBe(details?.headers?.["retry-after"] ?? null);
  });

  it("throws for a failure that the client would not return", () => {
    const make = failure as (name: string, what: string, details?: object) => unknown;
    expect(() => make("createTransfers", "P433")).toThrow('no operation "createTransfers"');
    expect(() => make("createTransfer", "P998")).toThrow('"P998" is no P-code of the catalogue');
    expect(() => make("createTransfer", "toString")).toThrow(TypeError);
    expect(() => make("createTransfer", "code")).toThrow(TypeError);
    expect(() => make("createTransfer", "timeout", { status: 400 })).toThrow('no detail of timeout "status"');
    expect(() => make("createTransfer", "P433", { errorCode: "P424" })).toThrow("errorCode");
    expect(() => make("createTransfer", "P433", { status: 200 })).toThrow("as unexpected-response, not as code");
    expect(() => make("createTransfer", "no-code", { status: 404 })).toThrow("Documented: 401");
    expect(() => make("createTransfer", "unknown-code", { errorCode: "P433" })).toThrow("as code, not as unknown-code");
    expect(() => make("createTransfer", "unexpected-response", { status: 401 })).toThrow("as no-code");
  });
});

describe("the fake client", () => {
  it("returns the examples by default, and lists the calls", async () => {
    const client = createFakeClient();
    const { data } = await client.createTransfer(transfer);
    await createTransfer(client, { body: { ...transfer.body, amount: 20 } });
    await client.getUserBalances({ path: { externalUserId: "user 1042ö" } });
    const query = { externalId: "475a0310-d619-430d-a417-38f514e20fc0" };
    await client.getCryptoDepositDetails({ query });
    // The path also matches a path template of another method.
    await createRawClient(client).POST("/v1/user/verification", { body: {} as never });
    expect(data).toEqual(success("createTransfer").data);
    expect(client.calls).toEqual([
      { operationId: "createTransfer", path: {}, query: {}, body: transfer.body },
      { operationId: "createTransfer", path: {}, query: {}, body: { ...transfer.body, amount: 20 } },
      { operationId: "getUserBalances", path: { externalUserId: "user 1042ö" }, query: {}, body: undefined },
      { operationId: "getCryptoDepositDetails", path: {}, query, body: undefined },
      { operationId: "addUserVerification", path: {}, query: {}, body: {} },
    ]);
  });

  it("returns one response for every call, or a list of responses in the order of the calls", async () => {
    const client = createFakeClient({
      createTransfer: [1, 2, 3].map((number) => success("createTransfer", { transferId: `${number}` })),
      getUserBalances: failure("getUserBalances", "timeout"),
    });
    const results = await Promise.all([1, 2, 3, 4].map(() => client.createTransfer(transfer)));
    expect(results.map(({ data }) => data?.transferId)).toEqual(["1", "2", "3", undefined]);
    expect(results[3]?.error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(results[3]?.error?.message).toContain("3 answers in a row, and this is call 4");
    for (const _ of [1, 2]) expect((await client.getUserBalances({ path })).error?.kind).toBe("timeout");
  });

  it("calls a response function with what was sent and the number of the call", async () => {
    const response = vi.fn(({ body }: { body: { amount?: number | string } }, callNumber: number) =>
      Number(body.amount) > 15
        ? failure("createTransfer", "P433")
        : success("createTransfer", { transferId: `transfer-${callNumber}` }),
    );
    const client = createFakeClient({ createTransfer: response });
    expect((await client.createTransfer(transfer)).data?.transferId).toBe("transfer-1");
    const { error } = await client.createTransfer({ body: { ...transfer.body, amount: 20 } });
    expect(error?.errorCode).toBe("P433");
    expect((await client.createTransfer(transfer)).data?.transferId).toBe("transfer-3");
    expect(response.mock.calls[0]).toEqual([{ path: {}, query: {}, body: transfer.body }, 1]);
  });

  it("accepts any Response, any result and any error", async () => {
    const page = new Response("<p>busy</p>", { status: 503, headers: { "content-type": "text/html" } });
    const error = new PartnerApiError({
      kind: "code",
      operationId: "createTransfer",
      message: "not enough",
      status: 400,
      errorCode: "P433",
      errorMessage: "Not enough",
      attempts: 1,
    }) as ReturnType<typeof failure<"createTransfer">>["error"];
    const examples = createFakeClient();
    const refused = await examples.createTransfer({ body: { ...transfer.body, amount: Number.NaN } });
    expect([refused.error?.kind, examples.calls]).toEqual(["invalid-request", []]);
    const client = createFakeClient({
      getUserBalances: page,
      createTransfer: [
        { data: undefined, error, response: undefined, status: undefined },
        { ...success("createTransfer"), data: { transferId: "mine" } },
        refused,
      ],
    });
    for (const _ of [1, 2]) {
      expect((await client.getUserBalances({ path })).error).toMatchObject({
        kind: "unexpected-response",
        status: 503,
      });
    }
    expect((await client.createTransfer(transfer)).error).toMatchObject({
      errorCode: "P433",
      errorMessage: "Not enough",
      documented: true,
    });
    expect((await client.createTransfer(transfer)).data).toEqual({ transferId: "mine" });
    // `attempts` is not compared: the fake client made one attempt, `refused` none.
    expect({ ...describeError((await client.createTransfer(transfer)).error), attempts: 0 }).toEqual(
      describeError(refused.error),
    );
  });

  it('fails without a configured response when otherwise is "fail"', async () => {
    const client = createFakeClient({ createTransfer: success("createTransfer") }, { otherwise: "fail" });
    expect((await client.createTransfer(transfer)).error).toBeUndefined();
    const { error } = await client.getUserBalances({ path });
    expect(error?.message).toContain('Give it one: createFakeClient({ getUserBalances: success("getUserBalances") })');
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
  });

  it("names mistakes in its set-up", async () => {
    const make = createFakeClient as (responses: object, options?: object) => FakeClient;
    expect(() => make({ createTransfers: success("createTransfer") })).toThrow('no operation "createTransfers"');
    expect(() => make({}, { otherwise: "example " })).toThrow("otherwise must be");
    expect(() => make({}, { retry: 1 })).toThrow('no option "retry"');
    const client = make({
      createTransfer: throwing("expected 10 to be 20"),
      getUserBalances: { errorCode: "P433" },
    });
    expect((await client.createTransfer(transfer)).error?.message).toContain("threw: expected 10 to be 20");
    expect((await client.getUserBalances({ path })).error?.message).toContain("must be a result");
  });

  it("retries only with the option retries, and lists each attempt", async () => {
    const responses = { getUserBalances: [failure("getUserBalances", "network"), success("getUserBalances")] };
    const once = createFakeClient(responses);
    expect((await getUserBalances(once, { path })).error?.kind).toBe("network");
    expect(once.calls.length).toBe(1);
    const busy = failure("getUserBalances", "P501", { headers: { "retry-after": "0" } });
    const twice = createFakeClient({ getUserBalances: [busy, success("getUserBalances")] }, { retries: 1 });
    expect((await getUserBalances(twice, { path })).error).toBeUndefined();
    expect(twice.calls.length).toBe(2);
  });

  it("calls the hooks, and applies the timeout and the signal", async () => {
    const hooks = { onRequest: vi.fn(), onResponse: vi.fn(), logger: vi.fn() } satisfies Partial<ClientOptions>;
    const client = createFakeClient({ createTransfer: () => new Promise<Response>(() => undefined) }, hooks);
    const { error } = await client.createTransfer({ ...transfer, timeoutMs: 10 });
    expect(error).toMatchObject({ kind: "timeout", outcome: "unknown" });
    for (const hook of Object.values(hooks)) expect(hook).toHaveBeenCalledOnce();
    expect(hooks.onResponse.mock.calls[0]?.[0]).toMatchObject({ operationId: "createTransfer", error });
    const aborted = await client.createTransfer({ ...transfer, signal: AbortSignal.abort() });
    expect(aborted.error).toMatchObject({ kind: "aborted", outcome: "not-sent" });
  });

  it("lists the files of an upload", async () => {
    const response = vi.fn(() => success("addPoaFiles"));
    const client = createFakeClient({ addPoaFiles: response });
    const jpeg = (text: string) => new File([text], `${text}.jpg`, { type: "image/jpeg" });
    await client.addPoaFiles({ path, body: { files: [jpeg("bill")] } });
    await client.addKycFiles({ path, body: { selfie: jpeg("face"), front_id: jpeg("front") } });
    const [poa, kyc] = client.calls.map(({ body }) => body as Record<string, unknown>);
    expect(poa?.files).toMatchObject([{ name: "bill.jpg", type: "image/jpeg" }]);
    expect(kyc?.selfie).toMatchObject({ name: "face.jpg", size: 4 });
    expect(Object.keys(kyc ?? {})).toEqual(["front_id", "selfie"]);
    expect(response).toHaveBeenCalledWith({ path, query: {}, body: poa }, 1);
  });

  it("works with the raw client and with explain", async () => {
    const client = createFakeClient({ createTransfer: failure("createTransfer", "P433") });
    const raw = createRawClient(client);
    const { response } = await raw.POST("/v1/transfer", transfer);
    expect(response.status).toBe(400);
    expect(client.calls[0]?.operationId).toBe("createTransfer");
    expect((await client.explain("createTransfer", transfer)).method).toBe("POST");
    await expect(raw.GET("/v1/nothing" as "/v1/partner/balances")).rejects.toThrow("no operation GET /v1/nothing");
  });

  it("has the proposed operations with the edition test only", async () => {
    const responses = {
      getExchangeDetails: [
        failure("getExchangeDetails", "no-code", { status: 404 }),
        success("getExchangeDetails", { status: "SUCCESSFUL" }),
      ],
    };
    const client = createFakeClient(responses, { edition: "test" });
    const call = () => getExchangeDetails(client, { path: { exchangeId: "1" } });
    expect((await call()).error?.errorMessage).toEqual(expect.any(String));
    expect((await call()).data?.status).toBe("SUCCESSFUL");
    expect(() => createFakeClient(responses as object)).toThrow(/^getExchangeDetails: .*edition: "test"/);
  });
});

describe("deliver", () => {
  const authorization = "token-of-a-test";

  it("gives an event to a handler", async () => {
    const received: unknown[] = [];
    const handler = createWebhookHandler({
      authorization,
      on: { p2pTransfer: (event) => void received.push(event) },
      otherwise: "reject",
      nonconforming: "reject",
    });
    const event = testEvent("p2pTransfer", { id: "475a0310-d619-430d-a417-38f514e20fc0" });
    expect((await deliver(handler, "p2pTransfer", undefined, { authorization })).status).toBe(200);
    expect((await deliver(handler, "p2pTransfer", event, { authorization })).status).toBe(200);
    expect(received).toEqual([testEvent("p2pTransfer"), event]);
    expect((await deliver(handler, "p2pTransfer", event)).status).toBe(401);
    expect((await deliver(handler, "kycFileAdded", undefined, { authorization })).status).toBe(503);
  });

  it("takes a path in place of that of the contract", async () => {
    const seen: Request[] = [];
    const route = (request: Request) => {
      seen.push(request);
      return Response.json({});
    };
    await deliver(route, "sepaDeposit", { id: "1" }, { authorization, path: "/hooks/my/path" });
    const [request] = seen;
    expect(new URL(request?.url ?? "").pathname).toBe("/hooks/my/path");
    expect(request?.headers.get("authorization")).toBe(authorization);
    expect(request?.headers.get("content-type")).toBe("application/json");
    expect(await request?.json()).toEqual({ id: "1" });
    await deliver(route, "p2pTransfer");
    expect(seen[1]?.headers.has("authorization")).toBe(false);
    expect(new URL(seen[1]?.url ?? "").pathname).toBe("/transfer-webhook");
  });
});
