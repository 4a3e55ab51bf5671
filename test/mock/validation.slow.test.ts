/** A request that violates the contract gets the answer that the contract defines for the violation. */
import { beforeAll, describe, expect, test } from "vitest";
import type { JsonSchema, Operation, Parameter } from "../../scripts/contract/index.ts";
import type { BodyViolationKind } from "../../scripts/mock/request/body.ts";
import { copyOf } from "../support/contract.ts";
import { propertiesOf, requiredOf, violations } from "../support/schema.ts";
import { expectDocumented, key, makeTestMock, operationOf, schemaOf, urlOf, validInit, withJson } from "./support.ts";

interface ErrorBody {
  errorCode?: string;
  errorMessage: string;
  timestamp: string;
}

/** Checks that an answer is the defined one: a P-code or, for an answer without one, a status. */
async function expectRefusal(operation: Operation, response: Response, named: string | undefined): Promise<ErrorBody> {
  const body = (await expectDocumented(operation, response)) as ErrorBody;
  const what = `${operation.operationId} ${response.url}: ${JSON.stringify(body)}`;
  expect(named, what).toBeDefined();
  expect([String(response.status), body.errorCode], what).toContain(named);
  const age = Date.now() - Date.parse(body.timestamp);
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(60_000);
  return body;
}

function definedFor(operation: Operation, kind: BodyViolationKind): string | undefined {
  const named = operation.requestBody?.invalidRequest;
  return typeof named === "object" ? (named[kind] ?? named.otherwise) : named;
}

let mock: Awaited<ReturnType<typeof makeTestMock>>;
beforeAll(async () => {
  mock = await makeTestMock();
});

describe("every operation", () => {
  test("a request without a key, or with an empty one", async () => {
    for (const operation of mock.contract.operations) {
      const { headers, ...init } = validInit(operation);
      const { "x-api-key": _, ...withoutKey } = headers;
      for (const tried of [withoutKey, { ...withoutKey, "x-api-key": "" }, { ...withoutKey, "x-api-key": " " }]) {
        const response = await mock.fetch(urlOf(mock, operation), { ...init, headers: tried });
        expect(response.status).toBe(401);
        await expectRefusal(operation, response, "401");
      }
    }
  });

  test("every parameter that can be invalid", async () => {
    const cases = mock.contract.operations.flatMap(brokenParameters);
    expect(cases.length).toBeGreaterThan(0);
    for (const { operation, parameter, value } of cases) {
      const url = urlOf(mock, operation, { [parameter.name]: value });
      const response = await mock.fetch(url, validInit(operation));
      const { errorCode, errorMessage } = await expectRefusal(operation, response, parameter.invalidRequest);
      if (errorCode !== undefined) {
        expect(errorMessage, operation.operationId).toContain(parameter.name);
        if (value?.trim()) expect(errorMessage).not.toContain(value);
      }
    }
  });

  test("every required field, format, pattern and type of a JSON body", async () => {
    const cases = mock.contract.operations.flatMap(brokenBodies);
    expect(cases.length).toBeGreaterThan(0);
    for (const { operation, what, kind, body, named, secret } of cases) {
      const response = await mock.fetch(urlOf(mock, operation), withJson(validInit(operation), body));
      expect(response.status, `${operation.operationId}: ${what}`).toBeGreaterThanOrEqual(400);
      const { errorMessage } = await expectRefusal(operation, response, definedFor(operation, kind));
      expect(errorMessage, `${operation.operationId}: ${what}`).toContain(named);
      if (secret !== undefined) expect(errorMessage).not.toContain(secret);
    }
  });

  test("the derived cases cover every restriction of a property", () => {
    for (const operation of mock.contract.operations) {
      const [body] = operation.requestBody?.bodies ?? [];
      for (const [name, schema] of Object.entries(body === undefined ? {} : propertiesOf(schemaOf(body)))) {
        if (restrictionsOf(schema).length === 0 || schema.format === "binary") continue;
        const broken = brokenBodies(operation).filter(({ named, secret }) => named === name && secret !== undefined);
        expect(
          broken.some(({ secret }) => violations(schema, secret).length > 0) ||
            restrictionsOf(schema).join() === "minLength",
          `${operation.operationId} ${name}`,
        ).toBe(true);
      }
    }
  });

  test("a body that is missing, malformed, of another media type or not an object", async () => {
    const withBody = mock.contract.operations.filter((operation) => operation.requestBody?.required);
    expect(withBody.length).toBeGreaterThan(0);
    for (const operation of withBody) {
      const url = urlOf(mock, operation);
      const method = operation.method.toUpperCase();
      const type = operation.requestBody?.bodies[0]?.mediaType ?? "";
      const send = (body: BodyInit | null, contentType = type) =>
        mock.fetch(url, { method, headers: { ...key, "content-type": contentType }, body });
      await expectRefusal(operation, await send(null), definedFor(operation, "missing"));
      await expectRefusal(operation, await send("<a/>", "application/xml"), definedFor(operation, "mediaType"));
      await expectRefusal(operation, await send("a=b", "nonsense"), definedFor(operation, "mediaType"));
      await expectRefusal(operation, await send(new Uint8Array([1, 2]), ""), definedFor(operation, "mediaType"));
      await expectRefusal(operation, await send("{}", `${type}; charset=utf-16`), definedFor(operation, "mediaType"));
      await expectRefusal(operation, await send('{"a":'), definedFor(operation, "otherwise"));
      await expectRefusal(operation, await send(new Uint8Array([0xc3, 0x28])), definedFor(operation, "otherwise"));
      for (const text of ["null", "false", "0", '""', "[]", '"text"', "7"]) {
        await expectRefusal(operation, await send(text), definedFor(operation, "otherwise"));
      }
      const compressed = { ...key, "content-type": type, "content-encoding": "gzip" };
      const response = await mock.fetch(url, { method, headers: compressed, body: "{}" });
      await expectRefusal(operation, response, definedFor(operation, "mediaType"));
    }
  });

  test("every file part of a multipart body in a type that is not accepted, and a body without parts", async () => {
    for (const operation of mock.contract.operations) {
      const body = operation.requestBody?.bodies.find(({ mediaType }) => mediaType === "multipart/form-data");
      if (body === undefined) continue;
      const { headers, method } = validInit(operation) as { headers: Record<string, string>; method: string };
      const send = (form: FormData) => mock.fetch(urlOf(mock, operation), { method, headers, body: form });
      for (const [name, accepted] of Object.entries(body.partTypes)) {
        const good = new FormData();
        for (const type of accepted) {
          good.set(name, new File(["x"], "a", { type }));
          expect((await send(good)).status).toBeLessThan(300);
        }
        for (const wrong of [new File(["x"], "a.txt", { type: "text/plain" }), new File(["x"], "a"), "x"]) {
          const form = new FormData();
          form.set(name, wrong);
          const { errorMessage } = await expectRefusal(operation, await send(form), definedFor(operation, "mediaType"));
          expect(errorMessage).toContain(name);
        }
      }
      const empty = await mock.fetch(urlOf(mock, operation), {
        method,
        headers: { ...headers, "content-type": "multipart/form-data; boundary=b" },
        body: "--b--\r\n",
      });
      await expectRefusal(operation, empty, definedFor(operation, "otherwise"));
    }
  });
});

