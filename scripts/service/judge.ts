/** Compares a raw response of the service with the contract, using the client's code; shared by `ask`, `check` and `proxy`. */
import { isUtf8 } from "node:buffer";
import {
  catalogue,
  checkResponse,
  contract,
  type Deviation,
  isObject,
  makeErrorTexts,
  type Operation,
  operationTable,
  readResponse,
  responseSchemas,
  type Schema,
  sensitiveNames,
  type Violation,
} from "../client/src/entries/internal/index.ts";
import { lossesIn } from "./json-text.ts";

/** A difference between the contract and the service, or a request to the service, without personal data. */
export interface Drift extends Deviation {
  readonly side: "response" | "request";
  readonly expected: string;
  readonly seen: string;
}

/** A response whose body is decompressed but not parsed. */
export interface UnreadResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if the body is larger than {@link responseLimit}. */
  readonly bytes: Buffer | undefined;
}

export const responseLimit: number = 4 * 1024 * 1024;

const operations = operationTable as Readonly<Record<string, Operation>>;
const { createRedactor, mask } = makeErrorTexts({ catalogue, sensitiveNames });

export function isSafe(operationId: string): boolean {
  return operations[operationId]?.safe === true;
}

export function isSuccess(status: number): boolean {
  return Math.trunc(status / 100) === 2;
}

/** Headers that clients may act on. The contract does not document them, so each is reported as a difference. */
const tellingHeaders =
  /^(link|retry-after|(x-)?rate-?limit(-[a-z]+)*|deprecation|sunset|idempotency-key|content-range|www-authenticate)$/;

export interface Judgement {
  readonly body: unknown;
  /** The documented fields as pointers, and whether each was present; empty for an error. */
  readonly fields: ReadonlyMap<string, boolean>;
  readonly drift: readonly Drift[];
}

/** @param apiKey the key of the call, which is masked in every text. */
export async function judgeResponse(operationId: string, unread: UnreadResponse, apiKey: string): Promise<Judgement> {
  const operation = operations[operationId] as Operation;
  const { status, headers, bytes = Buffer.alloc(0) } = unread;
  const tooLarge = unread.bytes === undefined ? responseLimit : undefined;
  const redact = createRedactor(sensitiveNames, () => ({ headers: { "x-api-key": apiKey }, values: {} }));
  const contentType = headers.get("content-type") ?? "";
  const text = new TextDecoder().decode(bytes);
  const found: Violation[] = isUtf8(bytes) ? [] : [{ pointer: "", rule: "encoding" }];
  if (bytes.subarray(0, 3).equals(byteOrderMark)) found.push({ pointer: "", rule: "byte-order-mark" });
  if (tooLarge !== undefined) found.push({ pointer: "", rule: "size" });
  const [, charset = "utf-8"] = /;\s*charset="?([^";\s]+)/i.exec(contentType) ?? [];
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) found.push({ pointer: "", rule: "charset" });
  for (const name of headers.keys()) if (tellingHeaders.test(name)) found.push({ pointer: name, rule: "header" });
  const response = { status, contentType, text, headers };
  const { body } = readResponse({ operation, contract, response, found, tooLarge });
  // The client accepts JSON of any media type; the contract documents one media type.
  const wanted = (isSuccess(status) ? operation.accept : undefined) ?? "application/json";
  const isOther = text !== "" && contentType.split(";")[0]?.trim().toLowerCase() !== wanted;
  if (isOther && !found.some(({ rule }) => rule === "media-type")) found.push({ pointer: "", rule: "media-type" });
  const losses = body === undefined ? [] : lossesIn(text, safeName);
  found.push(...losses.map(({ pointer, rule }) => ({ pointer, rule })));
  const violations = causesOf(checkResponse(responseSchemas, { operationId, status, body, found }), status);
  const drift = violations.map(({ pointer, ...violation }): Drift => {
    const place = { ...violation, pointer };
    return {
      ...{ side: "response", operationId, status, ...violation, pointer: safePointer(pointer, violation.rule) },
      expected: expectedBy({ ...place, operationId, status }, violation.rule === "type" ? valuesAt(body, pointer) : []),
      seen: redact(
        losses.find(({ rule, pointer: at }) => rule === place.rule && at === pointer)?.seen ??
          seenOf(place, { ...response, charset, body }),
      ),
    };
  });
  const fields = new Map<string, boolean>();
  const { bodies = {} } = responseSchemas.operations[operationId] ?? {};
  const schema = bodies[status];
  if (isSuccess(status) && schema !== undefined && body !== undefined) addFields([schema], [body], "", fields);
  return { body, drift, fields };
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Removes differences that follow from other differences. */
function causesOf(found: readonly Violation[], status: number): readonly Violation[] {
  const cause = found.find(
    ({ rule }) => (rule === "status" && !isSuccess(status)) || (rule === "error-code" && isSuccess(status)),
  );
  if (cause !== undefined) return [cause];
  const isFound = (rule: string, pointer: string) =>
    found.some((other) => other.rule === rule && other.pointer === pointer);
  return found.filter(({ rule, pointer }) => {
    if (status === 204 && rule === "body") return false;
    return !causes[rule]?.some((each) => isFound(each, pointer));
  });
}

