/** Uses the code of the client. Shared by `ask`, `check` and `proxy`. */
import { isUtf8 } from "node:buffer";
import {
  checkResponse,
  contract,
  type Deviation,
  isObject,
  type Operation,
  type RawResponse,
  readResponse,
  responseSchemas,
  type Schema,
  toRawResponse,
  type Violation,
} from "../client/src/entries/internal/index.ts";
import { possibleOldNames } from "./additions.ts";
import {
  actionableHeaders,
  describeExpected,
  describeSeen,
  type ResponseRule,
  type SeenResponse,
  schemasOf,
} from "./expectations.ts";
import { findLosses, type Loss } from "./json-text.ts";
import { rawErrorCode, redactorOf, safeName, safePointer } from "./masking.ts";
import { isSuccess, operationOf } from "./operations.ts";
import { combinedSchemasOf, valuesAt } from "./pointers.ts";

/** A difference of a response or a request from the contract. What may be personal data is masked. */
export type Drift = ResponseDrift | RequestDrift;

export interface RequestDrift extends Deviation {
  readonly side: "request";
  /** Such as `the header x-api-key is missing`. */
  readonly problem: string;
}

export interface ResponseDrift extends Deviation {
  readonly side: "response";
  readonly expected: string;
  readonly seen: string;
  /** Present if the difference is an additional field of a response that seems to replace no documented field. Such a field affects no client. */
  readonly isAddition?: true;
}

/** A response whose body is decompressed, but not parsed. */
export interface UnreadResponse {
  readonly status: number;
  readonly headers: Headers;
  /**
   * The bytes of the body; otherwise why there are none: `size` if the body is larger than {@link responseLimit}, `content-encoding` if it
   * cannot be decompressed. Each is also the rule that the response violates.
   */
  readonly bytes: Buffer | "size" | "content-encoding";
}

export const responseLimit: number = 4 * 1024 * 1024;

export interface Judgement {
  readonly body: unknown;
  /** Whether each documented field was present, by its pointer; empty unless the response is a documented success with a readable body. */
  readonly fields: ReadonlyMap<string, boolean>;
  readonly drift: readonly ResponseDrift[];
  /**
   * Whether the client gives the response the outcome `refused`: the call changed nothing. False for a success, and for an error after which
   * data may have changed, such as 502 or P500.
   */
  readonly isRefused: boolean;
}

/** @param apiKey the key of the call, which is masked in descriptions of the response. */
export function judgeResponse(
  operationId: string,
  unreadResponse: UnreadResponse,
  apiKey: string | undefined,
): Judgement {
  const operation = operationOf(operationId);
  const { status, headers, bytes } = unreadResponse;
  const text = typeof bytes === "string" ? "" : new TextDecoder().decode(bytes);
  const message = toRawResponse(unreadResponse, text);
  const { body, failure, violations } = readBody(operation, message, bytes === "size" ? responseLimit : undefined);
  const losses = body === undefined ? [] : findLosses(text, safeName);
  const foundViolations = [
    ...violationsOfMessage(unreadResponse),
    ...violations,
    ...losses.map(({ pointer, rule }) => ({ pointer, rule })),
    ...unlistedCodeIn(operation, status, body),
  ];
  const allViolations = checkResponse(responseSchemas, { operationId, status, body, violations: foundViolations });
  const response = { ...message, charset: charsetOf(headers), body };
  const redact = redactorOf(apiKey);
  return {
    body,
    drift: removeConsequences(allViolations, status).map((violation) =>
      driftOf(violation, { operationId, response, losses, redact }),
    ),
    isRefused: failure?.outcome === "refused",
    fields: fieldsIn(operationId, status, body),
  };
}

/** Reads a body as the client does, and also finds a media type that the client accepts, but the contract does not document. */
function readBody(
  operation: Operation,
  response: RawResponse,
  exceededLimit: number | undefined,
): Pick<ReturnType<typeof readResponse>, "body" | "failure"> & { violations: Violation[] } {
  const violations: Violation[] = [];
  const { body, failure } = readResponse({ operation, contract, response, violations, exceededLimit });
  const isMediaTypeFound = violations.some(({ rule }) => rule === "media-type");
  if (isMediaTypeFound || !hasOtherMediaType(operation, response)) return { body, failure, violations };
  return { body, failure, violations: [...violations, { pointer: "", rule: "media-type" }] };
}

