/** No input kills the mock, and none gets an answer out of it that the contract does not document. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../scripts/contract/contract.ts";
import { bodyLimit } from "../../scripts/mock/body.ts";
import { sendBytes, sendRaw } from "./raw-http.ts";
import {
  expectDocumented,
  key,
  operationOf,
  startTestMock,
  type TestMock,
  undocumentedIn,
  urlOf,
  validInit,
} from "./support.ts";

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

/** Both addresses answer, and nothing in the mock itself has failed. */
afterEach(async () => {
  for (const operationId of ["listUserCards", "getCryptoDepositDetails"]) {
    const operation = operationOf(mock, operationId);
    expect((await fetch(urlOf(mock, operation), validInit(operation))).status).toBe(200);
  }
  expect(mock.entries.flatMap(({ notes }) => notes).filter((note) => note.startsWith("The mock failed"))).toEqual([]);
});

/** Sends a body to an operation with headers of its own. */
async function send(
  operationId: string,
  body: BodyInit,
  headers: Record<string, string>,
): Promise<{ errorMessage: string }> {
  const operation = operationOf(mock, operationId);
  const response = await fetch(urlOf(mock, operation), {
    method: operation.method.toUpperCase(),
    headers: { ...key, ...headers },
    body,
  });
  expect(response.status).toBeGreaterThanOrEqual(400);
  return (await expectDocumented(operation, response)) as { errorMessage: string };
}

const json = { "content-type": "application/json" };
const form = { "content-type": "multipart/form-data; boundary=b" };
const head = '--b\r\nContent-Disposition: form-data; name="front_id"; filename="a"\r\nContent-Type: image/png\r\n\r\n';

