/** Arbitraries for requests to the mock: valid requests, requests with a mistake, and random bytes. */
import fc from "fast-check";
import type { PlanOperation, PlanParameter } from "../../scripts/mock/plan/plan.ts";
import type { MockRequest } from "../../scripts/mock/request/body.ts";
import type { Address } from "../../scripts/mock/request/router.ts";

export interface NearlyValidRequest {
  address: Address;
  request: MockRequest;
}

const oddTexts = ["", " ", "0", "1.50", "-3", "1e3", "1e400", "Infinity", "NaN", "0x10", "0b11", "02", " 7", "true"];
const moreOddTexts = ["null", "DE", "de", "a@b.example", "2026-02-30", "2026-03-10T09:12:07Z", "a,b", "a/b", "ä☂"];
const texts = fc.oneof(fc.constantFrom(...oddTexts, ...moreOddTexts), fc.string({ unit: "grapheme", maxLength: 12 }));
const values = fc.oneof(
  { weight: 3, arbitrary: texts },
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 4711, 1e300),
  fc.jsonValue({ maxDepth: 2 }),
);

// These arbitraries are created only once, because creating an arbitrary takes longer than drawing from it. `fc.webPath` is not used,
// because creating it is especially slow.
const anyPaths = fc
  .array(fc.string({ unit: "grapheme", maxLength: 8 }))
  .map((segments) => segments.map((segment) => `/${encodeURIComponent(segment)}`).join(""));
const anyBodies = fc.oneof(fc.json(), fc.string(), fc.constantFrom("", "null", "[]", "{", "[".repeat(100)));

export function nearlyValidRequests(operations: readonly PlanOperation[]): fc.Arbitrary<NearlyValidRequest> {
  return fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      address: mostly<Address>(operation.address, fc.constantFrom("base_url", "deposit_base_url")),
      request: fc.record({
        method: mostly(operation.method, fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD")),
        path: mostly(pathsOf(operation), anyPaths),
        query: queriesOf(operation),
        headers: headersOf(operation),
        body: bodiesOf(operation),
      }),
    }),
  );
}

function mostly<Value>(usualValue: Value | fc.Arbitrary<Value>, otherValues: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  const usualArbitrary = usualValue instanceof fc.Arbitrary ? usualValue : fc.constant(usualValue);
  return fc.oneof(
    { weight: 12, arbitrary: usualArbitrary as fc.Arbitrary<Value> },
    { weight: 1, arbitrary: otherValues },
  );
}

const exampleOf = ({ example }: PlanParameter) => fc.constant(String(example));

function pathsOf({ path, parameters }: PlanOperation): fc.Arbitrary<string> {
  const parameterPairs = parameters
    .filter((parameter) => parameter.in === "path")
    .map((parameter) => fc.oneof(exampleOf(parameter), texts).map((text) => [`{${parameter.name}}`, text] as const));
  return fc
    .tuple(...parameterPairs)
    .map((pairs) => pairs.reduce((text, [name, value]) => text.replace(name, () => encodeURIComponent(value)), path));
}

function queriesOf({ parameters }: PlanOperation): fc.Arbitrary<URLSearchParams> {
  const parameterPairs = parameters
    .filter((parameter) => parameter.in === "query")
    .map((parameter) =>
      mostly(
        fc.array(fc.oneof(exampleOf(parameter), texts), { minLength: 1, maxLength: 1 }),
        fc.array(texts, { maxLength: 3 }),
      ).map((queryTexts) => queryTexts.map((text): [string, string] => [parameter.name, text])),
    );
  const unknownPairs = mostly<[string, string][]>([], fc.array(fc.tuple(texts, texts), { maxLength: 2 }));
  return fc.tuple(...parameterPairs, unknownPairs).map((groups) => new URLSearchParams(groups.flat()));
}

const preferences = [
  "code=400",
  "code=P412",
  "example=P500",
  "code=418",
  "dynamic=true, seed=1",
  "respond-async",
  '="',
];

function headersOf({ requestBody }: PlanOperation): fc.Arbitrary<MockRequest["headers"]> {
  const type = requestBody?.bodies[0]?.mediaType ?? "application/json";
  const usualType = type.startsWith("multipart/") ? `${type}; boundary=b` : type;
  const otherTypes = fc.constantFrom("application/json; charset=latin1", "text/plain", "", "multipart/form-data");
  return fc
    .record({
      "x-api-key": mostly<string | undefined>("a-key", fc.constantFrom("", undefined)),
      "content-type": mostly<string | undefined>(usualType, otherTypes),
      "content-encoding": mostly<string | undefined>(undefined, fc.constantFrom("gzip", "identity")),
      prefer: mostly<string | undefined>(undefined, fc.constantFrom(...preferences)),
      accept: mostly<string | undefined>(undefined, fc.constant("text/html")),
    })
    .map((headers) => JSON.parse(JSON.stringify(headers)) as MockRequest["headers"]);
}