/** A rule is not reported if a rule of its list is violated at the same pointer, because both then have the same cause. */
const causes: Readonly<Record<string, readonly string[]>> = {
  // A format and a pattern often state the same requirement.
  format: ["pattern"],
  precision: ["type"],
  type: ["body"],
  encoding: ["charset"],
  body: ["encoding"],
};

/** Records for each documented field whether any of `values` has it. `*` in a pointer stands for every array item. */
function addFields(
  schemas: readonly Schema[],
  values: readonly unknown[],
  pointer: string,
  fields: Map<string, boolean>,
): void {
  const parts = schemas.flatMap(partsOf);
  const objects = values.filter(isObject);
  const add = (name: string, inner: readonly Schema[], found: readonly unknown[]) => {
    const place = `${pointer}/${name}`;
    fields.set(place, found.length > 0);
    addFields(inner, found, place, fields);
  };
  for (const name of new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))) {
    const inner = parts.flatMap(({ properties }) => properties?.[name] ?? []);
    const found = objects.flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : []));
    add(name, inner, found);
  }
  const items = parts.flatMap((part) => part.items ?? []);
  if (items.length > 0) add("*", items, values.filter(Array.isArray).flat());
}

function partsOf(schema: Schema): Schema[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  const inner = [...allOf, ...anyOf, ...oneOf, schema.then, schema.else].filter((part) => part !== undefined);
  return [schema, ...inner.flatMap(partsOf)];
}

let vocabulary: ReadonlySet<string> | undefined;

/** Up to three digits separate words; more digits may be data, such as a phone number. */
const wordsIn = (name: string) =>
  name.split(/(?<=[a-z])(?=[A-Z])|_|(?<!\d)\d{1,3}(?!\d)/).map((word) => word.toLowerCase());

function knownWords(): ReadonlySet<string> {
  if (vocabulary !== undefined) return vocabulary;
  const words = new Set<string>();
  const walk = (schema: Schema) => {
    for (const part of partsOf(schema)) {
      for (const [name, property] of Object.entries(part.properties ?? {})) {
        for (const word of wordsIn(name)) words.add(word);
        walk(property);
      }
      for (const value of [part.known ?? [], part.enum ?? [], part.const ?? []].flat()) {
        if (typeof value === "string") for (const word of wordsIn(value)) words.add(word);
      }
      for (const inner of [part.items, part.additionalProperties]) if (inner !== undefined) walk(inner);
    }
  };
  walk(responseSchemas.error);
  for (const { bodies } of Object.values(responseSchemas.operations)) Object.values(bodies ?? {}).forEach(walk);
  vocabulary = words;
  return words;
}

/** Replaces the name of an unlisted field by `*`, since it may be personal data, unless all its words occur in the contract. */
export function safePointer(pointer: string, rule: string): string {
  if (rule !== "unlisted-field") return pointer;
  const at = pointer.lastIndexOf("/") + 1;
  const isSafe = wordsIn(pointer.slice(at)).every((word) => word === "" || knownWords().has(word));
  return isSafe ? pointer : `${pointer.slice(0, at)}*`;
}

interface SeenResponse extends Omit<UnreadResponse, "bytes"> {
  readonly contentType: string;
  readonly charset: string;
  readonly text: string;
  readonly body: unknown;
}

const wholeRules: Record<
  string,
  readonly [expected: (operation: Operation, status: number) => string, seen: (response: SeenResponse) => string]
> = {
  status: [
    ({ responses }) => `one of ${Object.keys(responses).join(", ")}`,
    ({ status, headers, body }) => {
      const names = [...headers.keys()].filter((name) => tellingHeaders.test(name));
      const beside = names.length === 0 ? "" : ` with ${names.join(", ")}`;
      return `${[status, codeIn(body) ?? []].flat().join(" ")}${beside}`;
    },
  ],
  "media-type": [
    ({ accept = "application/json" }, status) => (status < 400 ? accept : "application/json"),
    ({ contentType }) => contentType.split(";")[0]?.trim().slice(0, 60) || "none",
  ],
  body: [
    ({ list }, status) => `a JSON ${list === true && isSuccess(status) ? "array" : "object"}`,
    ({ text, body }) => (text === "" ? "nothing" : body === undefined ? "no JSON" : typeName(body)),
  ],
  "error-code": [
    ({ responses }, status) => (responses[status] ?? []).join(", ") || "no P-code",
    ({ body }) => codeIn(body) ?? typeName((body as { errorCode?: unknown } | undefined)?.errorCode),
  ],
  charset: [() => "UTF-8", ({ charset }) => charset.slice(0, 40)],
  "byte-order-mark": [() => "no byte order mark before JSON (RFC 8259, 8.1)", () => "one"],
  precision: [() => "numbers of at most 15 digits, which a double keeps", () => ""],
  "duplicate-member": [() => "each name once in an object (RFC 8259, 4)", () => ""],
  encoding: [() => "UTF-8", () => "bytes that are not UTF-8"],
  size: [() => "at most 4 MiB, to be judged", () => "more"],
};

