/** Compares a raw response of the service with the contract, using the code of the client. `ask`, `check` and `proxy` share this. */
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
import { possibleOldNames } from "./additions.ts";
import { actionableHeaders, describeExpected, describeSeen, schemasOf } from "./expectations.ts";
import { findLosses } from "./json-text.ts";
import { redactorOf, safeName, safePointer } from "./masking.ts";
import { isSuccess, operations } from "./operations.ts";
import { combinedSchemasOf, valuesAt } from "./pointers.ts";

/** A difference between the contract and a response of the service, or a request to it. What may be personal data is masked. */
export interface Drift extends Deviation {
  readonly side: "response" | "request";
  readonly expected: string;
  readonly seen: string;
  /** Present if the difference is an additional field of a response that seems to replace no documented field. It affects no client. */
  readonly isAddition?: true;
}

/** A response whose body is not parsed, but decompressed if its encoding is known. */
export interface UnreadResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The bytes of the body; undefined if it is larger than {@link responseLimit}. */
  readonly bytes: Buffer | undefined;
}

export const responseLimit: number = 4 * 1024 * 1024;

export interface Judgement {
  readonly body: unknown;
  /** Whether each documented field was present, by its pointer; empty unless the response is a documented success with a readable body. */
  readonly fields: ReadonlyMap<string, boolean>;
  readonly drift: readonly Drift[];
}

/** Compares a response with the contract. @param apiKey the key of the call, which is masked in descriptions of the response. */
export async function judgeResponse(
  operationId: string,
  unreadResponse: UnreadResponse,
  apiKey: string,
): Promise<Judgement> {
  const operation = operations[operationId] as Operation;
  const { status, headers, bytes = Buffer.alloc(0) } = unreadResponse;
  const exceededLimit = unreadResponse.bytes === undefined ? responseLimit : undefined;
  const redact = redactorOf(apiKey);
  const contentType = headers.get("content-type") ?? "";
  const text = new TextDecoder().decode(bytes);
  const response = { status, contentType, text, headers };
  const foundViolations = violationsOfMessage(unreadResponse);
  const { body } = readResponse({ operation, contract, response, violations: foundViolations, exceededLimit });
  if (hasOtherMediaType(operation, response) && !foundViolations.some(({ rule }) => rule === "media-type"))
    foundViolations.push({ pointer: "", rule: "media-type" });
  const losses = body === undefined ? [] : findLosses(text, safeName);
  foundViolations.push(...losses.map(({ pointer, rule }) => ({ pointer, rule })));
  foundViolations.push(...unlistedCodeIn(operation, status, body));
  const violations = removeConsequences(
    checkResponse(responseSchemas, { operationId, status, body, violations: foundViolations }),
    status,
  );
  const drift = violations.map((violation): Drift => {
    const { pointer, rule } = violation;
    const location = { ...violation, operationId, status };
    const oldNames = rule === "unlisted-field" ? possibleOldNamesAt(location, body) : [];
    return {
      side: "response",
      ...location,
      pointer: safePointer(pointer, rule),
      ...(rule === "unlisted-field" && oldNames.length === 0 && { isAddition: true }),
      expected: describeExpected(location, valuesAt(body, pointer)[0], oldNames),
      seen: redact(
        losses.find((loss) => loss.rule === rule && loss.pointer === pointer)?.seen ??
          describeSeen(violation, { ...response, charset: charsetOf(headers), body }),
      ),
    };
  });
  return { body, drift, fields: fieldsIn(operationId, status, body) };
}

interface ResponseLocation {
  readonly operationId: string;
  readonly status: number;
  readonly pointer: string;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Checks the bytes and the headers of a response. */
function violationsOfMessage({ headers, bytes }: UnreadResponse): Violation[] {
  const rules = {
    encoding: bytes !== undefined && !isUtf8(bytes),
    "byte-order-mark": bytes?.subarray(0, 3).equals(byteOrderMark),
    size: bytes === undefined,
    charset: !/^(utf-?8|us-ascii)$/i.test(charsetOf(headers)),
  };
  const violatedRules = Object.entries(rules).flatMap(([rule, isViolated]) => (isViolated ? [rule] : []));
  return [
    ...violatedRules.map((rule) => ({ pointer: "", rule })),
    ...[...headers.keys()]
      .filter((name) => actionableHeaders.test(name))
      .map((name) => ({ pointer: name, rule: "header" })),
  ];
}

function charsetOf(headers: Headers): string {
  const [, charset = "utf-8"] = /;\s*charset="?([^";\s]+)/i.exec(headers.get("content-type") ?? "") ?? [];
  return charset;
}