describe("precedence and messages", () => {
  test("the key, then the parameters, then what is missing in the body", async () => {
    const operation = operationOf(mock, "addUserVerification");
    const url = urlOf(mock, operation);
    const bothWrong = { documentType: "LIBRARY_CARD" };
    const withoutKey = await mock.fetch(url, withJson({ method: "POST", headers: {} }, bothWrong));
    await expectRefusal(operation, withoutKey, "401");
    const withKey = await mock.fetch(url, withJson({ method: "POST", headers: key }, bothWrong));
    const { errorMessage } = await expectRefusal(operation, withKey, definedFor(operation, "missing"));
    expect(errorMessage).toMatch(/; and \d+ more$/);
  });

  test("an answer without a P-code keeps its documented message, which identifies it", async () => {
    const operation = operationOf(mock, "getCryptoDepositDetails");
    const response = await mock.fetch(urlOf(mock, operation, { externalId: "nonsense" }), { headers: key });
    const { errorMessage } = await expectRefusal(operation, response, "404");
    expect(errorMessage).toBe("Transaction not found");
  });

  test("additional properties are accepted", async () => {
    const operation = operationOf(mock, "createOrderRateLock");
    const example = operation.requestBody?.bodies[0]?.examples[0]?.value as object;
    const init = withJson(validInit(operation), { ...example, more: { a: 1 }, constructor: 1 });
    expect((await mock.fetch(urlOf(mock, operation), init)).status).toBe(201);
  });
});

test("a transfer that names neither user gets P424", async () => {
  const operation = operationOf(mock, "createTransfer");
  const send = (body: object) => mock.fetch(urlOf(mock, operation), withJson(validInit(operation), body));
  const amount = { amount: "1.00", currency: "eur" };
  await expectRefusal(operation, await send(amount), definedFor(operation, "alternative"));
  expect(definedFor(operation, "alternative")).toBe("P424");
  expect((await send({ ...amount, destinationExternalUserId: "user-3310" })).status).toBe(201);
});