/** Describes what the contract expects at the pointer. If schemas exclude the type of one of `values`, only these are described. */
export function expectedBy(
  { operationId = "", status = 0, pointer, rule }: Deviation,
  values: readonly unknown[] = [],
): string {
  const operation = operations[operationId];
  if (operation === undefined) return "";
  if (wholeRules[rule] !== undefined) return wholeRules[rule][0](operation, status);
  if (rule === "header") return "no such header";
  const { bodies = {} } = responseSchemas.operations[operationId] ?? {};
  const keys = pointer.split("/").slice(1);
  const candidates = [bodies[status], ...(isSuccess(status) ? Object.values(bodies) : []), responseSchemas.error];
  const found = candidates.map((schema) => (schema === undefined ? [] : schemasAt(schema, keys)));
  const schemas = found.find((some) => some.length > 0) ?? [];
  const isOther = ({ type = [] }: Schema) =>
    values.some((value) => !([type].flat() as string[]).includes(typeName(value)));
  const broken = schemas.filter((schema) => schema.type !== undefined && isOther(schema));
  return ruleIn(broken.length > 0 ? broken : schemas, rule);
}

function schemasAt(schema: Schema, [key, ...rest]: readonly string[]): Schema[] {
  const [, ...inner] = partsOf(schema);
  if (key === undefined) return [schema, ...inner];
  const next =
    schema.properties?.[key] ?? (/^\d+$/.test(key) ? schema.items : undefined) ?? schema.additionalProperties;
  return [
    ...(next === undefined ? [] : schemasAt(next, rest)),
    ...inner.flatMap((part) => schemasAt(part, [key, ...rest])),
  ];
}

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

function seenOf({ pointer, rule }: Violation, response: SeenResponse): string {
  if (wholeRules[rule] !== undefined) return wholeRules[rule][1](response);
  if (rule === "header") return `${pointer}: ${formOf(response.headers.get(pointer) ?? "")}`;
  // `*` stands for any name, so the pointer may match several values.
  if (pointer.split("/").includes("*")) return "";
  const [value] = valuesAt(response.body, pointer);
  if (["required", "type", "unlisted-field"].includes(rule)) return typeName(value);
  const isConstant = ["enum", "const", "unlisted-value"].includes(rule);
  if (isSensitive(pointer) || typeof value !== "string") return describe(value, pointer);
  return isConstant ? formOrConstant(value) : formOf(value);
}

function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : value === undefined ? "nothing" : typeof value;
}

/** Describes a value without personal data. */
export function describe(value: unknown, pointer: string): string {
  if (typeof value === "boolean") return String(value);
  if (isObject(value)) {
    const names = Object.keys(value).slice(0, 20).map(formOrName);
    return `an object with ${names.join(", ") || "nothing"}`;
  }
  if (typeof value !== "string" && typeof value !== "number") return typeName(value);
  if (isSensitive(pointer)) return mask;
  return typeof value === "number" ? String(value) : formOrName(value);
}

export function safeName(name: string): string {
  return safePointer(`/${name.replaceAll("/", "~1")}`, "unlisted-field").slice(1);
}

const constantForm = /^[A-Z][A-Z0-9_]{0,39}$/;

/** Masks a text by {@link formOf}, unless it looks like a constant, such as `IN_REVIEW`, or consists of words of the contract. */
function formOrConstant(text: string): string {
  return constantForm.test(text) || (text !== "" && safeName(text) === text) ? text : formOf(text);
}

/** Masks a text by {@link formOf}, unless it looks like a constant, a field name or a currency code. */
function formOrName(text: string): string {
  return constantForm.test(text) || /^[a-z]{1,20}([A-Z][a-z]{1,20}){0,3}$/.test(text) ? text : formOf(text);
}

export function codeIn(body: unknown): string | undefined {
  const { errorCode } = (body ?? {}) as { errorCode?: unknown };
  return typeof errorCode === "string" ? formOrConstant(errorCode) : undefined;
}

function isSensitive(pointer: string): boolean {
  return pointer.split("/").some((name) => sensitiveNames.includes(name));
}

/** Masks the first 60 characters of a text: `9` for digits, `A` and `a` for letters. A time keeps T and Z. */
function formOf(text: string): string {
  const digits = text.slice(0, 60).replace(/\p{N}/gu, "9");
  const form = /^[9\s:.,+TZ/-]+$/.test(digits)
    ? digits
    : digits.replace(/\p{Lu}/gu, "A").replace(/(?!A)[\p{L}\p{M}]/gu, "a");
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
