/** Prism as the engine of the mock: `--engine prism`, and the reference of the compiled one. */
import { codeProperty, type Operation } from "../contract/index.ts";
import type { Engine } from "../mock/answer/engine.ts";
import {
  bodyViolation,
  emptyBodyViolation,
  judgedText,
  parameterViolation,
  type RequestFacts,
  sentValue,
  type Violation,
} from "../mock/answer/violations.ts";
import type { PlanAnswer, PlanOperation } from "../mock/plan/plan.ts";
import { bodyText } from "./operation-data.ts";
import type { Diagnostic, Prism, PrismOperation } from "./prism.ts";

/**
 * The engine that asks Prism for every request.
 *
 * @param headersOf the headers that the contract declares for an answer of an operation, in lower case.
 */
export function prismEngine(prism: Prism, headersOf: DeclaredHeaders): Engine {
  return {
    async findViolations(operation, request) {
      const input = {
        method: operation.method.toLowerCase() as "get",
        url: { path: expandPath(operation, request), query: declaredQuery(operation, request) },
        headers: withoutBodyHeaders(request.headers),
        ...(request.body.kind === "value" ? { body: withoutInfinity(request.body.value) } : {}),
      };
      const diagnostics = await prism.diagnose(acceptOnly(prism.find(operation), request.body), input);
      return toViolations(diagnostics, operation, request);
    },
    produceAnswer: (operation, answer) => produceAnswer(prism, operation, answer, headersOf),
  };
}

/** Names, in lower case, of the headers of the answers with a status. */
export type DeclaredHeaders = (operationId: string, status: number) => ReadonlySet<string>;

/** Those that the contract declares, and the type of the body. */
export function declaredHeaders(operations: readonly Operation[]): DeclaredHeaders {
  const known = new Map(
    operations.flatMap(({ operationId, answers }) =>
      answers.map(({ status, place }): [string, Set<string>] => {
        const names = place
          .at("headers")
          .entries()
          .map(([name]) => name.toLowerCase());
        return [`${operationId} ${status}`, new Set([...names, "content-type"])];
      }),
    ),
  );
  return (operationId, status) => known.get(`${operationId} ${status}`) ?? new Set();
}

/** A documented answer as Prism produces it, without the headers that Prism adds on its own. */
export async function produceAnswer<Answer extends Omit<PlanAnswer, "code">>(
  prism: Prism,
  operation: Pick<PlanOperation, "operationId" | "method" | "path">,
  answer: Answer,
  headersOf: DeclaredHeaders,
): Promise<PlanAnswer> {
  const { status, headers, body } = await prism.produce(operation, answer);
  const declared = headersOf(operation.operationId, status);
  const code = (body as Record<string, unknown> | null | undefined)?.[codeProperty];
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    status,
    mediaType: answer.mediaType,
    example: answer.example,
    code: typeof code === "string" ? code : undefined,
    headers: Object.fromEntries(lowerCased.filter(([name]) => declared.has(name))),
    body: bodyText(body, answer.mediaType),
  };
}

/**
 * The operation with no other media type than that of this body. Together with {@link withoutBodyHeaders} this makes
 * Prism validate the decoded value and parse nothing: its multipart parser fails on a malformed body.
 */
function acceptOnly(operation: PrismOperation, body: RequestFacts["body"]): PrismOperation {
  const { request } = operation;
  if (body.kind !== "value" || request?.body === undefined) return operation;
  const contents = request.body.contents?.filter(({ mediaType }) => mediaType === body.mediaType) ?? [];
  return { ...operation, request: { ...request, body: { ...request.body, contents } } };
}

/** The value with `true` in place of each number that is too large for one, such as 1e400: Prism takes it for a number. */
function withoutInfinity(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : true;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutInfinity);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutInfinity(inner)]));
}

function withoutBodyHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")));
}

/** The path with its values fully percent-encoded: Prism splits a value at a comma. */
function expandPath({ path, parameters }: PlanOperation, request: RequestFacts): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === "path" && candidate.name === name);
    const text = request.pathParameters[name] ?? "";
    return encodeURIComponent(parameter === undefined ? text : judgedText(parameter, text));
  });
}

/** The declared parameters only: Prism gives a meaning of its own to others, such as `__server`. */
function declaredQuery({ parameters }: PlanOperation, { query }: RequestFacts): Record<string, string | string[]> {
  const entries = parameters.flatMap((parameter): [string, string | string[]][] => {
    const { name, in: location } = parameter;
    const values = location === "query" ? query.getAll(name) : [];
    if (values[0] === undefined) return [];
    if (values.length > 1) return [[name, values]];
    return [[name, values[0] === "" ? "" : judgedText(parameter, values[0])]];
  });
  return Object.fromEntries(entries);
}

function toViolations(diagnostics: Diagnostic[], operation: PlanOperation, request: RequestFacts): Violation[] {
  const violations = diagnostics.flatMap((diagnostic): Violation[] => {
    if (Number(diagnostic.code) === 401) return [{ kind: "security" }];
    const [location, ...path] = diagnostic.path?.map(String) ?? [];
    if (location === undefined || location === "body") return toBodyViolation(diagnostic, path, request.body);
    return toParameterViolations(diagnostic, location, path, operation, request);
  });
  return request.body.kind === "invalid" ? [...violations, request.body.violation] : violations;
}

function toBodyViolation(diagnostic: Diagnostic, path: string[], body: RequestFacts["body"]): Violation[] {
  // Prism is given no body when the body cannot be decoded, so it reports that the body is missing.
  if (body.kind === "invalid") return [];
  // Prism takes null, false, 0 and "" for no body at all.
  if (diagnostic.path === undefined) return [emptyBodyViolation(body.kind === "absent")];
  return [bodyViolation(String(diagnostic.code), path, ruleOf(diagnostic, "body", path))];
}

/** Prism writes names in lower case, and for a missing parameter it gives only its location. */
function toParameterViolations(
  diagnostic: Diagnostic,
  location: string,
  path: string[],
  { parameters }: PlanOperation,
  request: RequestFacts,
): Violation[] {
  const here = parameters.filter((parameter) => parameter.in === location);
  const name = path[0];
  if (name === undefined) {
    return here
      .filter((parameter) => parameter.required && sentValue(parameter, request) === undefined)
      .map((parameter) => parameterViolation(parameter, "is required"));
  }
  return here
    .filter((parameter) => parameter.name.toLowerCase() === name)
    .map((parameter) => parameterViolation(parameter, ruleOf(diagnostic, location, path)));
}

/** The message without the words that Prism puts in front of it. */
function ruleOf({ message }: Diagnostic, location: string, path: string[]): string {
  const noun = location === "body" ? "property" : "parameter";
  const prefix = path.length === 0 ? `Request ${location} ` : `Request ${location} ${noun} ${path.join(".")} `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}
