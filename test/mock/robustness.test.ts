/** No input ends or blocks the mock, and none makes it send an answer that the contract does not document. */
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bodyLimit, textLimit } from "../../scripts/mock/request/body.ts";
import { sendBytes, sendRaw } from "./raw-http.ts";
import {
  expectAlive,
  expectDocumented,
  key,
  operationOf,
  startTestMock,
  type TestMock,
  undocumentedIn,
  urlOf,
} from "./support.ts";

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

afterEach(() => expectAlive(mock));

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
    "an invalid boundary: %s",
    async (type) => {
      await send("addKycFiles", `${head}x\r\n--b--\r\n`, { "content-type": type });
    },
  );

  test("well-formed JSON that is not in UTF-8", async () => {
    const example = operationOf(mock, "createUserAccount").requestBody?.bodies[0]?.examples[0]?.value as object;
    const latin1 = Buffer.from(JSON.stringify({ ...example, city: "K\xf6ln" }), "latin1");
    expect((await send("createUserAccount", latin1, json)).errorMessage).toContain("UTF-8");
  });

  test("a compressed body, another charset, an invalid media type", async () => {
    await send("createUserAccount", gzipSync("{}"), { ...json, "content-encoding": "gzip" });
    await send("createUserAccount", Buffer.from("{}", "utf16le"), {
      "content-type": "application/json; charset=utf-16",
    });
    await send("createUserAccount", "{}", { "content-type": ";;;/" });
  });
});

describe("large bodies", () => {
  test("above the limits", async () => {
    const large = Buffer.alloc(bodyLimit + 1, " ");
    expect((await send("addKycFiles", large, form)).errorMessage).toContain(" 32 MiB");
    expect((await send("createUserAccount", large, json)).errorMessage).toContain(" 1 MiB");
    const text = Buffer.alloc(textLimit + 1, " ");
    expect((await send("createUserAccount", text, json)).errorMessage).toContain(" 1 MiB");
  });

  test("a text that exhausts the stack of a validator is above the limit", async () => {
    const example = operationOf(mock, "createUserAccount").requestBody?.bodies[0]?.examples[0]?.value as object;
    await send("createUserAccount", JSON.stringify({ ...example, email: `${"a.".repeat(8_000_000)}!` }), json);
  });

  test("files of more than ten megabytes are accepted", async () => {
    const operation = operationOf(mock, "addKycFiles");
    const files = new FormData();
    files.set("front_id", new File([Buffer.alloc(11_000_000)], "a.png", { type: "image/png" }));
    files.set("selfie", new File([Buffer.alloc(11_000_000)], "b.png", { type: "image/png" }));
    const response = await fetch(urlOf(mock, operation), { method: "POST", headers: key, body: files });
    expect(response.status).toBe(201);
  });

  test("texts of nearly a megabyte in fields with a format or pattern", async () => {
    const example = operationOf(mock, "createUserAccount").requestBody?.bodies[0]?.examples[0]?.value as object;
    for (const name of ["email", "phone", "country", "birthDate"]) {
      for (const repeated of ["1a@.-", "a."]) {
        const body = JSON.stringify({ ...example, [name]: `${repeated.repeat(1_000_000 / repeated.length)}!` });
        expect((await send("createUserAccount", body, json)).errorMessage).toContain(name);
      }
    }
  });
});

describe("connections", () => {
  const path = "/v1/order/lock-rate";
  const request = (headers: string, body: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

  test.each([
    ["within the headers", `POST ${path} HTTP/1.1\r\nHo`],
    ["within the body", request("x-api-key: k\r\nContent-Length: 1000", '{"a":')],
    ["within a chunk", request("x-api-key: k\r\nTransfer-Encoding: chunked", "ff\r\nabc")],
  ])("a client that disconnects: %s", async (_, bytes) => {
    await sendBytes(mock.url, bytes, { abort: true });
  });

  test.each([
    ["longer than the body", request("x-api-key: k\r\nContent-Length: 1000", "{}")],
    ["shorter than the body", request("x-api-key: k\r\nContent-Type: application/json\r\nContent-Length: 1", "{}{}")],
    ["twice", request("Content-Length: 2\r\nContent-Length: 3", "{}")],
    ["not a number", request("Content-Length: many", "{}")],
    ["with chunks", request("Content-Length: 2\r\nTransfer-Encoding: chunked", "{}")],
  ])("a wrong Content-Length: %s", async (_, bytes) => {
    const answer = await sendBytes(mock.url, bytes);
    expect(answer).toMatch(/^(HTTP\/1\.1 400 |$)/);
  });

  test.each([
    ["not HTTP", "\0\x01\x02 hello\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"],
    ["HTTP/0.9", "GET /v1/card/all/u\r\n\r\n"],
    ["a header that is too long", request(`x: ${"y".repeat(100_000)}`, "")],
    ["a target that is too long", `GET /${"y".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n"],
    ["Upgrade", request("Connection: Upgrade\r\nUpgrade: websocket", "")],
    ["without Host", `POST ${path} HTTP/1.1\r\n\r\n`],
  ])("a request that is not HTTP/1.1 or not allowed: %s", async (_, bytes) => {
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
])("an unusual header has no effect: %s %#", async (name, value) => {
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
])("an unusual request target: %s", async (target, status) => {
  const { url } = mock;
  expect((await sendRaw({ method: "GET", url, target, headers: key, body: "" })).status).toBe(status);
});
