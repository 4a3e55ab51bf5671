/** Compares a raw response of the service with the contract, using the client's code; shared by `ask`, `check` and `proxy`. */
import { isUtf8 } from "node:buffer";
import {
  checkResponse,
  contract,
  type Deviation,
  isObject,
  type Operation,
  readResponse,
  responseSchemas,
  type Schema,
  type Violation,
} from "../client/src/entries/internal/index.ts";
import { renamedFrom } from "./additions.ts";
import { actionableHeaders, describeExpected, describeSeen, schemasOf } from "./expectations.ts";
import { lossesIn } from "./json-text.ts";
import { redactorOf, safeName, safePointer } from "./masking.ts";
import { isSuccess, operations } from "./operations.ts";
import { subschemasOf, valuesAt } from "./pointers.ts";

/** A difference between the contract and the service, or a request to the service, without personal data. */
export interface Drift extends Deviation {
  readonly side: "response" | "request";
  readonly expected: string;
  readonly seen: string;
  /** A field of a response that the contract does not list, and that is no documented field under another name: it affects no client. */
  readonly isAddition?: true;
}

/** A response whose body is decompressed but not parsed. */
export interface UnreadResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if the body is larger than {@link responseLimit}. */
  readonly bytes: Buffer | undefined;
}

export const responseLimit: number = 4 * 1024 * 1024;

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
  const redact = redactorOf(apiKey);
  const contentType = headers.get("content-type") ?? "";
  const text = new TextDecoder().decode(bytes);
  const found: Violation[] = isUtf8(bytes) ? [] : [{ pointer: "", rule: "encoding" }];
  if (bytes.subarray(0, 3).equals(byteOrderMark)) found.push({ pointer: "", rule: "byte-order-mark" });
  if (tooLarge !== undefined) found.push({ pointer: "", rule: "size" });
  const [, charset = "utf-8"] = /;\s*charset="?([^";\s]+)/i.exec(contentType) ?? [];
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) found.push({ pointer: "", rule: "charset" });
  for (const name of headers.keys()) if (actionableHeaders.test(name)) found.push({ pointer: name, rule: "header" });
  const response = { status, contentType, text, headers };
  const { body } = readResponse({ operation, contract, response, found, tooLarge });
  // The client accepts JSON of any media type; the contract documents one media type.
  const wanted = (isSuccess(status) ? operation.accept : undefined) ?? "application/json";
  const isOther = text !== "" && contentType.split(";")[0]?.trim().toLowerCase() !== wanted;
  if (isOther && !found.some(({ rule }) => rule === "media-type")) found.push({ pointer: "", rule: "media-type" });
  const losses = body === undefined ? [] : lossesIn(text, safeName);
  found.push(...losses.map(({ pointer, rule }) => ({ pointer, rule })));
  found.push(...unlistedCodeIn(operation, status, body));
  const violations = withoutConsequences(checkResponse(responseSchemas, { operationId, status, body, found }), status);
  const drift = violations.map((violation): Drift => {
    const { pointer, rule } = violation;
    const place = { ...violation, operationId, status };
    const names = rule === "unlisted-field" ? renamedAt(place, body) : [];
    return {
      ...{ side: "response", ...place, pointer: safePointer(pointer, rule) },
      ...(rule === "unlisted-field" && names.length === 0 && { isAddition: true }),
      expected: describeExpected(place, rule === "type" ? valuesAt(body, pointer) : [], names),
      seen: redact(
        losses.find((loss) => loss.rule === rule && loss.pointer === pointer)?.seen ??
          describeSeen(violation, { ...response, charset, body }),
      ),
    };
  });
  const fields = new Map<string, boolean>();
  const { bodies = {} } = responseSchemas.operations[operationId] ?? {};
  const schema = bodies[status];
  if (isSuccess(status) && schema !== undefined && body !== undefined) addFields([schema], [body], "", fields);
  return { body, drift, fields };
}

interface Place {
  readonly operationId: string;
  readonly status: number;
  readonly pointer: string;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * A P-code that the response does not list although it lists others, and any code is possible. The client accepts it, but the team of the
 * service learns from it.
 */
function unlistedCodeIn({ responses, open = [] }: Operation, status: number, body: unknown): Violation[] {
  const { errorCode } = (body ?? {}) as { errorCode?: unknown };
  if (!open.includes(status) || typeof errorCode !== "string" || responses[status]?.includes(errorCode)) return [];
  const { openCodes: question } = responseSchemas;
  return [{ pointer: "/errorCode", rule: "error-code", ...(question !== undefined && { question }) }];
}

/** The documented fields whose new name can be that of the unlisted field at the pointer, in any item of its list. */
function renamedAt({ operationId, status, pointer }: Place, body: unknown): string[] {
  const at = pointer.lastIndexOf("/");
  const parent = pointer.slice(0, at);
  const objects = valuesAt(body, parent.replace(/\/\d+(?=\/|$)/g, "/*"));
  return renamedFrom(schemasOf(operationId, status, parent), objects, pointer.slice(at + 1));
}

/** Removes differences that follow from other differences. */
function withoutConsequences(found: readonly Violation[], status: number): readonly Violation[] {
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
  const parts = schemas.flatMap(subschemasOf);
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
