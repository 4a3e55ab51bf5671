import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { createPartnerClient, type Outcome, PartnerApiError, unwrap } from "partner-wallet-api";
import { success } from "partner-wallet-api/testing";
import { describe, expect, it } from "vitest";
import { clientWith, jsonResponse, lock, transfer } from "./support.ts";

const jsonHeaders = { "content-type": "application/json" };
const timestamp = "2026-03-14T09:26:53.589Z";
const p403 = JSON.stringify({ errorCode: "P403", errorMessage: "no", timestamp });
const body = { currency: "btc", amount: "250.00", network: "btc" } as const;

/** The body is given as bytes, because `Response` would derive a content type from a text. */
const respond = (status: number, headers: Record<string, string>, text = "") => {
  const response = new Response(status === 204 || text === "" ? null : new TextEncoder().encode(text), {
    status,
    headers,
  });
  return () => response.clone();
};

/** The operation changes data, so the client does not repeat a call whose outcome is unknown. */
const callCreateRateLock = (response: () => Response) =>
  clientWith(async () => response()).createOrderRateLock({ body });

describe("a success of an operation that only returns a message", () => {
  const callUpdateUser = (response: () => Response) =>
    clientWith(async () => response()).updateUser({ path: { externalUserId: "user-1042" }, body: { city: "Berlin" } });

  it.each([
    ["a documented status and no body", respond(200, jsonHeaders), ["body"]],
    ["201 and no body", respond(201, {}), ["status", "body"]],
    ["204", respond(204, {}), ["status"]],
  ])("can have %s, and deviates", async (_name, response, expectedRules) => {
    const rules: string[] = [];
    const client = clientWith(async () => response(), { onDeviation: ({ rule }) => rules.push(rule) });
    const { data, error } = await client.updateUser({
      path: { externalUserId: "user-1042" },
      body: { city: "Berlin" },
    });
    expect([data, error]).toEqual([{ message: "" }, undefined]);
    await expect.poll(() => rules).toEqual(expectedRules);
  });

  it("keeps its body", async () => {
    expect((await callUpdateUser(respond(202, jsonHeaders, '{"message":"ok","more":1}'))).data).toEqual({
      message: "ok",
      more: 1,
    });
  });

  it.each([
    ["a page", respond(200, { "content-type": "text/html" }, "<p>Log in</p>")],
    ["truncated JSON", respond(200, jsonHeaders, '{"message":')],
    ["JSON that is not an object", respond(200, jsonHeaders, "true")],
    ["an object without a message", respond(200, jsonHeaders, "{}")],
    ["a list", respond(200, jsonHeaders, "[]")],
    ["a P-code", respond(200, jsonHeaders, '{"message":"ok","errorCode":"P403"}')],
  ])("cannot be %s", async (_name, response) => {
    expect((await callUpdateUser(response)).error).toMatchObject({ kind: "unexpected-response", status: 200 });
  });
});

function clientWithResponse(status: number, body: unknown) {
  const fetch = async () => new Response(JSON.stringify(body), { status, headers: jsonHeaders });
  return clientWith(fetch, { edition: "test" }) as unknown as Record<
    string,
    (options: object) => Promise<{ data: unknown; error?: PartnerApiError }>
  >;
}

