/** Prism, embedded: it validates requests and produces documented answers. It never sees a connection. */
import { createLogger } from "@stoplight/prism-core";
import { createInstance, getHttpOperationsFromSpec } from "@stoplight/prism-http";
import type { OpenApiDocument, Operation, Parameter } from "../contract/index.ts";
import type { DecodedBody } from "./body.ts";
import type { BodyViolationKind, Choice, Violation } from "./choices.ts";

/** What Prism needs to know of a request. */
interface RequestFacts {
  pathParameters: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: DecodedBody;
}

export interface ProducedAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface Prism {
  /** Every way in which the request violates the contract. */
  findViolations(operation: Operation, request: RequestFacts): Promise<Violation[]>;
  /** The chosen answer or, without a choice, the first example of the operation's success. */
  produceAnswer(operation: Operation, choice?: Choice): Promise<ProducedAnswer>;
}

type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];
type PrismInstance = ReturnType<typeof createInstance>;
type PrismResult = Awaited<ReturnType<ReturnType<PrismInstance["request"]>>>;
type PrismOutput = Extract<PrismResult, { _tag: "Right" }>["right"];
type Diagnostic = PrismOutput["validations"]["input"][number];

/**
 * Loads a document into Prism. The document is not changed.
 *
 * @throws when it is not an OpenAPI document, or has a reference that does not resolve.
 */
export async function loadPrism(document: OpenApiDocument): Promise<Prism> {
  // Prism resolves references in place.
  const prismOperations = await getHttpOperationsFromSpec(structuredClone(document));
  const logger = createLogger("mock", { level: "silent" });
  const validator = createInstance(configure({ validate: true }), {
    logger,
    // Only the diagnostics are used: Prism's own answers to an invalid request are not those of the contract.
    mock: () => () => ({ _tag: "Right", right: { statusCode: 200 } }),
  });
  const negotiator = createInstance(configure({ validate: false }), { logger });

  const find = (operation: Operation): PrismOperation => {
    const found = prismOperations.find(({ method, path }) => method === operation.method && path === operation.path);
    if (found === undefined) throw new Error(`Prism does not have ${operation.operationId}.`);
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
 * The operation with no other media type than that of this body. Together with {@link withoutBodyHeaders} this makes
 * Prism validate the decoded value and parse nothing: its multipart parser fails on a malformed body.
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

/** The path with its values fully percent-encoded: Prism splits a value at a comma. */
function expandPath(operation: Operation, values: Record<string, string>): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

/** The declared parameters only: Prism gives a meaning of its own to others, such as `__server`. */
function declaredQuery(operation: Operation, query: URLSearchParams): Record<string, string | string[]> {
  const entries = operation.parameters.flatMap((parameter): [string, string | string[]][] => {
    const values = parameter.in === "query" ? query.getAll(parameter.name) : [];
    return values[0] === undefined ? [] : [[parameter.name, values.length === 1 ? values[0] : values]];
  });
  return Object.fromEntries(entries);
}

function toViolations(diagnostics: Diagnostic[], operation: Operation, request: RequestFacts): Violation[] {
  const violations = diagnostics.flatMap((diagnostic): Violation[] => {
    if (Number(diagnostic.code) === 401) return [{ kind: "security" }];
    const [location, ...path] = diagnostic.path ?? [];
    if (location === undefined || location === "body") return toBodyViolation(diagnostic, path, request.body);
    return toParameterViolations(diagnostic, location, path, operation, request);
  });
  if (request.body.kind === "invalid") violations.push(request.body.violation);
  return violations;
}

function toBodyViolation(diagnostic: Diagnostic, path: string[], body: DecodedBody): Violation[] {
  // Prism is given no body when the body cannot be decoded, so it reports that the body is missing.
  if (body.kind === "invalid") return [];
  if (diagnostic.path === undefined) {
    // Prism takes null, false, 0 and "" for no body at all.
    return body.kind === "absent"
      ? [{ kind: "missing", message: "body: is required" }]
      : [{ kind: "otherwise", message: "body: must not be empty" }];
  }
  const kind = bodyViolationKind(String(diagnostic.code), path);
  const subject = path.length === 0 ? "" : `${path.join(".")} `;
  return [{ kind, message: `body: ${subject}${ruleOf(diagnostic, "body", path)}` }];
}

/** An `anyOf` of the whole body says of which parts one is needed. */
function bodyViolationKind(keyword: string, path: string[]): BodyViolationKind {
  if (keyword === "anyOf" && path.length === 0) return "alternative";
  return ["required", "dependentRequired"].includes(keyword) ? "missing" : "otherwise";
}

/** Prism writes names in lower case, and for a missing parameter it gives only its location. */
function toParameterViolations(
  diagnostic: Diagnostic,
  location: string,
  path: string[],
  operation: Operation,
  request: RequestFacts,
): Violation[] {
  const here = operation.parameters.filter((parameter) => parameter.in === location);
  const name = path[0];
  if (name === undefined) {
    return here
      .filter((parameter) => parameter.required && !isPresent(parameter, request))
      .map((parameter) => describe(parameter, "is required"));
  }
  return here
    .filter((parameter) => parameter.name.toLowerCase() === name)
    .map((parameter) => describe(parameter, ruleOf(diagnostic, location, path)));
}

function isPresent({ name, in: location }: Parameter, request: RequestFacts): boolean {
  if (location === "query") return request.query.has(name) && request.query.get(name) !== "";
  if (location === "header") return name.toLowerCase() in request.headers;
  return name in request.pathParameters;
}

function describe(parameter: Parameter, rule: string): Violation {
  return { kind: "parameter", parameter, message: `${parameter.in} parameter ${parameter.name}: ${rule}` };
}

/** The message without the words that Prism puts in front of it. */
function ruleOf({ message }: Diagnostic, location: string, path: string[]): string {
  const noun = location === "body" ? "property" : "parameter";
  const prefix = path.length === 0 ? `Request ${location} ` : `Request ${location} ${noun} ${path.join(".")} `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}
