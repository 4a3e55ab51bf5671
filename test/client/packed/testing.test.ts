import { type CreateTransferResult, createPartnerClient, PartnerApiError, toDecimal, unwrap } from "partner-wallet-api";
import { type CreateMockOptions, createMock, startMock } from "partner-wallet-api/mock";
import {
  deliver,
  type FailureDetails,
  failure,
  type OperationName,
  success,
  testEvent,
} from "partner-wallet-api/testing";
import { createWebhookHandler } from "partner-wallet-api/webhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeThrower } from "./support.ts";

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

const makeMock = (options: CreateMockOptions = {}) => {
  const mock = createMock(options);
  return { mock, wallet: createPartnerClient({ ...mock.clientOptions, retries: 0 }) };
};

describe("every operation", () => {
  const client = createPartnerClient({ ...createMock({ edition: "test" }).clientOptions, edition: "test" });
  const names = Object.entries(client).flatMap(([name, member]) =>
    typeof member === "function" && name !== "explain" ? [name as OperationName] : [],
  );

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
  it("has what the contract says about its code, in the result and when thrown", () => {
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
    ["unexpected-response", { status: 204 }],
    ["network"],
    ["network", { outcome: "not-sent" }],
    ["timeout"],
    ["aborted"],
  ];

  it.each(cases)("equals what the client returns: %s %j", async (failureName, details) => {
    const expected = failure("createTransfer", failureName as "P433", details);
    const { mock, wallet } = makeMock();
    mock.respond("createTransfer", expected);
    const result = await wallet.createTransfer(transfer);
    const { cause: _, ...shown } = describeError(result.error);
    expect(shown).toEqual((({ cause: __, ...rest }) => rest)(describeError(expected.error)));
    expect(result.status).toBe(expected.status);
    expect(result.error?.outcome).toBe(details?.outcome ?? expected.error.outcome);
    expect([...(result.response?.headers ?? [])]).toEqual([...(expected.response?.headers ?? [])]);
    expect(expected.response?.headers.get("retry-after") ?? null).toBe(details?.headers?.["retry-after"] ?? null);
  });

  it.each([205, 304])("has no body with the status %i", async (status) => {
    const { response } = failure("createTransfer", "unexpected-response", { status });
    expect([response?.status, response?.body]).toEqual([status, null]);
  });

  it("throws for a failure that the client would not return", () => {
    const make = failure as (name: string, kindOrCode: string, details?: object) => unknown;
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

describe("respond", () => {
  it("gives each call the same response, and logs it without a change of state", async () => {
    const { mock, wallet } = makeMock();
    const stateBefore = mock.state();
    mock.respond("createTransfer", success("createTransfer", { transferId: "mine" }));
    for (const _ of [1, 2]) expect((await wallet.createTransfer(transfer)).data).toEqual({ transferId: "mine" });
    expect(mock.state()).toEqual(stateBefore);
    expect(mock.verify({ operation: "createTransfer", times: 2, body: { amount: "10.50" } })).toBe(2);
    expect(mock.requests[0]).toMatchObject({
      status: 201,
      response: { transferId: "mine" },
      notes: ["Given by respond."],
    });
  });

  it("gives a list of responses in the order of the calls, after which the mock's own rules apply", async () => {
    const { mock, wallet } = makeMock();
    mock.respond("createTransfer", [
      failure("createTransfer", "timeout"),
      success("createTransfer", { transferId: "second" }),
    ]);
    expect((await wallet.createTransfer(transfer)).error).toMatchObject({ kind: "timeout", outcome: "unknown" });
    expect((await wallet.createTransfer(transfer)).data?.transferId).toBe("second");
    expect((await wallet.createTransfer(transfer)).error?.errorCode).toBe("P412");
  });

  it("calls a function with what was sent and the number of the call", async () => {
    const { mock, wallet } = makeMock();
    const respond = vi.fn(({ body }: { body: { amount?: number | string } }, callNumber: number) =>
      Number(body.amount) > 15
        ? failure("createTransfer", "P433")
        : success("createTransfer", { transferId: `transfer-${callNumber}` }),
    );
    mock.respond("createTransfer", respond);
    expect((await wallet.createTransfer(transfer)).data?.transferId).toBe("transfer-1");
    const { error } = await wallet.createTransfer({ body: { ...transfer.body, amount: 20 } });
    expect(error?.errorCode).toBe("P433");
    expect(respond.mock.calls[0]).toEqual([{ path: {}, query: {}, body: transfer.body }, 1]);
    const respondWithNothing = vi.fn(async () => undefined);
    mock.respond("getUserBalances", respondWithNothing);
    expect((await wallet.getUserBalances({ path: { externalUserId: "user 1042ö" } })).error?.errorCode).toBe("P412");
    expect(respondWithNothing).toHaveBeenCalledWith(
      { path: { externalUserId: "user 1042ö" }, query: {}, body: undefined },
      1,
    );
  });

  it("calls a function with the files of an upload", async () => {
    const { mock, wallet } = makeMock();
    const jpeg = (text: string) => new File([text], `${text}.jpg`, { type: "image/jpeg" });
    const [poa, kyc] = [vi.fn(() => success("addPoaFiles")), vi.fn(() => success("addKycFiles"))];
    mock.respond("addPoaFiles", poa);
    mock.respond("addKycFiles", kyc);
    await wallet.addPoaFiles({ path, body: { files: [jpeg("bill")] } });
    await wallet.addKycFiles({ path, body: { selfie: jpeg("face"), front_id: jpeg("front") } });
    expect(poa).toHaveBeenCalledWith({ path, query: {}, body: { files: [expect.any(File)] } }, 1);
    const [[{ body }] = [{ body: {} }]] = kyc.mock.calls as unknown as [[{ body: Record<string, File> }]];
    expect(body).toMatchObject({ selfie: { name: "face.jpg", size: 4 }, front_id: { type: "image/jpeg" } });
  });

  it("accepts any Response", async () => {
    const { mock, wallet } = makeMock();
    const htmlPage = new Response("<p>busy</p>", { status: 503, headers: { "content-type": "text/html" } });
    mock.respond("getUserBalances", htmlPage);
    for (const _ of [1, 2]) {
      const { error } = await wallet.getUserBalances({ path });
      expect(error).toMatchObject({ kind: "unexpected-response", status: 503 });
    }
  });

  it("ends with a reset, or with undefined", async () => {
    const { mock, wallet } = makeMock();
    const isTransferSuccessful = async () => (await wallet.createTransfer(transfer)).error === undefined;
    mock.respond("createTransfer", success("createTransfer"));
    expect(await isTransferSuccessful()).toBe(true);
    mock.respond("createTransfer", undefined);
    expect(await isTransferSuccessful()).toBe(false);
    mock.respond("createTransfer", success("createTransfer"));
    mock.reset();
    expect(await isTransferSuccessful()).toBe(false);
  });

  it("names mistakes in its set-up", async () => {
    const { mock, wallet } = makeMock();
    const respond = mock.respond as (name: string, responses: unknown) => void;
    expect(() => respond("createTransfers", success("createTransfer"))).toThrow("Did you mean createTransfer?");
    expect(() => respond("createExchange", success("createExchange"))).toThrow('no operation "createExchange"');
    for (const wrongResponse of [{ errorCode: "P433" }, [null], 7]) {
      expect(() => respond("createTransfer", wrongResponse)).toThrow("must be a result of a call");
    }
    mock.respond("createTransfer", makeThrower("expected 10 to be 20"));
    expect((await wallet.createTransfer(transfer)).error?.body).toContain("threw: expected 10 to be 20");
    mock.respond("getUserBalances", (() => ({ errorCode: "P433" })) as never);
    expect((await wallet.getUserBalances({ path })).error?.body).toContain("must be a result");
  });

  it("lets the timeout and the signal of a call end a response that never comes", async () => {
    const { mock, wallet } = makeMock();
    mock.respond("createTransfer", () => new Promise<Response>(() => undefined));
    const { error } = await wallet.createTransfer({ ...transfer, timeoutMs: 500 });
    expect(error).toMatchObject({ kind: "timeout", outcome: "unknown" });
    const abortedCall = await wallet.createTransfer({ ...transfer, signal: AbortSignal.abort() });
    expect(abortedCall.error).toMatchObject({ kind: "aborted", outcome: "not-sent" });
  });

  it("closes the connection over a port for a failure without a response", async () => {
    vi.unstubAllGlobals();
    const mock = await startMock();
    try {
      mock.respond("createTransfer", failure("createTransfer", "network", { outcome: "not-sent" }));
      const { error } = await createPartnerClient({ ...mock.clientOptions, retries: 0 }).createTransfer(transfer);
      expect(error).toMatchObject({ kind: "network", outcome: "unknown" });
      expect(mock.requests).toMatchObject([{ status: "drop" }]);
    } finally {
      await mock.close();
    }
  });
});

describe("deliver", () => {
  const authorization = "token-of-a-test";

  it("gives an event to a handler", async () => {
    const receivedEvents: unknown[] = [];
    const handler = createWebhookHandler({
      authorization,
      on: { p2pTransfer: (event) => void receivedEvents.push(event) },
      otherwise: "reject",
      nonconforming: "reject",
    });
    const event = testEvent("p2pTransfer", { id: "475a0310-d619-430d-a417-38f514e20fc0" });
    expect((await deliver(handler, "p2pTransfer", undefined, { authorization })).status).toBe(200);
    expect((await deliver(handler, "p2pTransfer", event, { authorization })).status).toBe(200);
    expect(receivedEvents).toEqual([testEvent("p2pTransfer"), event]);
    expect((await deliver(handler, "p2pTransfer", event)).status).toBe(401);
    await expect(deliver(handler, "p2pTransfer", event, { authorisation: "x" } as never)).rejects.toThrow(
      /^There is no option of deliver "authorisation"/,
    );
    expect((await deliver(handler, "kycFileAdded", undefined, { authorization })).status).toBe(503);
  });

  it("takes a path in place of that of the contract", async () => {
    const requests: Request[] = [];
    const route = (request: Request) => {
      requests.push(request);
      return Response.json({});
    };
    await deliver(route, "sepaDeposit", { id: "1" }, { authorization, path: "/hooks/my/path" });
    const [request] = requests;
    expect(new URL(request?.url ?? "").pathname).toBe("/hooks/my/path");
    expect(request?.headers.get("authorization")).toBe(authorization);
    expect(request?.headers.get("content-type")).toBe("application/json");
    expect(await request?.json()).toEqual({ id: "1" });
    await deliver(route, "p2pTransfer");
    expect(requests[1]?.headers.has("authorization")).toBe(false);
    expect(new URL(requests[1]?.url ?? "").pathname).toBe("/transfer-webhook");
  });
});