/** Whether a body has a media type that the contract does not document, such as `application/problem+json`, which the client accepts. */
function hasOtherMediaType(
  { accept }: Operation,
  { status, contentType, text }: { status: number; contentType: string; text: string },
): boolean {
  const expectedType = (isSuccess(status) ? accept : undefined) ?? "application/json";
  return text !== "" && contentType.split(";")[0]?.trim().toLowerCase() !== expectedType;
}

/**
 * Finds a P-code that the contract does not list for the status, although it says that its list may be incomplete. The client accepts such
 * a code, but the report shows it, so that the list can be completed.
 */
function unlistedCodeIn({ responses, open = [] }: Operation, status: number, body: unknown): Violation[] {
  const { errorCode } = (body ?? {}) as { errorCode?: unknown };
  if (!open.includes(status) || typeof errorCode !== "string" || responses[status]?.includes(errorCode)) return [];
  const { openCodes: question } = responseSchemas;
  return [{ pointer: "/errorCode", rule: "error-code", ...(question !== undefined && { question }) }];
}

/** The documented fields that the unlisted field at the pointer may have replaced under a new name. All items of a list are considered. */
function possibleOldNamesAt({ operationId, status, pointer }: ResponseLocation, body: unknown): string[] {
  const nameStart = pointer.lastIndexOf("/");
  const parent = pointer.slice(0, nameStart);
  const objects = valuesAt(body, parent.replace(/\/\d+(?=\/|$)/g, "/*"));
  return possibleOldNames(schemasOf(operationId, status, parent), objects, pointer.slice(nameStart + 1));
}

/** Removes differences that are consequences of other differences. */
function removeConsequences(violations: readonly Violation[], status: number): readonly Violation[] {
  const cause = violations.find(
    ({ rule }) => (rule === "status" && !isSuccess(status)) || (rule === "error-code" && isSuccess(status)),
  );
  if (cause !== undefined) return [cause];
  const isFound = (rule: string | undefined, pointer: string) =>
    violations.some((other) => other.rule === rule && other.pointer === pointer);
  return violations.filter(({ rule, pointer }) => {
    if (status === 204 && rule === "body") return false;
    return !isFound(causes[rule], pointer);
  });
}

/** For a rule, another rule that can cause its violation. If both are violated at the same pointer, only the cause is reported. */
const causes: Readonly<Record<string, string>> = {
  // A format and a pattern often state the same requirement.
  format: "pattern",
  precision: "type",
  type: "body",
  encoding: "charset",
  body: "encoding",
};

/** Whether each documented field of a success is present, by its pointer; empty if the body cannot be read. */
function fieldsIn(operationId: string, status: number, body: unknown): ReadonlyMap<string, boolean> {
  const fields = new Map<string, boolean>();
  const schema = responseSchemas.operations[operationId]?.bodies?.[status];
  if (isSuccess(status) && schema !== undefined && body !== undefined) addFields([schema], [body], "", fields);
  return fields;
}

/** Records in `fields` whether any of `values` has each documented field. `*` in a pointer stands for every item of an array. */
function addFields(
  schemas: readonly Schema[],
  values: readonly unknown[],
  pointer: string,
  fields: Map<string, boolean>,
): void {
  const parts = schemas.flatMap(combinedSchemasOf);
  const objects = values.filter(isObject);
  const addField = (name: string, fieldSchemas: readonly Schema[], fieldValues: readonly unknown[]) => {
    const location = `${pointer}/${name}`;
    fields.set(location, fieldValues.length > 0);
    addFields(fieldSchemas, fieldValues, location, fields);
  };
  for (const name of new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))) {
    const fieldSchemas = parts.flatMap(({ properties }) => properties?.[name] ?? []);
    const fieldValues = objects.flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : []));
    addField(name, fieldSchemas, fieldValues);
  }
  const items = parts.flatMap((part) => part.items ?? []);
  if (items.length > 0) addField("*", items, values.filter(Array.isArray).flat());
}
