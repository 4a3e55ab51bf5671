/** Generates the TypeScript sources of a client that depend on the contract. */
import type { Answer, Contract, Operation, Webhook } from "../contract/contract.ts";
import type { JsonSchema, OpenApiDocument, Provenance } from "../contract/document.ts";
import { resolve } from "../contract/document.ts";
import type { OpenQuestions } from "../contract/open-questions.ts";
import type { Edition } from "../contract/project.ts";
import { findSensitiveNames } from "./sensitive.ts";

/** File names (without folder) and texts of the sources that depend on the contract. */
export function generateSources(
  contract: Contract,
  edition: Edition,
  questions: OpenQuestions,
): Record<string, string> {
  return {
    "operations.ts": operationsSource(contract),
    "catalogue.ts": catalogueSource(contract, edition),
    "sensitive-names.ts": sensitiveNamesSource(contract.document),
    "index.ts": indexSource(contract, edition, questions),
    "webhooks.ts": webhooksSource(contract, questions),
    "webhook-examples.ts": webhookExamplesSource(contract),
  };
}

function operationsSource(contract: Contract): string {
  const entries = contract.operations.map(
    (operation) => `  ${operation.operationId}: ${toLiteral(entryOf(contract, operation))},`,
  );
  return `import type { OperationTable } from "./runtime/operation.js";

/** Every operation of the contract, by its operationId. */
export const operations: OperationTable = {
${entries.join("\n")}
};
`;
}

function entryOf(contract: Contract, operation: Operation): Record<string, unknown> {
  const body = operation.requestBody?.bodies[0];
  const isMultipart = body?.mediaType.startsWith("multipart/") ?? false;
  return {
    method: operation.method.toUpperCase(),
    path: operation.path,
    address: operation.address === "deposit_base_url" ? "deposit" : "main",
    ...(body === undefined ? {} : { body: isMultipart ? "multipart" : "json" }),
    ...(body !== undefined && isMultipart ? uploadOf(contract, body.schema) : {}),
    accept: acceptOf(operation),
    answers: Object.fromEntries(operation.answers.map((answer) => [answer.status, answer.codes])),
    safe: isSafe(operation),
  };
}

/** The parts of a multipart body in their order, and the limits that are stated of their files. */
function uploadOf(contract: Contract, schema: JsonSchema): Record<string, unknown> {
  const properties = resolve<JsonSchema>(contract.document, schema).properties as Record<string, JsonSchema>;
  const limits = Object.entries(properties).flatMap(([name, property]) => {
    const maxFiles = property.maxItems;
    const maxBytes = ((property.items ?? property) as JsonSchema)["x-max-bytes"];
    if (maxFiles === undefined && maxBytes === undefined) return [];
    return [
      [name, { ...(maxFiles === undefined ? {} : { maxFiles }), ...(maxBytes === undefined ? {} : { maxBytes }) }],
    ];
  });
  return {
    parts: Object.keys(properties),
    ...(limits.length === 0 ? {} : { limits: Object.fromEntries(limits) }),
  };
}

function acceptOf(operation: Operation): string {
  const success = operation.answers.find(isSuccess);
  return success?.bodies[0]?.mediaType ?? "application/json";
}