interface JudgedResponse {
  readonly operationId: string;
  readonly response: SeenResponse;
  readonly losses: readonly Loss[];
  readonly redact: (text: string) => string;
}

function driftOf(violation: Violation, { operationId, response, losses, redact }: JudgedResponse): ResponseDrift {
  const { pointer, rule } = violation;
  const { status, body } = response;
  const location = { ...violation, operationId, status };
  const oldNames = rule === "unlisted-field" ? possibleOldNamesAt(location, body) : [];
  const loss = losses.find((candidate) => candidate.rule === rule && candidate.pointer === pointer);
  return {
    side: "response",
    ...location,
    pointer: safePointer(pointer, rule),
    ...(rule === "unlisted-field" && oldNames.length === 0 && { isAddition: true }),
    expected: describeExpected(location, valuesAt(body, pointer)[0], oldNames),
    seen: redact(loss?.seen ?? describeSeen(violation, response)),
  };
}

interface ResponseLocation {
  readonly operationId: string;
  readonly status: number;
  readonly pointer: string;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

function violationsOfMessage({ headers, bytes }: UnreadResponse): Violation[] {
  const isRead = typeof bytes !== "string";
  const rules: Partial<Record<ResponseRule, boolean>> = {
    encoding: isRead && !isUtf8(bytes),
    "byte-order-mark": isRead && bytes.subarray(0, 3).equals(byteOrderMark),
    size: bytes === "size",
    "content-encoding": bytes === "content-encoding",
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
function hasOtherMediaType({ accept }: Operation, { status, mediaType, text }: RawResponse): boolean {
  const expectedType = (isSuccess(status) ? accept : undefined) ?? "application/json";
  return text !== "" && mediaType !== expectedType;
}

/**
 * Finds a P-code that the contract does not list for a status whose list may be incomplete. The client accepts such a code, but the report
 * shows it, so that the list can be completed.
 */
function unlistedCodeIn({ responses, open = [] }: Operation, status: number, body: unknown): Violation[] {
  const errorCode = rawErrorCode(body);
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

function removeConsequences(violations: readonly Violation[], status: number): readonly Violation[] {
  const cause = violations.find(
    ({ rule }) => (rule === "status" && !isSuccess(status)) || (rule === "error-code" && isSuccess(status)),
  );
  if (cause !== undefined) return [cause];
  const isFound = (rule: string, pointer: string) =>
    violations.some((other) => other.rule === rule && other.pointer === pointer);
  return violations.filter(({ rule, pointer }) => {
    if (status === 204 && rule === "body") return false;
    return !causes[rule]?.some((other) => isFound(other, pointer));
  });
}

/** For a rule, other rules that can cause its violation. If one of these is violated at the same pointer, only it is reported. */
const causes: Readonly<Record<string, readonly string[]>> = {
  // A format and a pattern often state the same requirement.
  format: ["pattern"],
  precision: ["type"],
  type: ["body"],
  encoding: ["charset"],
  body: ["encoding", "content-encoding"],
};

/** Whether each documented field of a success is present, by its pointer; empty for another status or an unreadable body. */
function fieldsIn(operationId: string, status: number, body: unknown): ReadonlyMap<string, boolean> {
  const schema = responseSchemas.operations[operationId]?.bodies?.[status];
  return new Map(isSuccess(status) && schema !== undefined && body !== undefined ? fieldsOf([schema], [body], "") : []);
}

/** For each documented field, whether any of `values` has it. `*` in a pointer stands for every item of an array. */
function fieldsOf(
  schemas: readonly Schema[],
  values: readonly unknown[],
  pointer: string,
): [pointer: string, isPresent: boolean][] {
  const parts = schemas.flatMap(combinedSchemasOf);
  const objects = values.filter(isObject);
  const names = new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)));
  const members = [...names].map((name) => ({
    name,
    schemas: parts.flatMap(({ properties }) => properties?.[name] ?? []),
    values: objects.flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : [])),
  }));
  const items = {
    name: "*",
    schemas: parts.flatMap((part) => part.items ?? []),
    values: values.filter(Array.isArray).flat(),
  };
  return [...members, ...(items.schemas.length > 0 ? [items] : [])].flatMap((field) => {
    const location = `${pointer}/${field.name}`;
    return [[location, field.values.length > 0], ...fieldsOf(field.schemas, field.values, location)];
  });
}