function bodiesOf({ requestBody }: PlanOperation): fc.Arbitrary<MockRequest["body"]> {
  const [body] = requestBody?.bodies ?? [];
  const changedBodies =
    body === undefined
      ? fc.constant("")
      : body.mediaType.startsWith("multipart/")
        ? formsOf(body.parts)
        : changedExamplesOf(Object.values(body.examples));
  return mostly(changedBodies, anyBodies).map((text) => ({ bytes: Buffer.from(text), isTooLarge: false }));
}

function changedExamplesOf(examples: readonly unknown[]): fc.Arbitrary<string> {
  return fc.constantFrom(...examples).chain((example) => {
    const names = Object.keys(example as object);
    const removedNames = fc.subarray(names, { maxLength: Math.min(3, names.length) });
    const changes = fc.dictionary(fc.constantFrom(...names, "more", "__proto__"), values, { maxKeys: 3 });
    return fc
      .tuple(mostly<string[]>([], removedNames), fc.oneof(fc.constant({}), changes))
      .map(([omittedNames, changedMembers]) => {
        const keptEntries = Object.entries({ ...(example as object), ...changedMembers }).filter(
          ([name]) => !omittedNames.includes(name),
        );
        return JSON.stringify(Object.fromEntries(keptEntries));
      });
  });
}

function formsOf(parts: readonly string[]): fc.Arbitrary<string> {
  const part = fc.record({
    name: mostly(fc.constantFrom(...parts), fc.constantFrom("other", "")),
    file: mostly('; filename="a.png"', fc.constantFrom("", '; filename=""')),
    type: mostly("image/png", fc.constantFrom("application/pdf", "text/plain", "x")),
    content: mostly("bytes", fc.constantFrom("", "ä", "--b")),
  });
  return fc.array(part, { maxLength: 5 }).map((parts) => {
    const texts = parts.map(
      ({ name, file, type, content }) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`,
    );
    return `${texts.join("")}--b--\r\n`;
  });
}

export interface Burst {
  readonly bytes: Buffer;
  readonly isAborted: boolean;
}

export function anyBytes(operations: readonly PlanOperation[]): fc.Arbitrary<Burst> {
  const requests = fc
    .array(serializedRequests(operations), { minLength: 1, maxLength: 4 })
    .map((buffers) => Buffer.concat(buffers));
  const noise = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes));
  const insertedBytes = fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc.constantFrom(Buffer.from("\r\n"), Buffer.from("\0")),
  );
  const edit = fc.record({ position: fc.nat(), removedCount: fc.nat(3), insertedBytes });
  const edits = mostly<{ position: number; removedCount: number; insertedBytes: Uint8Array }[]>(
    [],
    fc.array(edit, { minLength: 1, maxLength: 4 }),
  );
  return fc.record({
    bytes: fc.tuple(mostly(requests, noise), edits).map(([allBytes, allEdits]) =>
      allEdits.reduce((bytes, { position, removedCount, insertedBytes }) => {
        const start = position % (bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, start), insertedBytes, bytes.subarray(start + removedCount)]);
      }, allBytes),
    ),
    isAborted: mostly(false, fc.constant(true)),
  });
}

const prefixes = ["http://elsewhere.example", "*", "/__mock/state", "/__mock/clock", "/..", `/${"a".repeat(9000)}`];
const extraHeaders = [
  "Expect: 100-continue",
  "Connection: close",
  "Connection: Upgrade\r\nUpgrade: h2c",
  "Prefer: \xff\xfe",
  `x: ${"x".repeat(20_000)}`,
  "x: y\r\n".repeat(3000).trim(),
];

function serializedRequests(operations: readonly PlanOperation[]): fc.Arbitrary<Buffer> {
  return fc
    .record({
      validRequest: nearlyValidRequests(operations),
      prefix: mostly("", fc.constantFrom(...prefixes)),
      version: mostly("HTTP/1.1", fc.constantFrom("HTTP/1.0", "HTTP/2.0", "", "HTTP/1.1\r\nHost: other")),
      headerLines: mostly<string[]>([], fc.subarray(extraHeaders)),
      framing: mostly("length", fc.constantFrom("chunked", "-1", "many", "1, 2", "4000000000")),
    })
    .map(({ validRequest: { request }, prefix, version, headerLines, framing }) => {
      const { method, path, query, headers, body } = request;
      const target = `${prefix}${path}${query.size === 0 ? "" : `?${query}`}`;
      const isChunked = framing === "chunked";
      const length = framing === "length" ? String(body.bytes.length) : framing;
      const lines = [
        ...[`${method} ${target} ${version}`, "Host: mock", ...headerLines],
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`,
      ];
      const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
      const chunk = Buffer.from(`${body.bytes.length.toString(16)}\r\n${body.bytes}\r\n0\r\n\r\n`);
      return Buffer.concat([head, isChunked ? chunk : body.bytes]);
    });
}
