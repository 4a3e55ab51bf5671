/** Random requests to the mock, in the process: near to what the contract asks for, and far from it. */
import fc from "fast-check";
import type { Address, MockRequest } from "../../scripts/mock/answer/answer.ts";
import type { PlanOperation, PlanParameter } from "../../scripts/mock/plan/plan.ts";

export interface NearRequest {
  address: Address;
  request: MockRequest;
}

/** Texts that a number, a date or a name can be mistaken for. */
const oddTexts = ["", " ", "0", "1.50", "-3", "1e3", "1e400", "Infinity", "NaN", "0x10", "0b11", "02", " 7", "true"];
const moreOddTexts = ["null", "DE", "de", "a@b.example", "2026-02-30", "2026-03-10T09:12:07Z", "a,b", "a/b", "ä☂"];
const texts = fc.oneof(fc.constantFrom(...oddTexts, ...moreOddTexts), fc.string({ unit: "grapheme", maxLength: 12 }));
const values = fc.oneof(
  { weight: 3, arbitrary: texts },
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 4711, 1e300),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A request to one of the operations, seldom with a method or path that it does not have. */
export function nearRequests(operations: readonly PlanOperation[]): fc.Arbitrary<NearRequest> {
  return fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      address: rarely<Address>(operation.address, fc.constantFrom("base_url", "deposit_base_url")),
      request: fc.record({
        method: rarely(operation.method, fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD")),
        path: rarely(pathsOf(operation), fc.webPath()),
        query: queriesOf(operation),
        ...{ headers: headersOf(operation), body: bodiesOf(operation) },
      }),
    }),
  );
}

function rarely<Value>(usual: Value | fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  const often = usual instanceof fc.Arbitrary ? usual : fc.constant(usual);
  return fc.oneof({ weight: 12, arbitrary: often as fc.Arbitrary<Value> }, { weight: 1, arbitrary: other });
}

const exampleOf = ({ example }: PlanParameter) => fc.constant(String(example));

function pathsOf({ path, parameters }: PlanOperation): fc.Arbitrary<string> {
  const sent = parameters
    .filter((parameter) => parameter.in === "path")
    .map((parameter) => fc.oneof(exampleOf(parameter), texts).map((text) => [`{${parameter.name}}`, text] as const));
  return fc
    .tuple(...sent)
    .map((pairs) => pairs.reduce((text, [name, value]) => text.replace(name, () => encodeURIComponent(value)), path));
}

function queriesOf({ parameters }: PlanOperation): fc.Arbitrary<URLSearchParams> {
  const sent = parameters
    .filter((parameter) => parameter.in === "query")
    .map((parameter) =>
      rarely(
        fc.array(fc.oneof(exampleOf(parameter), texts), { minLength: 1, maxLength: 1 }),
        fc.array(texts, { maxLength: 3 }),
      ).map((all) => all.map((text): [string, string] => [parameter.name, text])),
    );
  const unknown = rarely<[string, string][]>([], fc.array(fc.tuple(texts, texts), { maxLength: 2 }));
  return fc.tuple(...sent, unknown).map((groups) => new URLSearchParams(groups.flat()));
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
  const usual = type.startsWith("multipart/") ? `${type}; boundary=b` : type;
  const otherTypes = fc.constantFrom("application/json; charset=latin1", "text/plain", "", "multipart/form-data");
  return fc
    .record({
      "x-api-key": rarely<string | undefined>("a-key", fc.constantFrom("", undefined)),
      "content-type": rarely<string | undefined>(usual, otherTypes),
      "content-encoding": rarely<string | undefined>(undefined, fc.constantFrom("gzip", "identity")),
      prefer: rarely<string | undefined>(undefined, fc.constantFrom(...preferences)),
      accept: rarely<string | undefined>(undefined, fc.constant("text/html")),
    })
    .map((headers) => JSON.parse(JSON.stringify(headers)) as MockRequest["headers"]);
}

function bodiesOf({ requestBody }: PlanOperation): fc.Arbitrary<MockRequest["body"]> {
  const [body] = requestBody?.bodies ?? [];
  const far = fc.oneof(fc.json(), fc.string(), fc.constantFrom("", "null", "[]", "{", "[".repeat(100)));
  const near =
    body === undefined
      ? fc.constant("")
      : body.mediaType.startsWith("multipart/")
        ? formsOf(body.parts)
        : changedExamples(Object.values(body.examples));
  return rarely(near, far).map((text) => ({ bytes: Buffer.from(text), tooLarge: false }));
}

/** An example without some of its fields, and with other values for some. */
function changedExamples(examples: readonly unknown[]): fc.Arbitrary<string> {
  return fc.constantFrom(...examples).chain((example) => {
    const names = Object.keys(example as object);
    const left = fc.subarray(names, { maxLength: Math.min(3, names.length) });
    const changes = fc.dictionary(fc.constantFrom(...names, "more", "__proto__"), values, { maxKeys: 3 });
    return fc.tuple(rarely<string[]>([], left), fc.oneof(fc.constant({}), changes)).map(([removed, changed]) => {
      const kept = Object.entries({ ...(example as object), ...changed }).filter(([name]) => !removed.includes(name));
      return JSON.stringify(Object.fromEntries(kept));
    });
  });
}

function formsOf(parts: readonly string[]): fc.Arbitrary<string> {
  const part = fc.record({
    name: rarely(fc.constantFrom(...parts), fc.constantFrom("other", "")),
    file: rarely('; filename="a.png"', fc.constantFrom("", '; filename=""')),
    type: rarely("image/png", fc.constantFrom("application/pdf", "text/plain", "x")),
    content: rarely("bytes", fc.constantFrom("", "ä", "--b")),
  });
  return fc.array(part, { maxLength: 5 }).map((all) => {
    const texts = all.map(
      ({ name, file, type, content }) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`,
    );
    return `${texts.join("")}--b--\r\n`;
  });
}
