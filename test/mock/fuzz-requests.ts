/** Bytes for the fuzz test: valid requests, mutated in every part, and bytes that are no request at all. */
import type { PlanOperation } from "../../scripts/mock/plan/plan.ts";
import type { Chance } from "./chance.ts";

interface Parts {
  method: string;
  target: string;
  version: string;
  /** Name and value of each header. */
  headers: [string, string][];
  body: Buffer;
  /** How the body is framed. */
  framing: "length" | "chunks";
}

/** What one connection sends. */
export interface Burst {
  readonly bytes: Buffer;
  /** What the client does then: end its side, wait for a first byte before that, or go away. */
  readonly then: "end" | "wait" | "leave";
}

/** One connection's worth of bytes: mostly one mutated request, at times several or none. */
export function burstOf(chance: Chance, operations: readonly PlanOperation[]): Burst {
  const then = chance.once(25) ? "leave" : chance.once(8) ? "wait" : "end";
  if (chance.once(20)) return { bytes: chance.bytes(chance.below(2000)), then };
  const count = chance.once(10) ? 2 + chance.below(5) : 1;
  const requests = Array.from({ length: count }, () => requestOf(chance, operations));
  const bytes = Buffer.concat(requests);
  return { bytes: chance.once(5) ? damaged(chance, bytes) : bytes, then };
}

function requestOf(chance: Chance, operations: readonly PlanOperation[]): Buffer {
  const parts = validParts(chance, chance.of(operations));
  const changes = chance.below(4);
  for (let change = 0; change < changes; change += 1) chance.of(mutations)(parts, chance);
  return written(parts, chance);
}

const boundary = "fuzz";

function validParts(chance: Chance, { method, path, parameters, requestBody }: PlanOperation): Parts {
  const values = (location: string) => parameters.filter((parameter) => parameter.in === location);
  const filled = values("path").reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(values("query").map(({ name, example }) => [name, String(example)]));
  const [body] = requestBody?.bodies ?? [];
  const example = body === undefined ? undefined : chance.of(Object.values(body.examples));
  const isForm = body?.mediaType.startsWith("multipart/") ?? false;
  const type = isForm ? `${body?.mediaType}; boundary=${boundary}` : body?.mediaType;
  return {
    method,
    target: query.size === 0 ? filled : `${filled}?${query}`,
    version: "HTTP/1.1",
    headers: [
      ["Host", "mock"],
      ["x-api-key", `key-${chance.below(4)}`],
      ...(type === undefined ? [] : [["Content-Type", type] as [string, string]]),
    ],
    body: example === undefined ? Buffer.alloc(0) : isForm ? formOf(example as object) : jsonOf(example),
    framing: "length",
  };
}

function jsonOf(example: unknown): Buffer {
  return Buffer.from(JSON.stringify(example));
}

