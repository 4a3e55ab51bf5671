/** Prism, embedded: it validates requests and produces documented answers. It never sees a connection. */
import { createLogger } from "@stoplight/prism-core";
import { createInstance, getHttpOperationsFromSpec } from "@stoplight/prism-http";
import type { Operation } from "../contract/contract.ts";
import type { OpenApiDocument, ParameterObject } from "../contract/document.ts";
import type { BodyFault, DecodedBody } from "./body.ts";
import type { Choice } from "./choices.ts";

/** What Prism needs to know of a request. */
export interface RequestFacts {
  pathParameters: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: DecodedBody;
}

export type Violation =
  | { place: "security" }
  | { place: "parameter"; parameter: ParameterObject; message: string }
  | { place: "body"; fault: BodyFault; message: string };

export interface ProducedAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface Engine {
  /** Everything in which the request breaks the contract. Messages hold names and rules, no values. */
  findViolations(operation: Operation, request: RequestFacts): Promise<Violation[]>;
  /** The chosen answer or, without one, the first example of the operation's success. */
  produceAnswer(operation: Operation, choice?: Choice): Promise<ProducedAnswer>;
}

type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];
type PrismInstance = ReturnType<typeof createInstance>;
type PrismResult = Awaited<ReturnType<ReturnType<PrismInstance["request"]>>>;
type PrismOutput = Extract<PrismResult, { _tag: "Right" }>["right"];
type Diagnostic = PrismOutput["validations"]["input"][number];

/** Loads the contract into Prism. The document is left as it is. */
export async function startPrism(document: OpenApiDocument): Promise<Engine> {
  // Prism resolves references in place.
  const prismOperations = await getHttpOperationsFromSpec(structuredClone(document));
  const logger = createLogger("mock", { level: "silent" });
  const validator = createInstance(configure({ validate: true }), {
    logger,
    // Only the violations are of interest: Prism's own answers to an invalid request are not those of the contract.
    mock: () => () => ({ _tag: "Right", right: { statusCode: 200 } }),
  });
  const negotiator = createInstance(configure({ validate: false }), { logger });

  const find = (operation: Operation): PrismOperation => {
    const found = prismOperations.find(({ method, path }) => method === operation.method && path === operation.path);
    if (found === undefined) throw new Error(`Prism does not know ${operation.operationId}.`);
    return found;
  };

  return {
    async findViolations(operation, request) {
      const resource = acceptOnly(find(operation), request.body);
      const input = {
        method: operation.method,
        url: { path: expandPath(operation, request.pathParameters), query: declaredQuery(operation, request.query) },
        headers: withoutBodyHeaders(request.headers),
        ...(request.body.kind === "value" ? { body: request.body.value } : {}),
      };
      const { validations } = unwrap(await validator.request(input, [resource])());
      return toViolations(validations.input, operation, request);
    },

    async produceAnswer(operation, choice) {
      const input = { method: operation.method, url: { path: operation.path } };
      const config = configure({ validate: false, ...(choice === undefined ? {} : { choice }) });
      const { output } = unwrap(await negotiator.request(input, [find(operation)], config)());
      return { status: output.statusCode, headers: output.headers ?? {}, body: output.body };
    },
  };
}

function configure({ validate, choice }: { validate: boolean; choice?: Choice }) {
  const chosen =
    choice === undefined
      ? {}
      : {
          code: choice.answer.status,
          ...(choice.body === undefined ? {} : { mediaTypes: [choice.body.mediaType] }),
          ...(choice.example === undefined ? {} : { exampleKey: choice.example.name }),
        };
  return {
    isProxy: false as const,
    checkSecurity: validate,
    validateRequest: validate,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: false, ...chosen },
  };
}

function unwrap(result: PrismResult): PrismOutput {
  if (result._tag === "Left") throw result.left;
  return result.right;
}

/**
 * The operation as if it accepted nothing but the media type of this body. Together with headers that do not speak of the
 * body, this makes Prism validate the decoded value and leaves it nothing to parse: its multipart parser does not
 * survive a malformed body.
 */