const creatingOperations: [operationId: string, status: number, identifier: string, options: object][] = [
  ["createUserAccount", 201, "userId", { body: { externalUserId: "u" } }],
  ["createKycVerification", 201, "verificationId", { body: {} }],
  ["createVirtualCard", 200, "cardId", { body: {} }],
  ["createExchangeRateLock", 200, "lockId", {}],
  ["createExchange", 201, "exchangeId", { body: {} }],
  ["createCryptoWithdrawal", 201, "withdrawalId", { body: {} }],
  ["createTransfer", 201, "transferId", { body: {} }],
  ["createSepaTransfer", 200, "transferId", { body: {} }],
  ["createOrderRateLock", 201, "lockId", { body: {} }],
  ["createOrder", 201, "orderId", { body: {} }],
  ["createPaymentLink", 201, "paymentLinkId", { body: {} }],
  ["createHostedCheckout", 201, "paymentLinkId", { body: {} }],
  ["createPartnerExchangeRateLock", 200, "lockId", {}],
  ["createPartnerExchange", 201, "exchangeId", { body: {} }],
  ["createPartnerCryptoWithdrawal", 201, "withdrawalId", { body: {} }],
  ["createPartnerSepaTransfer", 200, "transferId", { body: {} }],
  ["transferToMasterBalance", 201, "transferId", { body: {} }],
];

describe("a success status without the promised data is an unexpected response", () => {
  it.each(creatingOperations)("of %s", async (operationId, status, identifier, options) => {
    const resultFor = async (body: unknown) => {
      const { data, error } = (await clientWithResponse(status, body)[operationId]?.(options)) ?? {};
      return [data, error?.kind, error?.outcome, error?.status];
    };
    const unexpectedOutcome = [undefined, "unexpected-response", "unknown", status];
    const { data } = success(operationId as "createTransfer");
    expect(data).toHaveProperty(identifier);
    expect(await resultFor(data)).toEqual([data, undefined, undefined, undefined]);
    for (const [name, body] of Object.entries({
      "a P-code in the place of the data": { errorCode: "P433", errorMessage: "Insufficient funds" },
      "a P-code beside the data": { ...data, errorCode: "P501" },
      "no field": {},
      "a list": [data],
      "another object": { message: "maintenance" },
      null: { ...data, [identifier]: null },
      "an empty identifier": { ...data, [identifier]: "" },
      "a blank identifier": { ...data, [identifier]: " " },
      "a number for an identifier": { ...data, [identifier]: 7 },
      "a boolean for an identifier": { ...data, [identifier]: true },
      "an object for an identifier": { ...data, [identifier]: {} },
      "an object that cannot be converted to a text": { ...data, [identifier]: { toString: 1 } },
      "such an object for a P-code": { ...data, errorCode: { toString: 1 } },
      "a list for an identifier": { ...data, [identifier]: ["a"] },
    })) {
      expect([name, await resultFor(body)]).toEqual([name, unexpectedOutcome]);
    }
  });

  it("has no timestamp if that cannot be converted to a text", async () => {
    const body = { errorCode: "P433", errorMessage: "no", timestamp: { toString: 1 } };
    const { error } = await clientWith(async () => jsonResponse(400, body)).createTransfer({ body: transfer });
    expect(error).toMatchObject({ kind: "code", errorCode: "P433", outcome: "refused", timestamp: undefined });
  });

  it("with a P-code is an error with the body, in which sensitive members are redacted", async () => {
    const result = await clientWith(
      async () => new Response('{"errorCode":"P433","iban":"DE00"}', { status: 201 }),
    ).createTransfer({ body: { destinationExternalUserId: "user-1042", amount: "10.50", currency: "eur" } });
    expect(result.error?.message).toBe(
      "createTransfer: unexpected 201 response: it has the errorCode P433, which is not documented for a success; the call may have succeeded",
    );
    expect(result.error?.body).toBe('{"errorCode":"P433","iban":"[redacted]"}');
    expect(() => unwrap(result)).toThrow(PartnerApiError);
  });

  it("without required members is an error that names them", async () => {
    const { error } = await callCreateRateLock(respond(201, jsonHeaders, '{"lockId":"a"}'));
    expect(error?.message).toContain("rate, amount, expiresAt, cryptocurrency, network are missing");
    expect((await callCreateRateLock(respond(299, jsonHeaders, "{}"))).error?.message).toMatch(
      /lockId, rate, amount.*may have succeeded/,
    );
    expect((await callCreateRateLock(respond(300, jsonHeaders, "{}"))).error?.message).not.toContain(
      "may have succeeded",
    );
  });

  it("of a read that returns an object for a list, or lacks a field", async () => {
    for (const [operationId, path] of [
      ["getUserTransactionHistory", { externalUserId: "u", month: "03", year: "2026" }],
      ["getTransferDetails", { transferId: "t" }],
      ["listUserCards", { externalUserId: "u" }],
    ] as const) {
      expect((await clientWithResponse(200, {})[operationId]?.({ path }))?.error).toMatchObject({
        kind: "unexpected-response",
      });
    }
  });

  it("of a 202 without the documented code", async () => {
    const addVerification = (status: number, body: object) =>
      clientWithResponse(status, body).addUserVerification?.({ body: {} });
    expect((await addVerification(202, { errorCode: "P213" }))?.data).toEqual({ errorCode: "P213" });
    expect((await addVerification(202, { message: "ok" }))?.error?.message).toContain("errorCode is missing");
    expect((await addVerification(201, { errorCode: "P213" }))?.error?.kind).toBe("unexpected-response");
  });

  it("that success() builds is refused too", () => {
    expect(() => success("createTransfer", { transferId: undefined } as never)).toThrow(/transferId is missing/);
  });
});