function formOf(example: object): Buffer {
  const parts = Object.keys(example).map(
    (name) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes\r\n`,
  );
  return Buffer.from(`${parts.join("")}--${boundary}--\r\n`);
}

const oddTexts = [
  "",
  "\0",
  "%00",
  "%",
  "%ZZ",
  "..",
  "//",
  "\xff",
  "ä",
  "{",
  "1e400",
  "__proto__",
  "' OR 1=1",
  "a".repeat(9000),
];
const headerNames = [
  "Content-Type",
  "Content-Encoding",
  "Prefer",
  "Accept",
  "Expect",
  "Connection",
  "Upgrade",
  "x-api-key",
];
const headerValues = [
  "application/json; charset=latin1",
  "multipart/form-data",
  "multipart/form-data; boundary=\xff",
  "text/plain",
  "gzip",
  "code=418",
  "code=P412, example=x",
  "100-continue",
  "close",
  "h2c",
  "",
  "\xff\xfe",
  "x".repeat(20_000),
];
const methods = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "PROPFIND",
  "get",
  "",
  "\x01",
];

const mutations: readonly ((parts: Parts, chance: Chance) => void)[] = [
  (parts, chance) => {
    parts.method = chance.of(methods);
  },
  (parts, chance) => {
    const segments = parts.target.split("/");
    segments[chance.below(segments.length)] = chance.of(oddTexts);
    parts.target = segments.join("/");
  },
  (parts, chance) => {
    parts.target = `${chance.of(["", "http://elsewhere.example", "*", "/__mock/state", "/__mock/clock"])}${parts.target}`;
  },
  (parts, chance) => {
    parts.target += `?${chance.of(oddTexts)}=${chance.of(oddTexts)}&${chance.of(oddTexts)}`;
  },
  (parts, chance) => {
    parts.version = chance.of(["HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "", "HTTP/1.1\r\nHost: other"]);
  },
  (parts, chance) => {
    parts.headers.push([chance.of(headerNames), chance.of(headerValues)]);
  },
  (parts, chance) => {
    parts.headers.splice(chance.below(parts.headers.length + 1), 1);
  },
  (parts, chance) => {
    const many = Array.from({ length: 50 + chance.below(3000) }, (_, index): [string, string] => [`x-${index}`, "y"]);
    parts.headers.push(...many);
  },
  (parts, chance) => {
    parts.body = damaged(chance, parts.body);
  },
  (parts, chance) => {
    parts.body = Buffer.from(changedJson(chance, parts.body.toString("utf8")));
  },
  (parts, chance) => {
    parts.body = Buffer.from(chance.of(["[", '{"a":', '"', "1", "\\u"]).repeat(1 + chance.below(20_000)));
  },
  (parts) => {
    parts.framing = "chunks";
  },
];

/** Another value in the place of one of the values of a JSON text. */
function changedJson(chance: Chance, text: string): string {
  const values = [
    "null",
    "true",
    "-1",
    "1e400",
    "1e-7",
    "[]",
    "{}",
    '""',
    '"\\ud800"',
    `"${"x".repeat(5000)}"`,
    "9".repeat(400),
  ];
  const found = [...text.matchAll(/(?<=":)("[^"]*"|[\d.]+)/g)];
  if (found.length === 0) return text;
  const { index, 0: old } = chance.of(found);
  return text.slice(0, index) + chance.of(values) + text.slice(index + old.length);
}

/** Bytes of which some are changed, left out, repeated or added. */
function damaged(chance: Chance, bytes: Buffer): Buffer {
  let changed = bytes;
  for (let times = 1 + chance.below(4); times > 0 && changed.length > 0; times -= 1) {
    const at = chance.below(changed.length);
    const rest = changed.subarray(at + chance.below(4));
    const between = [chance.bytes(chance.below(8)), Buffer.from("\r\n"), changed.subarray(0, chance.below(200))];
    changed = Buffer.concat([changed.subarray(0, at), chance.of(between), rest]);
  }
  return changed;
}

function written({ method, target, version, headers, body, framing }: Parts, chance: Chance): Buffer {
  const wrong = [body.length + 1, body.length - 1, -1, "many", 4e9, "1, 2"];
  const length = chance.once(15) ? chance.of(wrong) : body.length;
  const framed = framing === "chunks" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  const hasFraming = framing === "chunks" || body.length > 0 || chance.once(4);
  const lines = [`${method} ${target} ${version}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const head = `${[...lines, ...(hasFraming ? [framed] : [])].join("\r\n")}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), framing === "chunks" ? chunksOf(chance, body) : body]);
}

function chunksOf(chance: Chance, body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const length = 1 + chance.below(100);
    const chunk = body.subarray(at, at + length);
    const size = chance.once(60) ? chance.of(["zz", "-1", "ffffffffff", "0"]) : chunk.length.toString(16);
    chunks.push(Buffer.from(`${size}\r\n`), chunk, Buffer.from("\r\n"));
    at += length;
  }
  const end = chance.once(10) ? "" : "0\r\n\r\n";
  return Buffer.concat([...chunks, Buffer.from(end)]);
}