function acceptOnly(operation: PrismOperation, body: DecodedBody): PrismOperation {
  const { request } = operation;
  if (body.kind !== "value" || request?.body === undefined) return operation;
  const contents = request.body.contents?.filter(({ mediaType }) => mediaType === body.mediaType) ?? [];
  return { ...operation, request: { ...request, body: { ...request.body, contents } } };
}

function withoutBodyHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")));
}

/** The path with its values encoded in full: Prism splits a value at a bare comma. */
function expandPath(operation: Operation, values: Record<string, string>): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

/** Only what the contract declares, so that no other parameter means anything to Prism. */
function declaredQuery(operation: Operation, query: URLSearchParams): Record<string, string | string[]> {
  const entries = operation.parameters.flatMap(({ name, in: place }): [string, string | string[]][] => {
    const values = place === "query" ? query.getAll(name) : [];
    return values[0] === undefined ? [] : [[name, values.length === 1 ? values[0] : values]];
  });
  return Object.fromEntries(entries);
}

/** Prism's findings in the order in which the mock judges them: the key, the parameters, the body. */
function toViolations(diagnostics: Diagnostic[], operation: Operation, request: RequestFacts): Violation[] {
  const violations = diagnostics.flatMap((diagnostic): Violation[] => {
    if (Number(diagnostic.code) === 401) return [{ place: "security" }];
    const [place, ...path] = diagnostic.path ?? [];
    if (place === undefined || place === "body") return toBodyViolation(diagnostic, path, request.body);
    return toParameterViolations(diagnostic, place, path, operation, request);
  });
  if (request.body.kind === "invalid") {
    const { fault, message } = request.body;
    violations.push({ place: "body", fault, message: `body: ${message}` });
  }
  const places = ["security", "parameter", "body"];
  return violations.sort((a, b) => places.indexOf(a.place) - places.indexOf(b.place));
}

function toBodyViolation(diagnostic: Diagnostic, path: string[], body: DecodedBody): Violation[] {
  // Of a body that could not be decoded Prism sees nothing, so it can only say that it is missing.
  if (body.kind === "invalid") return [];
  if (diagnostic.path === undefined) {
    // Prism takes null, false, 0 and "" for no body at all.
    return body.kind === "absent"
      ? [{ place: "body", fault: "missing", message: "body: is required" }]
      : [{ place: "body", fault: "otherwise", message: "body: must not be empty" }];
  }
  const fault = ["required", "dependentRequired"].includes(String(diagnostic.code)) ? "missing" : "otherwise";
  const subject = path.length === 0 ? "" : `${path.join(".")} `;
  return [{ place: "body", fault, message: `body: ${subject}${ruleOf(diagnostic, "body", path)}` }];
}

/** Prism writes names in lower case, and of a missing parameter it gives the place only. */
function toParameterViolations(
  diagnostic: Diagnostic,
  place: string,
  path: string[],
  operation: Operation,
  request: RequestFacts,
): Violation[] {
  const here = operation.parameters.filter((parameter) => parameter.in === place);
  const name = path[0];
  if (name === undefined) {
    return here
      .filter((parameter) => parameter.required && !isGiven(parameter, request))
      .map((parameter) => describe(parameter, "is required"));
  }
  return here
    .filter((parameter) => parameter.name.toLowerCase() === name)
    .map((parameter) => describe(parameter, ruleOf(diagnostic, place, path)));
}

function isGiven({ name, in: place }: ParameterObject, request: RequestFacts): boolean {
  if (place === "query") return request.query.has(name) && request.query.get(name) !== "";
  if (place === "header") return name.toLowerCase() in request.headers;
  return name in request.pathParameters;
}

function describe(parameter: ParameterObject, rule: string): Violation {
  return { place: "parameter", parameter, message: `${parameter.in} parameter ${parameter.name}: ${rule}` };
}

/** The message without the words that Prism puts in front of it. */
function ruleOf({ message }: Diagnostic, place: string, path: string[]): string {
  const noun = place === "body" ? "property" : "parameter";
  const prefix = path.length === 0 ? `Request ${place} ` : `Request ${place} ${noun} ${path.join(".")} `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}
