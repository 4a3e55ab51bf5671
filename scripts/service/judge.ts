/** Holds a response of the service against the contract. The one judge of `ask`, `check` and `proxy`: the client's, on raw responses. */
import { isUtf8 } from "node:buffer";
import { contract } from "../../generated/client/contract.ts";
import * as texts from "../../generated/client/error-texts.ts";
import * as table from "../../generated/client/operation-table.ts";
import { checkResponse, responseSchemas } from "../../generated/client/response-schemas.ts";
import { type Deviation, type Operation, readResponse, type Schema, type Violation } from "../client/src/index.ts";

/** A place where the service, or a call of it, differs from the contract. Values of people are not in it. */
export interface Drift extends Deviation {
  /** What is not as it should be: the response of the service, or the request that was sent to it. */
  readonly side: "response" | "request";
  /** What the contract has there. */
  readonly expected: string;
  /** What was found instead, redacted; empty where only the place is known. */
  readonly seen: string;
}

/** A response as it came, its content coding removed. */
export interface UnreadResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Its body; undefined where it is larger than {@link responseLimit}. */
  readonly bytes: Buffer | undefined;
}

/** The largest body that is judged, in bytes. */
export const responseLimit: number = 4 * 1024 * 1024;

const operations = table as Readonly<Record<string, Operation>>;

/** Whether a call of an operation changes nothing. */
export function isSafe(operationId: string): boolean {
  return operations[operationId]?.safe === true;
}

/** Headers that tell a client what to do, by their RFCs; the contract documents none of them. */
const tellingHeaders =
  /^(link|retry-after|(x-)?rate-?limit(-[a-z]+)*|deprecation|sunset|idempotency-key|content-range|www-authenticate)$/;

/** The judged response: its parsed body, undefined where it cannot be read, and every place where it differs from the contract. */
export interface Judgement {
  readonly body: unknown;
  readonly drift: readonly Drift[];
}

/** Judges the response to a call of an operation. @param apiKey the key of the call, which is cut out of every text. */
export async function judgeResponse(operationId: string, unread: UnreadResponse, apiKey: string): Promise<Judgement> {
  const operation = operations[operationId] as Operation;
  const { status, headers, bytes = Buffer.alloc(0) } = unread;
  const tooLarge = unread.bytes === undefined ? responseLimit : undefined;
  const redact = texts.createRedactor(texts.sensitiveNames, () => ({ headers: { "x-api-key": apiKey }, values: {} }));
  const contentType = headers.get("content-type") ?? "";
  const text = new TextDecoder().decode(bytes);
  const found: Violation[] = isUtf8(bytes) ? [] : [{ pointer: "", rule: "encoding" }];
  if (tooLarge !== undefined) found.push({ pointer: "", rule: "size" });
  const [, charset = "utf-8"] = /;\s*charset="?([^";\s]+)/i.exec(contentType) ?? [];
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) found.push({ pointer: "", rule: "charset" });
  for (const name of headers.keys()) if (tellingHeaders.test(name)) found.push({ pointer: name, rule: "header" });
  const response = { status, contentType, text, headers };
  const { body } = readResponse({ operation, contract, response, found, tooLarge });
  const isJson = operation.accept === undefined || body !== undefined;
  const drift = checkResponse({ operationId, status, body: isJson ? body : undefined, found }).map(
    (violation): Drift => ({
      ...{ side: "response", operationId, status, ...violation },
      expected: expectedBy({ ...violation, operationId, status }),
      seen: redact(seenOf(violation, { ...response, charset, body })),
    }),
  );
  return { body, drift };
}

interface SeenResponse extends Omit<UnreadResponse, "bytes"> {
  readonly contentType: string;
  readonly charset: string;
  readonly text: string;
  readonly body: unknown;
}

/** The rules on a whole response: what the contract has, and what was seen. */
const wholeRules: Record<
  string,
  readonly [expected: (operation: Operation, status: number) => string, seen: (response: SeenResponse) => string]
> = {
  status: [({ responses }) => `one of ${Object.keys(responses).join(", ")}`, ({ status }) => String(status)],
  "media-type": [
    ({ accept = "application/json" }, status) => (status < 400 ? accept : "application/json"),
    ({ contentType }) => contentType.split(";")[0]?.slice(0, 60) || "none",
  ],
  body: [
    ({ list }, status) => `a JSON ${list === true && status < 300 ? "array" : "object"}`,
    ({ text, body }) => (text === "" ? "nothing" : body === undefined ? "no JSON" : typeName(body)),
  ],
  "error-code": [
    ({ responses }, status) => (responses[status] ?? []).join(", ") || "no P-code",
    ({ body }) => describe((body as { errorCode?: unknown } | undefined)?.errorCode, "/errorCode"),
  ],
  charset: [() => "UTF-8", ({ charset }) => charset.slice(0, 40)],
  encoding: [() => "UTF-8", () => "bytes that are not UTF-8"],
  size: [() => "at most 4 MiB, to be judged", () => "more"],
};

