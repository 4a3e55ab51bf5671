import {
  type Deviation,
  type Operation,
  responseSchemas,
  type Schema,
  type Violation,
} from "../client/src/entries/internal/index.ts";
import type { Loss } from "./json-text.ts";
import {
  codeIn,
  describe,
  isSensitive,
  maskCharacters,
  maskUnlessConstant,
  rawErrorCode,
  typeName,
} from "./masking.ts";
import { isSuccess, operations } from "./operations.ts";
import { schemasAt, valuesAt } from "./pointers.ts";

/** Headers that can change what a client does. The contract documents none of them, so each is reported as a difference. */
export const actionableHeaders: RegExp =
  /^(link|retry-after|(x-)?rate-?limit(-[a-z]+)*|deprecation|sunset|idempotency-key|content-range|www-authenticate)$/;

export interface SeenResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly mediaType: string;
  readonly charset: string;
  readonly text: string;
  readonly body: unknown;
}

/** The rules about a whole response or its JSON text. */
export type ResponseRule =
  | "status"
  | "media-type"
  | "body"
  | "error-code"
  | "charset"
  | "encoding"
  | "content-encoding"
  | "size"
  | "byte-order-mark"
  | Loss["rule"];

interface RuleDescription {
  readonly expected: (operation: Operation, status: number) => string;
  readonly seen: (response: SeenResponse) => string;
}

const responseRules: Readonly<Record<ResponseRule, RuleDescription>> = {
  status: {
    expected: ({ responses }) => `one of ${Object.keys(responses).join(", ")}`,
    seen: ({ status, headers, body }) => {
      const names = [...headers.keys()].filter((name) => actionableHeaders.test(name));
      const headerList = names.length === 0 ? "" : ` with ${names.join(", ")}`;
      return `${[status, codeIn(body) ?? []].flat().join(" ")}${headerList}`;
    },
  },
  "media-type": {
    expected: ({ accept = "application/json" }, status) => (status < 400 ? accept : "application/json"),
    seen: ({ mediaType }) => mediaType.slice(0, 60) || "none",
  },
  body: {
    expected: ({ list }, status) => `a JSON ${list === true && isSuccess(status) ? "array" : "object"}`,
    seen: ({ text, body }) => (text === "" ? "nothing" : body === undefined ? "no JSON" : typeName(body)),
  },
  "error-code": {
    expected: ({ responses }, status) => (responses[status] ?? []).join(", ") || "no P-code",
    seen: ({ body }) => codeIn(body) ?? typeName(rawErrorCode(body)),
  },
  charset: { expected: () => "UTF-8", seen: ({ charset }) => charset.slice(0, 40) },
  encoding: { expected: () => "UTF-8", seen: () => "bytes that are not UTF-8" },
  "content-encoding": {
    expected: () => "a body that its Content-Encoding decodes: gzip, deflate or br",
    seen: ({ headers }) => (headers.get("content-encoding") ?? "none").slice(0, 40),
  },
  size: { expected: () => "at most 4 MiB, to be judged", seen: () => "more" },
  "byte-order-mark": { expected: () => "no byte order mark before JSON (RFC 8259, 8.1)", seen: () => "one" },
  precision: { expected: () => "numbers of at most 15 digits, which a double keeps", seen: () => "" },
  "duplicate-member": { expected: () => "each name once in an object (RFC 8259, 4)", seen: () => "" },
};

/** Uses `hasOwn`, because a rule can come from a file of deviations, and an object has members such as `constructor`. */
function isResponseRule(rule: string): rule is ResponseRule {
  return Object.hasOwn(responseRules, rule);
}

/**
 * Empty for an unknown operation.
 *
 * @param value the received value. If its type is wrong, only the schemas that exclude this type are described.
 * @param oldNames for an unlisted field: the documented fields that it may have replaced under a new name.
 */
export function describeExpected(
  { operationId = "", status = 0, pointer, rule }: Deviation,
  value?: unknown,
  oldNames: readonly string[] = [],
): string {
  const operation = operations.get(operationId);
  if (operation === undefined) return "";
  if (isResponseRule(rule)) return responseRules[rule].expected(operation, status);
  if (rule === "header") return "no such header";
  if (rule === "unlisted-field") return oldNames.length === 0 ? "no such field" : `the field ${oldNames.join(" or ")}`;
  const schemas = schemasOf(operationId, status, pointer);
  const receivedType = typeName(value);
  const excludesType = ({ type }: Schema) => type !== undefined && ![type].flat().some((name) => name === receivedType);
  const violatedSchemas = rule === "type" ? schemas.filter(excludesType) : [];
  return ruleIn(violatedSchemas.length > 0 ? violatedSchemas : schemas, rule);
}

/** The schemas of the value at the pointer, with the subschemas that they combine; empty if the contract does not describe the value. */
export function schemasOf(operationId: string, status: number, pointer: string): Schema[] {
  const { bodies = {} } = responseSchemas.operations[operationId] ?? {};
  const keys = pointer.split("/").slice(1);
  const candidates = [bodies[status], ...(isSuccess(status) ? Object.values(bodies) : []), responseSchemas.error];
  const schemaLists = candidates.map((schema) => (schema === undefined ? [] : schemasAt(schema, keys)));
  return schemaLists.find((schemas) => schemas.length > 0) ?? [];
}

function ruleIn(schemas: readonly Schema[], rule: string): string {
  if (rule === "required" || rule === "type") {
    const types = [...new Set(schemas.flatMap(({ type = [] }) => type))];
    return types.join(" or ") || "a value";
  }
  const keyword = rule === "unlisted-value" ? "known" : rule;
  const values = schemas.flatMap((schema) => new Map<string, unknown>(Object.entries(schema)).get(keyword) ?? []);
  const texts = [...new Set(values.flat().map((value) => (value instanceof RegExp ? value.source : String(value))))];
  if (["known", "enum", "const"].includes(keyword)) return texts.join(", ");
  return ["pattern", "format"].includes(rule) ? texts.join(" or ") : `${rule} ${texts.join(" or ")}`.trim();
}

export function describeSeen({ pointer, rule }: Violation, response: SeenResponse): string {
  if (isResponseRule(rule)) return responseRules[rule].seen(response);
  if (rule === "header") return `${pointer}: ${maskCharacters(response.headers.get(pointer) ?? "")}`;
  // A pointer with `*` can match several values, so none of them is described.
  if (pointer.split("/").includes("*")) return "";
  const [value] = valuesAt(response.body, pointer);
  if (["required", "type", "unlisted-field"].includes(rule)) return typeName(value);
  const isConstant = ["enum", "const", "unlisted-value"].includes(rule);
  if (isSensitive(pointer) || typeof value !== "string") return describe(value, pointer);
  return isConstant ? maskUnlessConstant(value) : maskCharacters(value);
}
