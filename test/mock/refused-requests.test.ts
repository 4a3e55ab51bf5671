import { describe, expect, test } from "vitest";
import type { OpenApiDocument } from "../../scripts/contract/model/index.ts";
import { makeService, type ServiceOptions } from "../../scripts/mock/host/service.ts";
import { planOf } from "../../scripts/mock/make-plan/make-plan.ts";
import type { PlanOperation } from "../../scripts/mock/plan/plan.ts";
import type { Address } from "../../scripts/mock/request/router.ts";
import type { MockReply } from "../../scripts/mock/response/replies.ts";
import { plan } from "../support/plan.ts";
import { operationNamed } from "./codes/calls.ts";

interface SentRequest {
  readonly address?: Address;
  readonly method?: string;
  readonly path?: string;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly isTooLarge?: boolean;
}

const replyTo = serviceReplies();

function serviceReplies(options: Partial<ServiceOptions> = {}): (request: SentRequest) => MockReply {
  const { handle } = makeService({
    plan,
    edition: "test",
    seed: "s",
    urlOf: () => "http://other.example",
    stateless: true,
    ...options,
  });
  return ({ address = "base_url", method = "POST", path = "/", query, headers, body = "", isTooLarge = false }) =>
    handle(address, {
      method,
      path,
      query: new URLSearchParams(query),
      headers: { "x-api-key": "key", ...headers },
      body: { bytes: Buffer.from(body), isTooLarge },
    }) as MockReply;
}

const messageOf = ({ body }: MockReply) => (JSON.parse(body) as { errorMessage: string }).errorMessage;
const operationOf = (operationId: string) => operationNamed(plan, operationId);
const userExample = () => operationOf("createUserAccount").requestBody?.bodies[0]?.examples.fewestAttributes as object;
const cardsRequest = { method: "GET", path: "/v1/card/all/user-77" };
const json = { "content-type": "application/json" };

describe("a JSON body", () => {
  const { path } = operationOf("createUserAccount");
  const send = (body: string) => replyTo({ path, headers: json, body });

  test("of more than 64 levels, well-formed or not, is refused without parsing it", async () => {
    for (const text of ["[".repeat(1_000_000), `${"[".repeat(65)}${"]".repeat(65)}`, `{"a":${'{"a":'.repeat(64)}`]) {
      const reply = send(text);
      expect(reply.status).toBe(400);
      expect(messageOf(reply)).toBe("body: must not have more than 64 levels");
    }
    expect(messageOf(send("[".repeat(64)))).toBe("body: must be well-formed JSON");
  });

  test("with a number out of range is refused", async () => {
    const { path, requestBody } = operationOf("createOrderRateLock");
    const text = JSON.stringify(Object.values(requestBody?.bodies[0]?.examples ?? {})[0]);
    for (const amount of ["1e400", "-1e400"]) {
      const body = text.replace(/"amount":[^,}]*/, `"amount":${amount}`);
      expect(body).toContain(amount);
      const reply = replyTo({ path, headers: json, body });
      expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining("body: amount must be")]);
    }
  });

  test.each(["{", "\0", "1e999999", '{"__proto__":{"polluted":true}}'])("that is no user is refused: %j", (text) => {
    expect(send(text)).toMatchObject({ status: 400, code: expect.any(String) });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("with nearly a megabyte in a field with a format or pattern is refused", () => {
    for (const name of ["email", "phone", "country", "birthDate"]) {
      for (const repeatedText of ["1a@.-", "a."]) {
        const text = `${repeatedText.repeat(1_000_000 / repeatedText.length)}!`;
        expect(messageOf(send(JSON.stringify({ ...userExample(), [name]: text })))).toContain(name);
      }
    }
  });

  test("with brackets inside strings does not count as deep", async () => {
    const reply = send(JSON.stringify({ ...userExample(), externalUserId: `\\"${"[{".repeat(100)}` }));
    expect(reply.status).toBe(201);
  });

  test("of more than 1 MiB is refused", async () => {
    expect(messageOf(replyTo({ path, headers: json, isTooLarge: true }))).toBe("body: must not be larger than 1 MiB");
  });
});