function isSuccess(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** Whether a call can be repeated without changing anything (RFC 9110, section 9.2.1). */
function isSafe(operation: Operation): boolean {
  return operation.method === "get" && !operation.sideEffects;
}

function catalogueSource(contract: Contract, edition: Edition): string {
  const entries = contract.errorCodes.map(({ code, meaning, retry, resolution }) => {
    const docs = `${edition}/index.html#/errors/${code.toLowerCase()}`;
    return `  ${code}: ${toLiteral({ meaning, retry, resolution, docs })},`;
  });
  return `import type { ErrorCatalogue } from "./runtime/operation.js";

/** Every P-code of the contract. */
export const catalogue: ErrorCatalogue = {
${entries.join("\n")}
};
`;
}

function sensitiveNamesSource(document: OpenApiDocument): string {
  return `/** Names of the properties and parameters that the contract marks with x-sensitive. */
export const sensitiveNames: readonly string[] = ${toLiteral(findSensitiveNames(document))};
`;
}

function indexSource(contract: Contract, edition: Edition, questions: OpenQuestions): string {
  const methods = contract.operations.map((operation) => {
    const type = `operations["${operation.operationId}"]`;
    const optional = needsOptions(operation) ? "" : "?";
    return `${operationComment(contract, operation, questions)}
  ${operation.operationId}(options${optional}: CallOptions<${type}>): Promise<CallResult<${type}>>;`;
  });
  return `import { catalogue } from "./catalogue.js";
import { operations as table } from "./operations.js";
import { createClient } from "./runtime/client.js";
import type { ClientOptions } from "./runtime/options.js";
import type { CallOptions, CallResult, CommonOptions, Explanation, RawClient } from "./runtime/types.js";
import { sensitiveNames } from "./sensitive-names.js";
import type { operations, paths } from "./types.js";

/** The client of the partner account and wallet service, edition ${edition}: one function per operation. */
export interface PartnerClient {
${methods.join("\n\n")}

  /**
   * What a call would send, as a curl command without anything sensitive, and which answers it can get.
   *
   * @throws {TypeError} when there is no such operation, or a path parameter cannot be sent.
   */
  explain<Name extends keyof operations>(operationId: Name, options?: Omit<CallOptions<operations[Name]>, keyof CommonOptions>): Explanation;

  /** The openapi-fetch client underneath, for whatever the functions above do not cover. */
  readonly raw: RawClient<paths>;
}

/**
 * Makes a client. Its functions never throw for an answer of the service: they return \`{ data, error, response }\`.
 *
 * @throws {TypeError} when an address is missing or malformed, or the key is missing.
 */
export function createPartnerClient(options: ClientOptions): PartnerClient {
  return createClient(options, { operations: table, catalogue, sensitiveNames }) as unknown as PartnerClient;
}

export {
  addDecimals,
  compareDecimals,
  type Decimal,
  type DecimalInput,
  subtractDecimals,
  toDecimal,
} from "./runtime/decimal.js";
export { type ErrorKind, PartnerApiError } from "./runtime/errors.js";
export { type ExactNumbers, exactNumbers } from "./runtime/exact-numbers.js";
export { type KnownValues, match } from "./runtime/match.js";
export type { ClientOptions, LogEvent } from "./runtime/options.js";
export type { CallData, CallError, CallOptions, CallResult, CommonOptions, ErrorCodeOf, Explanation, FileUpload, RawClient, UnlistedValue } from "./runtime/types.js";
export { unwrap } from "./runtime/unwrap.js";
export type * from "./types.js";
`;
}

function needsOptions(operation: Operation): boolean {
  return operation.requestBody !== undefined || operation.parameters.some((parameter) => parameter.required ?? false);
}

function operationComment(contract: Contract, operation: Operation, questions: OpenQuestions): string {
  const meaning = new Map(contract.errorCodes.map((entry) => [entry.code, entry.meaning]));
  const answers = operation.answers.flatMap((answer) =>
    answer.codes.length === 0
      ? [`- ${answer.status}: ${answer.description}`]
      : answer.codes.map((code) => `- ${answer.status} ${code}: ${meaning.get(code)}`),
  );
  return comment([
    `${operation.summary} (\`${operation.method.toUpperCase()} ${operation.path}\`)`,
    "",
    ...operation.description.trim().split("\n"),
    "",
    "Answers:",
    ...answers,
    ...provenanceLines(operation, questions),
    ...(operation.deprecated ? ["", "@deprecated Marked obsolete by the service."] : []),
  ]);
}

function provenanceLines({ provenance, openQuestions }: Operation | Webhook, questions: OpenQuestions): string[] {
  const open = openQuestions.map((id) => `- ${id}: ${questions[id]?.question} Assumed: ${questions[id]?.assumption}`);
  return [...(open.length === 0 ? [] : ["", "Open questions:", ...open]), "", provenanceSentences[provenance]];
}

const provenanceSentences: Record<Provenance, string> = {
  specification: "Stated in the interface specification.",
  reference: "Named in the interface specification, its shape seen in the public reference.",
  proposed: "@experimental Proposed: to be confirmed before anyone relies on it.",
};

function comment(lines: string[]): string {
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/").trimEnd());
  return ["  /**", ...safe.map((line) => (line === "" ? "   *" : `   * ${line}`)), "   */"].join("\n");
}

function webhooksSource(contract: Contract, questions: OpenQuestions): string {
  const events = contract.webhooks.map(
    (webhook) => `${webhookComment(webhook, questions)}
  ${webhook.name}: webhooks["${webhook.name}"]["post"]["requestBody"]["content"]["application/json"];`,
  );
  const entries = contract.webhooks.map(({ name, path, dedupeKey }) => {
    return `  ${name}: { path: ${toLiteral(path)}, validate: validators.${name}, dedupeKey: ${toLiteral(dedupeKey)} },`;
  });
  const paths = contract.webhooks.map((webhook) => `  ${webhook.name}: ${toLiteral(webhook.path)},`);
  return `import type { WebhookTable } from "./runtime/webhooks/contract.js";
import { createHandler, type WebhookHandler, type WebhookHandlerOptions } from "./runtime/webhooks/handler.js";
import { type Parsed, parseWithTable } from "./runtime/webhooks/parse.js";
import { makeTestEvent } from "./runtime/webhooks/test-event.js";
import type { webhooks } from "./types.js";
import * as validators from "./validators.js";
import { webhookExamples } from "./webhook-examples.js";

/** The body of every webhook, by the name of the webhook. */
export interface WebhookEvents {
${events.join("\n\n")}
}

/** The name of a webhook. */
export type WebhookName = keyof WebhookEvents;

const table: WebhookTable = {
${entries.join("\n")}
};

/** The path on the partner's server that each webhook is posted to. */
export const webhookPaths: Readonly<Record<WebhookName, string>> = {
${paths.join("\n")}
};

/**
 * Makes a receiver of webhooks: a function from a standard Request to a standard Response.
 *
 * @throws {TypeError} when an option is missing or malformed, above all when no token is given.
 */
export function createWebhookHandler(options: WebhookHandlerOptions<WebhookEvents>): WebhookHandler {
  return createHandler(table, options);
}

/**
 * Finds the webhook of a path and checks the body against the contract. It does not check the token.
 *
 * @param path path of the call on the partner's server.
 * @param body JSON text.
 */
export function parseWebhook(path: string, body: string): Parsed<WebhookEvents> {
  return parseWithTable(table, path, body) as Parsed<WebhookEvents>;
}

/**
 * A valid event for tests: an example of the contract with some fields replaced.
 *
 * @throws {TypeError} when the overrides make the event invalid.
 */
export function testEvent<Name extends WebhookName>(name: Name, overrides: Partial<WebhookEvents[Name]> = {}): WebhookEvents[Name] {
  return makeTestEvent(table, webhookExamples, name, overrides) as WebhookEvents[Name];
}

export { toFastifyPlugin, toNodeListener } from "./runtime/webhooks/adapters.js";
export { createMemoryStore, createRedisStore, type DedupeStore, type RedisCommands } from "./runtime/webhooks/dedupe.js";
export type { AnyEvent, WebhookHandler, WebhookHandlerOptions } from "./runtime/webhooks/handler.js";
export type { Parsed } from "./runtime/webhooks/parse.js";
export type { Authorization } from "./runtime/webhooks/token.js";
`;
}

function webhookExamplesSource(contract: Contract): string {
  const examples = contract.webhooks.map(({ name, requestBody }) => {
    return `  ${name}: ${toLiteral(requestBody.bodies[0]?.examples[0]?.value)},`;
  });
  return `/** The first example of every webhook. */
export const webhookExamples: Readonly<Record<string, object>> = {
${examples.join("\n")}
};
`;
}

function webhookComment(webhook: Webhook, questions: OpenQuestions): string {
  return comment([
    `${webhook.summary} (\`POST ${webhook.path}\` on the partner's server)`,
    "",
    ...webhook.description.trim().split("\n"),
    ...provenanceLines(webhook, questions),
  ]);
}

/** A value as a TypeScript literal, object keys unquoted where they can be. */
function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => {
    return `${/^(\d+|[A-Za-z_$][\w$]*)$/.test(key) ? key : JSON.stringify(key)}: ${toLiteral(item)}`;
  });
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