/** What the contract has where a deviation was found, by what the client is made of. */
export function expectedBy({ operationId = "", status = 0, pointer, rule }: Deviation): string {
  const operation = operations[operationId];
  if (operation === undefined) return "";
  if (wholeRules[rule] !== undefined) return wholeRules[rule][0](operation, status);
  if (rule === "header") return "no such header";
  const { bodies = {} } = responseSchemas.operations[operationId] ?? {};
  const keys = pointer.split("/").slice(1);
  const candidates = [bodies[status], ...(status < 300 ? Object.values(bodies) : []), responseSchemas.error];
  const found = candidates.map((schema) => (schema === undefined ? [] : schemasAt(schema, keys)));
  return ruleIn(found.find((schemas) => schemas.length > 0) ?? [], rule);
}

/** Every part of a schema that says something of the value at a pointer. */
function schemasAt(schema: Schema, [key, ...rest]: readonly string[]): Schema[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  const inner = [...allOf, ...anyOf, ...oneOf, schema.then, schema.else].filter((part) => part !== undefined);
  if (key === undefined) return [schema, ...inner.flatMap((part) => schemasAt(part, []))];
  const next =
    schema.properties?.[key] ?? (/^\d+$/.test(key) ? schema.items : undefined) ?? schema.additionalProperties;
  return [
    ...(next === undefined ? [] : schemasAt(next, rest)),
    ...inner.flatMap((part) => schemasAt(part, [key, ...rest])),
  ];
}

/** What some schemas say by a rule. */
function ruleIn(schemas: readonly Schema[], rule: string): string {
  if (rule === "required" || rule === "type") {
    const types = [...new Set(schemas.flatMap(({ type = [] }) => type))];
    return types.join(" or ") || "a value";
  }
  if (rule === "unlisted-field") return "no such field";
  const keyword = rule === "unlisted-value" ? "known" : rule;
  const values = schemas.flatMap((schema) => (schema as Readonly<Record<string, unknown>>)[keyword] ?? []);
  const texts = [...new Set(values.flat().map((value) => (value instanceof RegExp ? value.source : String(value))))];
  if (["known", "enum", "const"].includes(keyword)) return texts.join(", ");
  return ["pattern", "format"].includes(rule) ? texts.join(" or ") : `${rule} ${texts.join(" or ")}`.trim();
}

/** What was found, in words that hold no value of a person: of a text its form, and only what looks like a constant as it is. */
function seenOf({ pointer, rule }: Violation, response: SeenResponse): string {
  if (wholeRules[rule] !== undefined) return wholeRules[rule][1](response);
  if (rule === "header") return `${pointer}: ${formOf(response.headers.get(pointer) ?? "")}`;
  // Behind a name that is hidden may be any of several values.
  if (pointer.split("/").includes("*")) return "";
  const [value] = valuesAt(response.body, pointer);
  if (["required", "type", "unlisted-field"].includes(rule)) return typeName(value);
  const isConstant = ["enum", "const", "unlisted-value"].includes(rule) || typeof value !== "string";
  return isConstant || isSensitive(pointer) ? describe(value, pointer) : formOf(value);
}

function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : value === undefined ? "nothing" : typeof value;
}

/**
 * A value as it may be shown: a number, a constant such as a status, otherwise its form. What the contract marks as sensitive is cut
 * out.
 */
export function describe(value: unknown, pointer: string): string {
  if (typeof value === "boolean") return String(value);
  if (typeName(value) === "object")
    return `an object with ${
      Object.keys(value as object)
        .slice(0, 20)
        .map(formOrName)
        .join(", ") || "nothing"
    }`;
  if (typeof value !== "string" && typeof value !== "number") return typeName(value);
  if (isSensitive(pointer)) return texts.mask;
  return typeof value === "number" ? String(value) : formOrName(value);
}

/** A text that looks like a constant or the name of a field as it is, otherwise its form. */
function formOrName(text: string): string {
  return /^([A-Z][A-Z0-9_]{0,39}|[a-z]{1,20}([A-Z][a-z]{1,20}){0,3})$/.test(text) ? text : formOf(text);
}

/** The P-code of a body, as it may be shown; undefined where it has none. */
export function codeIn(body: unknown): string | undefined {
  const { errorCode } = (body ?? {}) as { errorCode?: unknown };
  return typeof errorCode === "string" ? describe(errorCode, "/errorCode") : undefined;
}

function isSensitive(pointer: string): boolean {
  return pointer.split("/").some((name) => texts.sensitiveNames.includes(name));
}

/** A text with `9` for each digit and `a` for each letter; a time keeps its T and Z. */
function formOf(text: string): string {
  const digits = text.slice(0, 60).replace(/\d/g, "9");
  const form = /^[9\s:.,+TZ/-]+$/.test(digits)
    ? digits
    : digits.replace(/\p{Lu}/gu, "A").replace(/\p{Ll}|\p{Lo}/gu, "a");
  return `"${form}${text.length > 60 ? "…" : ""}"`;
}

/** The values at a JSON pointer in which `*` stands for every item or member. */
export function valuesAt(value: unknown, pointer: string): unknown[] {
  const names = pointer.split("/").slice(1);
  return names.reduce<unknown[]>(
    (values, name) =>
      values.flatMap((each) => {
        if (typeof each !== "object" || each === null) return [];
        if (name === "*") return Object.values(each);
        const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
        return Object.hasOwn(each, key) ? [(each as Record<string, unknown>)[key]] : [];
      }),
    [value],
  );
}