describe("malformed bodies", () => {
  test.each([
    ["{"],
    ['{"externalUserId": "user-1042",}'],
    ["\0"],
    ["[".repeat(200_000)],
    [`${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    [`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["1e999999"],
    ['{"__proto__":{"polluted":true}}'],
  ])("JSON %#", async (text) => {
    await send("createUserAccount", text, json);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each([
    [""],
    ["x"],
    ["--b"],
    ["--b\r\n"],
    ["--b--"],
    ["--c\r\n\r\n--c--\r\n"],
    [head],
    [`${head}x`],
    [`${head}x\r\n--b`],
    [`${head}x\r\n--bb--\r\n`],
    ['--b\nContent-Disposition: form-data; name="front_id"\n\nx\n--b--\n'],
    ["--b\r\n\r\nx\r\n--b--\r\n"],
    ["--b\r\nContent-Disposition: attachment\r\n\r\nx\r\n--b--\r\n"],
    [`--b\r\nX: ${"y".repeat(100_000)}\r\n\r\nx\r\n--b--\r\n`],
    [`${`${head}x\r\n`.repeat(2000)}--b--\r\n`],
    [`${head}x\r\n${head}y\r\n--b--\r\n`],
  ])("multipart %#", async (text) => {
    await send("addKycFiles", text, form);
  });

  test.each(["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\xff"])(
    "a boundary that is no good: %s",
    async (type) => {
      await send("addKycFiles", `${head}x\r\n--b--\r\n`, { "content-type": type });
    },
  );

  test("JSON that is well-formed but not in UTF-8", async () => {
    const example = operationOf(mock, "createUserAccount").requestBody?.bodies[0]?.examples[0]?.value as object;
    const latin1 = Buffer.from(JSON.stringify({ ...example, city: "K\xf6ln" }), "latin1");
    expect((await send("createUserAccount", latin1, json)).errorMessage).toContain("UTF-8");
  });

  test("compressed, in another charset, in a type that is no type", async () => {
    await send("createUserAccount", gzipSync("{}"), { ...json, "content-encoding": "gzip" });
    await send("createUserAccount", Buffer.from("{}", "utf16le"), {
      "content-type": "application/json; charset=utf-16",
    });
    await send("createUserAccount", "{}", { "content-type": ";;;/" });
  });
});

describe("large bodies", () => {
  test("beyond what the mock takes", async () => {
    const large = Buffer.alloc(bodyLimit + 1, " ");
    expect((await send("createUserAccount", large, json)).errorMessage).toContain("MiB");
    expect((await send("addKycFiles", large, form)).errorMessage).toContain("MiB");
  });

  test("files of more than ten megabytes are taken", async () => {
    const operation = operationOf(mock, "addKycFiles");
    const files = new FormData();
    files.set("front_id", new File([Buffer.alloc(11_000_000)], "a.png", { type: "image/png" }));
    files.set("selfie", new File([Buffer.alloc(11_000_000)], "b.png", { type: "image/png" }));
    const response = await fetch(urlOf(mock, operation), { method: "POST", headers: key, body: files });
    expect(response.status).toBe(201);
  });

  test("texts of megabytes in fields with a format or pattern", async () => {
    const example = operationOf(mock, "createUserAccount").requestBody?.bodies[0]?.examples[0]?.value as object;
    for (const name of ["email", "phone", "country", "birthDate"]) {
      const body = JSON.stringify({ ...example, [name]: `${"1a@.-".repeat(400_000)}!` });
      await send("createUserAccount", body, json);
    }
  });
});

describe("connections", () => {
  const path = "/v1/order/lock-rate";
  const request = (headers: string, body: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

  test.each([
    ["cut off in the headers", `POST ${path} HTTP/1.1\r\nHo`],
    ["cut off in the body", request("x-api-key: k\r\nContent-Length: 1000", '{"a":')],
    ["cut off in a chunk", request("x-api-key: k\r\nTransfer-Encoding: chunked", "ff\r\nabc")],
  ])("a client that goes away: %s", async (_, bytes) => {
    await sendBytes(mock.url, bytes, { abort: true });
  });

  test.each([
    ["longer than the body", request("x-api-key: k\r\nContent-Length: 1000", "{}")],
    ["shorter than the body", request("x-api-key: k\r\nContent-Type: application/json\r\nContent-Length: 1", "{}{}")],
    ["twice", request("Content-Length: 2\r\nContent-Length: 3", "{}")],
    ["no number", request("Content-Length: many", "{}")],
    ["with chunks", request("Content-Length: 2\r\nTransfer-Encoding: chunked", "{}")],
  ])("a Content-Length that is wrong: %s", async (_, bytes) => {
    const answer = await sendBytes(mock.url, bytes);
    expect(answer).toMatch(/^(HTTP\/1\.1 400 |$)/);
  });

  test.each([
    ["no HTTP", "\0\x01\x02 hello\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"],
    ["an old HTTP", "GET /v1/card/all/u\r\n\r\n"],
    ["a header that is too long", request(`x: ${"y".repeat(100_000)}`, "")],
    ["a target that is too long", `GET /${"y".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n"],
    ["an upgrade", request("Connection: Upgrade\r\nUpgrade: websocket", "")],
    ["no host", `POST ${path} HTTP/1.1\r\n\r\n`],
  ])("what is sent is %s", async (_, bytes) => {
    const answer = await sendBytes(mock.url, bytes);
    expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
  });
});

test.each([
  ["Accept", "text/html"],
  ["Accept", "nonsense;;;"],
  ["Accept", "*/*;q=0"],
  ["Accept", "application/xml, image/*;q=0.1"],
  ["Accept-Language", "\xe4\xf6\xfc"],
  ["Expect", "the-unexpected"],
  ["X-Api-Key", "k".repeat(8000)],
  ["Prefer", "code=".repeat(1500)],
  ["Prefer", `example="${"\\".repeat(4000)}`],
  ["Cookie", "=;=;="],
  ["Content-Type", "multipart/form-data"],
  ["Content-Type", "\xff"],
  ["__proto__", "x"],
  ["Constructor", "x"],
])("a strange header changes nothing: %s %#", async (name, value) => {
  const operation = operationOf(mock, "listUserCards");
  const { url } = mock;
  const headers = { ...key, [name]: value };
  const answer = await sendRaw({ method: "GET", url, target: "/v1/card/all/user-1042", headers, body: "" });
  expect(answer.status).toBe(200);
  expect(undocumentedIn(operation, answer.status, answer.contentType, answer.text)).toEqual([]);
});

test.each([
  ["*", 404],
  ["http://elsewhere.example/v1/card/all/user-1042", 200],
  ["http://elsewhere.example", 404],
  ["/v1/card/all/user-1042?", 200],
  ["/v1/card/all/user-1042?%ZZ&=&__proto__=1&__server=x", 200],
  ["/v1/card/all/..", 200],
  ["/v1/card/all/../all/user-1042", 404],
  ["/v1/card/all/%2e%2e", 200],
  ["/v1/card/all/%", 404],
  ["/v1/card/all/\xff", 400],
  ["/%E0%A4%A", 404],
])("a strange target: %s", async (target, status) => {
  const { url } = mock;
  expect((await sendRaw({ method: "GET", url, target, headers: key, body: "" })).status).toBe(status);
});

describe("at random", () => {
  const headerText = fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
    maxLength: 40,
  });
  const contentTypes = [
    "application/json",
    "application/json; charset=\xff",
    "multipart/form-data; boundary=b",
    "text/plain",
  ];
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json(),
    fc.string().map((text) => `${head}${text}\r\n--b--\r\n`),
    fc
      .array(fc.constantFrom("--b", "\r\n", "--", head, "x", ":", '"'), { maxLength: 12 })
      .map((parts) => parts.join("")),
  );
  const requests = () =>
    fc.record({
      operationId: fc.constantFrom(...mock.contract.operations.map(({ operationId }) => operationId)),
      ids: fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), { minLength: 4, maxLength: 4 }),
      query: fc.string({ maxLength: 60 }).map((text) => encodeURI(text)),
      headers: fc.record(
        {
          "x-api-key": headerText,
          accept: headerText,
          prefer: fc.oneof(headerText, fc.constantFrom("code=400", "example=P411", "code=400; example=x")),
          "content-type": fc.oneof(headerText, fc.constantFrom(...contentTypes)),
          "content-encoding": headerText,
        },
        { requiredKeys: [] },
      ),
      body: bodies,
    });

  /** Whether an answer is one that the contract documents for the operation. */
  const judge = async (
    operation: Operation,
    target: string,
    headers: Record<string, string>,
    body: Uint8Array | string,
  ) => {
    const url = operation.address === "base_url" ? mock.url : mock.depositUrl;
    const answer = await sendRaw({ method: operation.method.toUpperCase(), url, target, headers, body });
    return undocumentedIn(operation, answer.status, answer.contentType, answer.text);
  };

  test("any request to an operation has an answer that is documented for it", async () => {
    const property = fc.asyncProperty(requests(), async ({ operationId, ids, query, headers, body }) => {
      const operation = operationOf(mock, operationId);
      let index = 0;
      const path = operation.path.replace(/\{[^}]+\}/g, () => encodeURIComponent(ids[index++ % 4] ?? ""));
      expect(await judge(operation, `${path}?${query}`, headers as Record<string, string>, body)).toEqual([]);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  test("any target has an answer", async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        "v1",
        "user",
        "card",
        "all",
        "order",
        "lock-rate",
        "crypto-deposit",
        "details",
        "%",
        "%00",
        "..",
        "",
      ),
      fc.string({ maxLength: 8 }).map((text) => encodeURI(text)),
    );
    const target = fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join("/")}`);
    const methods = fc.constantFrom("GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "PROPFIND");
    const property = fc.asyncProperty(methods, target, fc.boolean(), async (method, path, onDeposit) => {
      const url = onDeposit ? mock.depositUrl : mock.url;
      const { status } = await sendRaw({ method, url, target: path, headers: key, body: "" });
      expect([200, 204, 400, 404, 405]).toContain(status);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test("any bytes leave it alive", async () => {
    const line = fc.constantFrom("POST /v1/order/lock-rate HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: x\r\n", "");
    const property = fc.asyncProperty(
      line,
      fc.uint8Array({ maxLength: 300 }),
      fc.boolean(),
      async (start, bytes, abort) => {
        await sendBytes(mock.url, Buffer.concat([Buffer.from(start), bytes]), { abort });
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
});