describe("a response of the service", () => {
  const htmlHeaders = { "content-type": "text/html" };
  const plainTextHeaders = { "content-type": "text/plain" };
  const respondWithCode = (errorCode: string | number, status = 400) =>
    respond(status, jsonHeaders, JSON.stringify({ errorCode }));
  type Case = [name: string, response: () => Response, kind: string, status: number, outcome: Outcome, code?: string];
  const unexpectedCase = (name: string, response: () => Response, outcome: Outcome = "unknown"): Case => {
    return [name, response, "unexpected-response", response().status, outcome];
  };
  const cases: Case[] = [
    ["a documented code", respond(400, jsonHeaders, p403), "code", 400, "refused", "P403"],
    ["a code with the content type text/plain", respond(400, plainTextHeaders, p403), "code", 400, "refused", "P403"],
    ["a code of another operation", respondWithCode("P411"), "code", 400, "refused", "P411"],
    ["a code with another status", respondWithCode("P403", 404), "code", 404, "refused", "P403"],
    ["a code with an undocumented status", respondWithCode("P411", 409), "code", 409, "refused", "P411"],
    ["P500, an internal failure that comes with 400", respondWithCode("P500"), "code", 400, "unknown", "P500"],
    ["P501, which is temporary", respondWithCode("P501"), "code", 400, "unknown", "P501"],
    [
      "P213 as a failure, which the catalogue lists as a success",
      respondWithCode("P213"),
      "code",
      400,
      "unknown",
      "P213",
    ],
    ["an unlisted code", respondWithCode("P999"), "unknown-code", 400, "unknown", "P999"],
    ["a code that is a key of Object", respondWithCode("constructor"), "unknown-code", 400, "unknown", "[redacted]"],
    ["401 without a code", respond(401, jsonHeaders, '{"errorMessage":"Access Denied"}'), "no-code", 401, "refused"],
    ["an HTML 401", respond(401, htmlHeaders, "<h1>Denied</h1>"), "no-code", 401, "refused"],
    ["an empty 401", respond(401, {}), "no-code", 401, "refused"],
    unexpectedCase("a 400 without a code", respond(400, jsonHeaders, '{"errorMessage":"?"}')),
    unexpectedCase("an HTML 502", respond(502, htmlHeaders, "<h1>Bad Gateway</h1>")),
    unexpectedCase("a JSON 500", respond(500, jsonHeaders, '{"message":"oops"}')),
    unexpectedCase("a JSON null as an error", respond(400, jsonHeaders, "null")),
    unexpectedCase("a 429 without a body", respond(429, { "retry-after": "0" }), "refused"),
    unexpectedCase("an HTML 201", respond(201, htmlHeaders, "<p>Log in</p>")),
    unexpectedCase("an empty 201", respond(201, jsonHeaders)),
    unexpectedCase("a 204", respond(204, {})),
    unexpectedCase("a 201 with null", respond(201, jsonHeaders, "null")),
    unexpectedCase("a 201 cut short", respond(201, jsonHeaders, JSON.stringify(lock).slice(0, 20))),
    unexpectedCase("a 300", respond(300, jsonHeaders, "{}")),
    unexpectedCase("a permanent redirect", respond(308, { location: "http://127.0.0.1:9/steal" })),
    unexpectedCase("an HTML 404 of a proxy", respond(404, htmlHeaders, "<p>"), "refused"),
    unexpectedCase("a JSON 404 cut short", respond(404, jsonHeaders, '{"errorMessage":"m","errorCode":"P50')),
    unexpectedCase("a JSON 401 cut short", respond(401, jsonHeaders, '{"errorMessage":"m","errorCode":"P50')),
    unexpectedCase("a JSON 404 that is empty", respond(404, jsonHeaders, ""), "refused"),
    unexpectedCase("a 408", respond(408, jsonHeaders, "{}")),
    unexpectedCase("a 409 without a code", respond(409, jsonHeaders, "{}")),
    unexpectedCase("a 431", respond(431, jsonHeaders, "{}"), "refused"),
    unexpectedCase("a 432", respond(432, jsonHeaders, "{}")),
  ];

  it.concurrent.each(cases)("%s", async (_name, response, kind, status, outcome, code) => {
    const result = await callCreateRateLock(response);
    expect(result.data).toBeUndefined();
    expect(result.error).toBeInstanceOf(PartnerApiError);
    expect(result.error).toMatchObject({ kind, status, outcome, errorCode: code, operationId: "createOrderRateLock" });
    expect(JSON.parse(JSON.stringify(result.error)).outcome).toBe(outcome);
    expect(result.error?.message.includes("Check the base URL, and whether")).toBe(
      status === 404 && code === undefined,
    );
    expect(result.response?.status).toBe(status);
    expect(() => unwrap(result)).toThrow(result.error);
  });

  it.each([
    ["another status", 200, jsonHeaders],
    ["a status that HTTP does not know", 299, jsonHeaders],
    ["no content type", 201, {}],
    ["a content type of text", 201, { "content-type": "text/plain" }],
  ])("is a success with %s, when its body is readable", async (_name, status, headers) => {
    const result = await callCreateRateLock(respond(status, headers, JSON.stringify(lock)));
    expect([result.error, result.status, unwrap(result)]).toEqual([undefined, status, lock]);
  });

  const nestedJson = (count: number) => `{"a":${"[".repeat(count - 1)}${" ".repeat(10_000)}${"]".repeat(count - 1)}}`;

  it.each([
    ["the body is not a JSON object", 400, "application/json", "[]"],
    ["the body is invalid or truncated JSON", 400, "application/json", "{"],
    ["the body is empty", 400, "application/json", ""],
    ["the body is JSON of more than 500 levels", 400, "application/json", nestedJson(501)],
    ["the body is JSON of more than 500 levels", 400, "application/json", "[".repeat(10_000)],
    ["errorCode is missing", 400, "application/json", nestedJson(500)],
    ["errorCode is not a string", 400, "application/json", '{"errorCode":5}'],
    ["the content type is text/html", 502, "text/html; charset=utf-8", "<p>"],
    ["the content type is no media type", 502, "nonsense", "<p>"],
    ["the body is not a JSON object; the call may have succeeded", 201, "application/json", "[]"],
    ["redirects are not followed", 300, "application/json", "{}"],
  ])("is an error that says: %s", async (problem, status, contentType, text) => {
    const { error } = await callCreateRateLock(respond(status, { "content-type": contentType }, text));
    expect(error?.message).toBe(`createOrderRateLock: unexpected ${status} response: ${problem}`);
  });

  it.each([
    ["text/html", "<p>Log in</p>", undefined],
    ["Text/HTML ; charset=utf-8", "<p>Log in</p>", undefined],
    ["text/htmlx", "<p>Log in</p>", "unexpected-response"],
    ["text/html", "", "unexpected-response"],
    ["application/json", '{"a":1}', "unexpected-response"],
  ])("is a page only with the type %s and the text %j: %s", async (contentType, text, kind) => {
    const client = clientWith(async () => respond(200, { "content-type": contentType }, text)(), { edition: "test" });
    const path = { externalUserId: "user-1042", verificationId: "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63" };
    const { data, error } = await client.redirectToKycVerification({ path });
    expect([data, error?.kind]).toEqual([kind === undefined ? text : undefined, kind]);
  });

  it.each(["[]", "{}", '"[["', '"\\"[["'])("can have any number of values beside each other: %s", async (value) => {
    const text = `{"errorCode":"P403","list":[${Array(5_000).fill(value).join()}]}`;
    expect((await callCreateRateLock(respond(400, jsonHeaders, text))).error?.errorCode).toBe("P403");
  });

  it("without a P-code is an error that names its status, and an address that can be wrong", async () => {
    const clientResponding = (status: number) => clientWith(async () => jsonResponse(status, {}), { retries: 0 });
    const query = { externalId: "3e5a9c17" };
    const messages = [401, 404].map(async (status) => {
      const { error } = await clientResponding(status).getCryptoDepositDetails({ query });
      return error?.message;
    });
    expect(await Promise.all(messages)).toEqual([
      "getCryptoDepositDetails: 401 Access Denied",
      "getCryptoDepositDetails: 404 (or depositBaseUrl is wrong)",
    ]);
  });

  it("names the members, down to the fourth level, that the message of the service mentions", async () => {
    const body = { ...transfer, first: { second: { third: { fourth: { fifth: 1 } }, nothing: null }, ab: 1 } };
    const errorMessage = "body first second third fourth fifth ab path";
    const client = clientWith(async () => jsonResponse(400, { errorCode: "P403", errorMessage }));
    const { error } = await client.createTransfer({ body: body as never });
    expect(error?.message).toMatch(/: first, second, third, fourth$/);
  });

  it.each([
    ["documented", 400, p403, true],
    ["of another operation", 400, '{"errorCode":"P412"}', false],
    ["with another status", 404, p403, false],
    ["unlisted", 400, '{"errorCode":"P999"}', false],
  ])("says whether its code is documented: %s", async (_name, status, text, documented) => {
    const { error } = await callCreateRateLock(respond(status, jsonHeaders, text));
    expect(error).toMatchObject({ documented });
    expect(error?.message.includes("not documented")).toBe(!documented);
  });

  it("has the meaning and advice of its code, also for a code that the operation does not document", async () => {
    const { error } = await callCreateRateLock(respond(404, jsonHeaders, '{"errorCode":"P412"}'));
    const advice = { retry: expect.any(String), resolution: expect.any(String) };
    expect(error).toMatchObject({ meaning: "User not exist", ...advice });
    const documentedError = (await callCreateRateLock(respond(400, jsonHeaders, p403))).error;
    expect(documentedError).toMatchObject({ meaning: "Validation error", retry: "after-change", timestamp });
    expect(documentedError?.resolution).toContain("errorMessage");
    expect(documentedError?.message).toBe("createOrderRateLock: 400 P403 Validation error");
  });

  it("shows U+FFFD where the bytes of a text are cut short", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode("<p>"), 0xc3]);
    const { error } = await callCreateRateLock(() => new Response(bytes, { status: 502 }));
    expect(error?.body).toBe("<p>\ufffd");
  });

  it("keeps a capped text of an unexpected response, which JSON.stringify does not show", async () => {
    const { error } = await callCreateRateLock(
      respond(502, { "content-type": "text/html" }, `<p>${"x".repeat(10_000)}</p>`),
    );
    expect(error?.body).toHaveLength(2_000);
    expect(JSON.stringify(error)).not.toContain("xxx");
  });
});