test("a validator that throws counts as a violation, of a body and of a parameter", async () => {
  const fail = () => {
    throw new RangeError("stack");
  };
  const makeBrokenOperation = (operationId: string): PlanOperation => {
    const operation = operationOf(operationId);
    const { requestBody, parameters } = operation;
    const bodies = requestBody?.bodies.map((body) => ({ ...body, validator: fail })) ?? [];
    return {
      ...operation,
      parameters: parameters.map((parameter) => ({ ...parameter, validator: fail })),
      requestBody: requestBody && { ...requestBody, bodies },
    };
  };
  const operations = [makeBrokenOperation("createUserAccount"), makeBrokenOperation("getUserTransactionHistory")];
  const send = serviceReplies({ plan: { ...plan, operations } });
  const [user, history] = operations.map(({ path }) => path.replace(/\{[^}]+\}/g, "02"));
  expect(messageOf(send({ path: user ?? "", headers: json, body: "{}" }))).toContain("is too long to be checked");
  expect(messageOf(send({ method: "GET", path: history ?? "" }))).toContain("is too long to be checked");
});

describe("a form", () => {
  const part = (name: string, { file = '; filename="a.png"', type = "image/png", content = "bytes" } = {}) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
  const send = (operationId: string, ...parts: string[]) =>
    replyTo({
      path: operationOf(operationId).path.replace(/\{[^}]+\}/, "user-1042"),
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: `${parts.join("")}--b--\r\n`,
    });

  test("with a KYC file is accepted, alone and beside an unknown part", async () => {
    expect(send("addKycFiles", part("selfie")).status).toBe(201);
    expect(send("addKycFiles", part("selfie"), part("other", { file: "" })).status).toBe(201);
  });

  test("with an empty file name is refused with P439", async () => {
    const parts = [part("selfie"), part("front_id", { file: '; filename=""' })];
    expect(send("addKycFiles", ...parts)).toMatchObject({ status: 400, code: "P439" });
  });

  test("with files of more than ten megabytes is accepted", () => {
    const content = "x".repeat(11_000_000);
    expect(send("addKycFiles", part("front_id", { content }), part("selfie", { content })).status).toBe(201);
  });

  test.each(["", "; boundary=", "; boundary=\xff"])("with the invalid boundary %j is refused", (boundary) => {
    const path = operationOf("addKycFiles").path.replace(/\{[^}]+\}/, "user-1042");
    const headers = { "content-type": `multipart/form-data${boundary}` };
    expect(replyTo({ path, headers, body: `${part("selfie")}--b--\r\n` }).status).toBe(400);
  });

  test("above the upload limit of the mock is refused with P440", async () => {
    const path = operationOf("addKycFiles").path.replace(/\{[^}]+\}/, "user-1042");
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    expect(replyTo({ path, headers, isTooLarge: true })).toMatchObject({ status: 400, code: "P440" });
  });
});

