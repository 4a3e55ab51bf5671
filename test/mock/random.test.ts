/** Random requests: none ends the mock, and none makes it send an answer that the contract does not document. */
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Operation } from "../../scripts/contract/index.ts";
import { sendBytes, sendRaw } from "./raw-http.ts";
import { expectAlive, key, operationOf, startTestMock, type TestMock, undocumentedIn } from "./support.ts";

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());
afterEach(() => expectAlive(mock));

const head = '--b\r\nContent-Disposition: form-data; name="front_id"; filename="a"\r\nContent-Type: image/png\r\n\r\n';
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
  fc.array(fc.constantFrom("--b", "\r\n", "--", head, "x", ":", '"'), { maxLength: 12 }).map((parts) => parts.join("")),
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

/** Sends a request and returns how its answer differs from those that are documented. */
const undocumentedAnswer = async (
  operation: Operation,
  target: string,
  headers: Record<string, string>,
  body: Uint8Array | string,
) => {
  const url = operation.address === "base_url" ? mock.url : mock.depositUrl;
  const answer = await sendRaw({ method: operation.method.toUpperCase(), url, target, headers, body });
  return undocumentedIn(operation, answer.status, answer.contentType, answer.text);
};

test("random requests to an operation get an answer that is documented for it", async () => {
  const property = fc.asyncProperty(requests(), async ({ operationId, ids, query, headers, body }) => {
    const operation = operationOf(mock, operationId);
    let index = 0;
    const path = operation.path.replace(/\{[^}]+\}/g, () => encodeURIComponent(ids[index++ % 4] ?? ""));
    expect(await undocumentedAnswer(operation, `${path}?${query}`, headers as Record<string, string>, body)).toEqual(
      [],
    );
  });
  await fc.assert(property, { numRuns: 200 });
});

test("random request targets get an answer", async () => {
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

test("random bytes do not end the mock", async () => {
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
