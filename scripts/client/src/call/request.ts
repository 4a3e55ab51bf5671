/**
 * The request is prepared synchronously, so that later changes by the caller have no effect. The URL, the headers and the body are written
 * with openapi-fetch, which does not check the values.
 */
import { createFinalURL, createQuerySerializer, defaultPathSerializer, mergeHeaders } from "openapi-fetch";
import { checkNames } from "../base/check-names.ts";
import { toHeaders } from "../base/headers.ts";
import { isInEdition, type Operation } from "../base/operation.ts";
import { ownProperties } from "../base/own-properties.ts";
import { InvalidRequest } from "../errors/invalid-request.ts";
import type { SentValues } from "../errors/redaction.ts";
import type { CommonOptions } from "../state/call-types.ts";
import { type CheckedOptions, checkLimits, limits } from "../state/check-options.ts";
import type { ClientState } from "../state/client.ts";
import type { CapturedUpload } from "../upload/types.ts";
import { captureUpload } from "../upload/upload.ts";
import { writeBody } from "./body.ts";
import { checkPathParameters, checkQueryParameters } from "./check-parameters.ts";

export interface UntypedCall extends CommonOptions {
  path?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

const optionNames = ["path", "query", "body", "headers", "signal", ...limits, "repeatUnknown"];

export interface PreparedCall extends Pick<CheckedOptions, "attemptTimeoutMs" | "retries"> {
  readonly url: string;
  readonly headers: Record<string, string> | Headers;
  readonly text: string | undefined;
  readonly upload: CapturedUpload | undefined;
  /** Whether `check-values.ts` has something to check: a JSON body, or an operation with amounts. */
  readonly hasValues: boolean;
  readonly query: Readonly<Record<string, unknown>>;
  /** The members of the body, with or without a value, that would change the meaning of the call if they were missing. */
  readonly givenNames: readonly string[];
  readonly signal: AbortSignal | undefined;
  /** When the call times out, in milliseconds of `performance.now()`. */
  readonly endsAt: number;
  readonly repeatUnknown: boolean | undefined;
  /** For masking them in errors. */
  readonly getSentValues: () => SentValues;
}

export function prepareCall(
  { options, contract }: ClientState,
  operation: Operation,
  callOptions: UntypedCall | undefined,
  startedAt: number,
): PreparedCall {
  const { edition } = options;
  if (!isInEdition(edition, operation)) throw new InvalidRequest(["edition", edition, operation.edition]);
  const call = readCall(callOptions);
  checkCall(call);
  const { path, query, signal, body } = call;
  const { timeoutMs = options.timeoutMs, attemptTimeoutMs = options.attemptTimeoutMs } = call;
  const { amounts, explicit = [], upload: rules } = operation;
  if (signal !== undefined && !signal?.addEventListener) {
    throw new InvalidRequest(["signal"]);
  }
  if (body !== undefined && !operation.json && !rules) throw new InvalidRequest(["absent", "body"]);
  if (!operation.query && Object.keys(query).length > 0) throw new InvalidRequest(["absent", "query"]);
  checkPathParameters(operation.path, path, operation.patterns);
  const url = createFinalURL(operation.path, {
    baseUrl: baseUrlOf(options, operation),
    params: { path, query: checkQueryParameters(query) },
    pathSerializer: defaultPathSerializer,
    querySerializer: writeQuery,
  });
  const text = operation.json ? writeBody(body) : undefined;
  const upload = rules && captureUpload(body, rules);
  const headers = headersOf(options, operation, call.headers, contract.userAgent);
  return {
    url,
    headers,
    text,
    upload,
    hasValues: text !== undefined || amounts !== undefined,
    query,
    givenNames: explicit.filter((name) => name in Object(body)),
    signal,
    endsAt: startedAt + timeoutMs,
    attemptTimeoutMs,
    retries: call.retries ?? options.retries,
    repeatUnknown: call.repeatUnknown,
    getSentValues: () => ({
      headers,
      values: { path, query, body: upload ? upload.names : text === undefined ? undefined : JSON.parse(text) },
    }),
  };
}

function baseUrlOf({ baseUrl, depositBaseUrl }: CheckedOptions, { deposit }: Operation): string {
  const address = deposit ? depositBaseUrl : baseUrl;
  if (address !== undefined) return address;
  throw new InvalidRequest(["deposit"]);
}

/** A getter or a proxy can throw. What it throws can contain values, so it is not kept. */
function readCall(
  call: UntypedCall | undefined,
): UntypedCall & Record<"path" | "query", Readonly<Record<string, unknown>>> {
  try {
    // `Object.assign` is used, because an object literal that begins with a spread is much slower in V8.
    const copy = ownProperties(Object.assign({}, call));
    return Object.assign(copy, { path: { ...copy.path }, query: { ...copy.query } });
  } catch {
    throw new InvalidRequest(["options"]);
  }
}

function checkCall(call: UntypedCall): void {
  try {
    checkNames("option of a call", call, optionNames);
    checkLimits(call);
    // Called only for its checks, so that an invalid header is refused like any other invalid option.
    if (call.headers !== undefined) toHeaders(call.headers);
  } catch (error) {
    throw new InvalidRequest(["text", (error as Error).message]);
  }
}

/** `form`, exploded: the default style of OpenAPI. */
const writeQuery = createQuerySerializer();

/** If possible a plain object, which is faster to make than `Headers`. */
function headersOf(
  options: CheckedOptions,
  { accept = "application/json", json }: Operation,
  callHeaders: UntypedCall["headers"],
  userAgent: string,
): Record<string, string> | Headers {
  const baseHeaders: Record<string, string> = {
    "user-agent": userAgent,
    ...options.headers,
    accept,
    "x-api-key": options.apiKey,
  };
  if (json) baseHeaders["content-type"] = "application/json";
  if (callHeaders === undefined) return baseHeaders;
  const headers = mergeHeaders(baseHeaders, callHeaders);
  // `fetch` sets the content type of a multipart body, with the boundary. A request without a body has none.
  if (!json) headers.delete("content-type");
  headers.set("x-api-key", options.apiKey);
  return headers;
}