describe("parameters", () => {
  const repliesOf = (parameters: object[], responses: object = { 200: { description: "OK" }, 400: problem }) => {
    const document = {
      openapi: "3.1.0",
      info: { title: "Small", version: "1" },
      servers: [{ url: "{base_url}" }],
      paths: { "/sum/{id}": { get: { operationId: "getSum", parameters, responses } } },
    } as unknown as OpenApiDocument;
    const replyToSmall = serviceReplies({ plan: planOf({ document }) });
    return (query: Record<string, string>, path = "/sum/1") => replyToSmall({ method: "GET", path, query });
  };
  const error = { errorMessage: "Wrong", errorCode: "P400" };
  const problem = { description: "No.", content: { "application/json": { examples: { P400: { value: error } } } } };
  const amountParameter = (name: string, schema: object, extraMembers: object = {}) => ({
    name,
    in: "query",
    schema,
    ...extraMembers,
  });

  test("are reported as header, query, path, missing ones first; more than five violations are counted", () => {
    const number = { type: "integer" };
    const id = { ...amountParameter("id", number, { in: "path", required: true }) };
    const names = ["b", "c", "d"];
    const replyOf = repliesOf([
      id,
      amountParameter("a", number),
      ...names.map((name) => amountParameter(name, number, { required: true })),
      amountParameter("x-h", number, { in: "header", required: true }),
    ]);
    const missingMessages = ["header parameter x-h", ...names.map((name) => `query parameter ${name}`)].map(
      (name) => `${name}: is required`,
    );
    const wrongMessage = "query parameter a: must be a whole number";
    expect(messageOf(replyOf({ a: "x" })).split("; ")).toEqual([...missingMessages, wrongMessage]);
    expect(messageOf(replyOf({ a: "x" }, "/sum/x")).split("; ")).toEqual([
      ...missingMessages,
      wrongMessage,
      "and 1 more",
    ]);
  });

  test("of an operation without a success response cause an internal error of the mock", () => {
    const reply = repliesOf([], { 300: { description: "Elsewhere" } })({});
    expect([reply.status, reply.notes.join()]).toEqual([500, expect.stringContaining("Error at ")]);
  });

  test("that only JavaScript takes for a number are refused", async () => {
    const numberOrText = { anyOf: [{ type: "number" }, { type: "string", pattern: "^-?\\d+(\\.\\d+)?$" }] };
    const parameters = [
      amountParameter("number", { type: "number" }),
      amountParameter("integer", { type: "integer" }),
      amountParameter("either", numberOrText),
      amountParameter("text", { type: "string" }),
    ];
    const replyOf = repliesOf(parameters);
    const statusOf = (query: Record<string, string>) => replyOf(query).status;
    for (const text of ["Infinity", "-Infinity", "0x10", "0b11", "1e400", "NaN", " 1 ", " "]) {
      expect(statusOf({ number: text })).toBe(400);
      expect(statusOf({ integer: text })).toBe(400);
      expect(statusOf({ either: text })).toBe(400);
      expect(statusOf({ text })).toBe(200);
    }
    for (const text of ["1", "-1.50", "1e3"]) expect(statusOf({ number: text, either: text })).toBe(200);
    for (const text of ["1", "-1", "1e3"]) expect(statusOf({ integer: text })).toBe(200);
  });

  test("are each named once when missing", async () => {
    for (const operation of plan.operations) {
      const requiredParameters = operation.parameters.filter(
        (parameter) => parameter.in === "query" && parameter.required,
      );
      if (requiredParameters.length < 2 || operation.address !== "base_url") continue;
      const path = operation.path.replace(/\{[^}]+\}/g, "x");
      const reply = replyTo({ method: operation.method, path });
      const messages = messageOf(reply).split("; ");
      expect(messages).toEqual([...new Set(messages)]);
      expect(messages.length).toBeLessThanOrEqual(operation.parameters.length);
      expect(messages.join()).not.toContain("more");
    }
  });
});

describe("a response", () => {
  test("warns of Prism preferences that have no effect", async () => {
    const reply = replyTo({ ...cardsRequest, headers: { prefer: "dynamic=true, seed=7" } });
    expect(reply.status).toBe(200);
    expect(reply.headers["x-mock-warning"]).toContain("dynamic, seed");
  });

  test("names the user for a preferred P-code, but not for a preferred example", async () => {
    expect(messageOf(replyTo({ ...cardsRequest, headers: { prefer: "code=P461" } }))).toBe(
      "User not extended: user-77",
    );
    expect(messageOf(replyTo({ ...cardsRequest, headers: { prefer: "example=P461" } }))).toBe("User not extended");
    const { path } = operationOf("createUserAccount");
    expect(messageOf(replyTo({ path, headers: { prefer: "code=P431" } }))).toBe("Forbidden country");
  });

  test("has only headers that the contract declares, also for a deprecated operation", async () => {
    const deprecatedOperations = plan.operations.filter((operation) => operation.deprecated);
    expect(deprecatedOperations.map(({ operationId }) => operationId)).toContain("listUserCards");
    const reply = replyTo(cardsRequest);
    expect(Object.keys(reply.headers).filter((name) => !name.startsWith("x-mock-"))).toEqual(["content-type"]);
  });

  test("lists the assumptions that it depends on", async () => {
    const counts = { ofCode: 0, ofStatus: 0 };
    for (const { assumes, address, method, path: template, responses } of plan.operations) {
      for (const { status, code } of responses) {
        const path = template.replace(/\{[^}]+\}/g, "x");
        const { headers } = replyTo({ address, method, path, headers: { prefer: `code=${code ?? status}` } });
        const marks = assumes[code ?? ""] ?? assumes[status];
        expect(headers["x-mock-assumes"]).toBe(marks?.join(", "));
        counts[assumes[code ?? ""] === undefined ? "ofStatus" : "ofCode"] += 1;
      }
    }
    expect(Object.values(counts)).not.toContain(0);
  });

  test("of 404 names the nearest path", async () => {
    const replyToNearPath = replyTo({ method: "GET", path: "/v1/cards/all/3e7f0b1c-52ad-4c39-9d6a-77aa10c4d2e9" });
    expect([replyToNearPath.status, replyToNearPath.body]).toEqual([
      404,
      expect.stringContaining("The nearest one is /v1/card/all/{externalUserId}"),
    ]);
    expect(replyTo({ method: "GET", path: "/nothing" }).body).toBe("The contract has no such path.\n");
    expect(replyTo({ method: "GET", path: `/${"a/".repeat(5000)}` }).status).toBe(404);
  });

  test("of 404 names the edition that has the operation", async () => {
    const replyToLatest = serviceReplies({ edition: "latest" });
    for (const { address, path, method, editions } of plan.operations) {
      const reply = replyToLatest({
        address,
        method,
        headers: { "x-api-key": "" },
        path: path.replace(/\{[^}]+\}/g, "x"),
      });
      const isAbsent = reply.body.startsWith(
        "This operation is in the edition test only. Choose it with --edition test",
      );
      expect([reply.status === 404, isAbsent]).toEqual(Array(2).fill(!editions.includes("latest")));
    }
  });
});

