/** An exchange is a request and its response through the proxy. */
import type { IncomingMessage } from "node:http";
import { Transform, type TransformCallback } from "node:stream";
import { didYouMean } from "../base/index.ts";
import type { PlanOperation } from "../mock/plan/index.ts";
import { BoundedBytes, type DecodedBody, decodeBody, findViolations, type Route } from "../mock/request/index.ts";
import { decompress } from "./content-encoding.ts";
import {
  type Drift,
  judgeResponse,
  type RequestDrift,
  type ResponseDrift,
  responseLimit,
  type UnreadResponse,
} from "./judge.ts";
import { safeName, safePointer } from "./masking.ts";
import type { SeenCall } from "./report.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly route: Route;
  readonly query: URLSearchParams;
  readonly requestBody: BodyCopy;
  readonly responseBody: BodyCopy;
  /** When the request arrived, as returned by `performance.now()`. */
  readonly startedAt: number;
}

/** Forwards a body, and keeps a copy of it unless it is larger than {@link responseLimit}. */
export class BodyCopy extends Transform {
  readonly #copy = new BoundedBytes(responseLimit);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#copy.add(chunk);
    callback(null, chunk);
  }

  /** Undefined if the body is larger than {@link responseLimit}. */
  get bytes(): Buffer | undefined {
    return this.#copy.concat();
  }
}

export interface JudgedExchange {
  /** Undefined if the contract has no operation for the method and path of the call. */
  readonly operationId: string | undefined;
  readonly drift: readonly Drift[];
  readonly seen?: SeenCall;
}

/** Asynchronous, so that an error during judging rejects the promise, and does not end the proxy. */
export async function judgeExchange(exchange: Exchange, upstreamResponse: IncomingMessage): Promise<JudgedExchange> {
  const milliseconds = performance.now() - exchange.startedAt;
  const { request, route } = exchange;
  if (route.kind !== "operation") {
    const nearestPath = route.kind === "unknown" ? route.nearestPath : route.template;
    const problem = `no path of the contract with ${request.method}${nearestPath === undefined ? "" : `; the nearest is ${nearestPath}`}`;
    return { operationId: undefined, drift: [{ side: "request", pointer: "", rule: "path", problem }] };
  }
  const { operationId, keyHeader = "" } = route.operation;
  const { statusCode: status = 0, rawHeaders } = upstreamResponse;
  const headers = new Headers(pairsOf(rawHeaders));
  const { bytes } = exchange.responseBody;
  const response: UnreadResponse = {
    status,
    headers,
    bytes: bytes === undefined ? "size" : decompress(bytes, headers),
  };
  const [apiKey] = [request.headers[keyHeader]].flat();
  const { drift, fields } = judgeResponse(operationId, response, apiKey);
  const judgedDrift = request.method === "HEAD" ? [] : drift;
  return {
    operationId,
    drift: [...requestDrift(exchange, route), ...judgedDrift],
    seen: { fields, milliseconds },
  };
}

/** @param exchange undefined for a difference without operation. */
export function responseDrift(
  exchange: Exchange | undefined,
  rule: string,
  expected: string,
  seen = "",
): ResponseDrift {
  const { route } = exchange ?? {};
  const operationId = route?.kind === "operation" ? { operationId: route.operation.operationId } : {};
  return { side: "response", pointer: "", rule, ...operationId, expected, seen };
}

function requestDrift(
  { request, query, requestBody: copy }: Exchange,
  { operation, pathParameters }: Extract<Route, { kind: "operation" }>,
): RequestDrift[] {
  const headers = request.headers as Record<string, string | undefined>;
  const { bytes } = copy;
  // A request body of more than 4 MiB is not judged, because it was not kept.
  const requestBody = bytes && operation.requestBody;
  const body: DecodedBody = requestBody
    ? decodeBody(requestBody, { body: { bytes, isTooLarge: false }, headers })
    : { kind: "absent" };
  const violations = findViolations({ ...operation, requestBody }, { pathParameters, query, headers, body });
  const problems = [
    ...violations.map((violation) => ({
      rule: violation.kind,
      problem: violation.kind === "security" ? `the header ${operation.keyHeader} is missing` : violation.message,
    })),
    ...unlistedParameters(operation, query),
    ...unlistedFields(operation, body),
  ];
  const { operationId } = operation;
  return problems.map(({ rule, problem }) => ({ side: "request", pointer: "", rule, operationId, problem }));
}

type RequestProblem = Pick<RequestDrift, "rule" | "problem">;

function unlistedParameters({ parameters }: PlanOperation, query: URLSearchParams): RequestProblem[] {
  const knownNames = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const unlistedNames = [...new Set(query.keys())].filter((name) => !knownNames.includes(name));
  return unlistedNames.map((name) => ({
    rule: "unlisted-parameter",
    problem: `no query parameter ${withSuggestion(safeName(name), name, knownNames)}`,
  }));
}

function unlistedFields({ requestBody }: PlanOperation, body: DecodedBody): RequestProblem[] {
  const { value, mediaType } = body.kind === "value" ? body : {};
  const { members = [] } = requestBody?.bodies.find((candidate) => candidate.mediaType === mediaType) ?? {};
  if (members.length === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const pointers = Object.keys(value).map((name) => `/${name}`);
  const rule = "unlisted-field";
  return pointers
    .filter((pointer) => !members.includes(pointer))
    .map((pointer) => ({ rule, problem: `no field ${withSuggestion(safePointer(pointer, rule), pointer, members)}` }));
}

/** Appends a similar known name, if any, to a masked name, because the user cannot see what was misspelt. */
function withSuggestion(shownName: string, name: string, knownNames: readonly string[]): string {
  return shownName.endsWith("*") ? `${shownName}.${didYouMean(name, knownNames)}` : shownName;
}

/** Names and values alternate in `rawHeaders`. */
export function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  return rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""]] : [],
  );
}