it("an error has the request id, the headers without cookies, and the number of attempts", async () => {
  const headers = { ...jsonHeaders, "x-request-id": "req_123", "retry-after": "0", "set-cookie": "a=b" };
  const wallet = clientWith(async () => new Response("{}", { status: 429, headers }));
  const result = await wallet.getPartnerBalances({ retries: 1 });
  expect(() => unwrap(result)).toThrow(PartnerApiError);
  expect(result.error).toMatchObject({ requestId: "req_123", attempts: 2, headers: { "retry-after": "0" } });
  expect(result.error?.headers).not.toHaveProperty("set-cookie");
  expect(JSON.parse(JSON.stringify(result.error))).toMatchObject({ requestId: "req_123", attempts: 2 });
});

/** Calls a TCP server, which can send malformed and incomplete responses. Each connection is destroyed after 500 ms. */
async function callRaw(onRequest: (socket: Socket) => unknown, timeoutMs = 5_000) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => onRequest(socket));
    setTimeout(() => socket.destroy(), 500);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const result = await createPartnerClient({ baseUrl, apiKey: "key", timeoutMs }).createOrderRateLock({ body });
  await new Promise((resolve) => server.close(resolve));
  return result;
}

describe("a connection", () => {
  const partialResponse = (status: string, responseHead = "content-length: 500\r\n\r\n") =>
    `HTTP/1.1 ${status}\r\nx-request-id: req-77\r\ncontent-type: application/json\r\n${responseHead}{"lockId":`;
  const chunkedHead = "transfer-encoding: chunked\r\n\r\na\r\n";

  it.each<[string, (socket: Socket) => unknown, string, number?]>([
    ["closed without a response", (socket) => socket.destroy(), "network"],
    ["with a response that is not HTTP", (socket) => socket.end("220 smtp ready\r\n"), "network"],
    ["without a response in time", () => undefined, "timeout", 150],
  ])("%s is an error", async (_name, onRequest, kind, timeoutMs) => {
    const { error, response } = await callRaw(onRequest, timeoutMs);
    expect([error?.kind, error?.status, response]).toEqual([kind, undefined, undefined]);
    expect(error).toMatchObject({ outcome: "unknown" });
  });

  it.each<[string, number, (socket: Socket) => unknown, string, number?]>([
    ["closed in the middle of the body", 201, (socket) => socket.end(partialResponse("201 Created")), "network"],
    [
      "closed in the middle of an error body",
      400,
      (socket) => socket.end(partialResponse("400 Bad Request")),
      "network",
    ],
    [
      "with a broken chunk",
      201,
      (socket) => socket.end(`${partialResponse("201 Created", chunkedHead)}\r\nZZ\r\n`),
      "network",
    ],
    ["with half a response in time", 201, (socket) => socket.write(partialResponse("201 Created")), "timeout", 150],
  ])("%s is an error that keeps what arrived", async (_name, status, onRequest, kind, timeoutMs) => {
    const { error, response, status: resultStatus } = await callRaw(onRequest, timeoutMs);
    expect([error?.kind, error?.outcome, error?.status, response?.status]).toEqual([kind, "unknown", status, status]);
    expect([resultStatus, error?.requestId, error?.headers?.["x-request-id"]]).toEqual([status, "req-77", "req-77"]);
    expect(error?.body).toBe('{"lockId":');
    expect(error?.message).toContain(`The head of a ${status} response had arrived.`);
  });

  it("that the caller aborts during the call is an error", async () => {
    const wallet = clientWith(() => new Promise(() => undefined));
    const { error } = await wallet.createOrderRateLock({ body, signal: AbortSignal.timeout(20) });
    expect(error).toMatchObject({ kind: "aborted", outcome: "unknown" });
  });
});