test("the length of a file part is counted in bytes", async () => {
  const document = await copyOf("test");
  const files = document.components?.schemas?.KycFilesRequest as { properties: Record<string, JsonSchema> };
  files.properties.front_id = { type: "string", maxLength: 3 };
  const mock = await makeTestMock(document);
  const operation = operationOf(mock, "addKycFiles");
  const send = async (bytes: number[]) => {
    const form = new FormData();
    form.set("front_id", new File([new Uint8Array(bytes)], "a.png", { type: "image/png" }));
    return (await mock.fetch(urlOf(mock, operation), { method: "POST", headers: key, body: form })).status;
  };
  expect(await send([0xc3, 0xa4, 0xff])).toBe(201);
  expect(await send([0xc3, 0xa4, 0xff, 0xfe])).toBe(400);
});

test("a body of one of several media types is validated by the schema of that media type", async () => {
  const document = await copyOf("test");
  const item = document.paths["/v1/order/lock-rate"]?.post as { requestBody: { content: Record<string, object> } };
  const { content } = item.requestBody;
  item.requestBody.content = { "text/plain": { schema: { type: "string", maxLength: 3 } }, ...content };
  const mock = await makeTestMock(document);
  const send = async (type: string, body: string) => {
    const headers = { ...key, "content-type": type };
    return (await mock.fetch(`${mock.url}/v1/order/lock-rate`, { method: "POST", headers, body })).status;
  };
  expect(await send("text/plain", "abc")).toBe(201);
  expect(await send("text/plain", "abcd")).toBe(400);
  expect(await send("application/json", '{"currency":"btc","amount":"1","network":"btc"}')).toBe(201);
  expect(await send("application/json", '{"currency":"btc","amount":"x","network":"btc"}')).toBe(400);
  expect(await send("application/xml", "<a/>")).toBe(400);
});

interface BrokenParameter {
  operation: Operation;
  parameter: Parameter;
  /** The invalid value; undefined when the parameter is left out. */
  value: string | undefined;
}

interface BrokenBody {
  operation: Operation;
  /** The violation, for the message of a failed test. */
  what: string;
  kind: BodyViolationKind;
  body: unknown;
  /** The name that the message must contain. */
  named: string;
  /** The value that the message must not contain. */
  secret: string | undefined;
}

const wrongTexts = ["not valid ☂", "-1x", "XX99", "2026-02-30", "20260", " "];

/** Each parameter left out where that is possible, and with every wrong text that violates its schema. */
function brokenParameters(operation: Operation): BrokenParameter[] {
  return operation.parameters.flatMap((parameter) => {
    const wrong = wrongTexts.filter(
      (text) => violations(schemaOf(parameter), asParameter(schemaOf(parameter), text)).length > 0,
    );
    const left: (string | undefined)[] = parameter.in === "query" && parameter.required ? [undefined, ""] : [];
    return [...left, ...wrong].map((value) => ({ operation, parameter, value }));
  });
}

/** The value that a text in a URL represents: a number is sent as its digits. */
function asParameter({ type }: JsonSchema, text: string): unknown {
  return (type === "number" || type === "integer") && text.trim() !== "" ? Number(text) : text;
}

/** The example of a JSON body without each required property, and with each property given values that violate it. */
function brokenBodies(operation: Operation): BrokenBody[] {
  const body = operation.requestBody?.bodies.find(({ mediaType }) => mediaType === "application/json");
  if (body === undefined) return [];
  const example = body.examples[0]?.value as Record<string, unknown>;
  const missing = requiredOf(schemaOf(body)).map((name): BrokenBody => {
    const { [name]: _, ...rest } = example;
    return { operation, what: `${name} missing`, kind: "missing", body: rest, named: name, secret: undefined };
  });
  const wrong = Object.entries(propertiesOf(schemaOf(body))).flatMap(([name, schema]) =>
    wrongValues(schema).map((value): BrokenBody => {
      const secret = typeof value === "string" && value.trim() !== "" ? value : undefined;
      const what = `${name} ${JSON.stringify(value)}`;
      return { operation, what, kind: "otherwise", body: { ...example, [name]: value }, named: name, secret };
    }),
  );
  return [...missing, ...wrong];
}

/** The keywords of a property that restrict its strings. */
function restrictionsOf(schema: JsonSchema): string[] {
  return ["format", "pattern", "enum", "const", "minLength"].filter((keyword) => keyword in schema);
}

function wrongValues(schema: JsonSchema): unknown[] {
  return [...wrongTexts, "", null, 4711, true, [], {}].filter((value) => violations(schema, value).length > 0);
}