describe("internal errors of the mock", () => {
  const canary = "canary7";

  test("give a plain 500 and a note in the terminal", () => {
    const operations = plan.operations.map((operation) =>
      Object.defineProperty({ ...operation }, "responses", {
        get() {
          throw new TypeError(`cannot read ${canary}`);
        },
      }),
    );
    const replyTo = serviceReplies({ plan: { ...plan, operations } });
    for (const headers of [{ "x-api-key": "" }, { prefer: "code=P459" }]) {
      const reply = replyTo({ ...cardsRequest, headers });
      expect(reply).toMatchObject({
        status: 500,
        code: undefined,
        notes: [expect.stringContaining("The mock failed")],
      });
      expect(reply.headers["content-type"]).toContain("text/plain");
      expect(JSON.stringify(reply)).not.toContain(canary);
    }
  });

  test("in the behaviour of an operation give a 500 and a note too", () => {
    const responseValidators = new Proxy(
      {},
      {
        get: () => () => {
          throw new RangeError(canary);
        },
      },
    );
    const operations = plan.operations.map((operation) => ({ ...operation, requires: [], responseValidators }));
    const reply = serviceReplies({ plan: { ...plan, operations }, stateless: false })(cardsRequest);
    expect(reply).toMatchObject({ status: 500, code: undefined, notes: [expect.stringContaining("RangeError at ")] });
    expect(JSON.stringify(reply)).not.toContain(canary);
  });

  test("in the control interface give a 500 and a note too", async () => {
    const validator = () => {
      throw new RangeError("broken");
    };
    const control = plan.control.map(({ body, ...operation }) => ({
      ...operation,
      body: body && { ...body, validator },
    }));
    const send = serviceReplies({ plan: { ...plan, control } });
    const reply = await send({ method: "PATCH", path: "/__mock/assumptions", body: "{}" });
    expect(reply).toMatchObject({ status: 500, notes: [expect.stringContaining("The mock failed")] });
  });

  test("do not include an invalid request without a documented refusal: it is accepted with a warning", () => {
    const refuse = Object.assign(() => false, { errors: [{ keyword: "type", instancePath: "", params: {} }] });
    const operations = plan.operations.map(({ parameters, ...operation }) => ({
      ...operation,
      parameters: parameters.map((parameter) => ({ ...parameter, validator: refuse, invalidRequest: undefined })),
    }));
    const reply = serviceReplies({ plan: { ...plan, operations } })(cardsRequest);
    expect(reply).toMatchObject({ status: 200, headers: { "x-mock-warning": expect.any(String) } });
    expect(reply.notes.join()).toContain("defines no response");
  });
});
