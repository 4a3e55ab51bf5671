/** Generates the two entry files of an edition: the client and the webhooks, with their documentation for editors. */
import type { Contract, Edition, OpenQuestions, Operation, Provenance, Webhook } from "../contract/index.ts";
import { generatedNotice, runtimePath, toLiteral, toMemberComment, toMembers } from "./text.ts";

/** Returns the text of `index.ts`: the interface of the client and the function that creates it. */
export function indexSource(contract: Contract, edition: Edition, questions: OpenQuestions): string {
  const methods = contract.operations.map((operation) => {
    const type = `operations["${operation.operationId}"]`;
    const optional = needsOptions(operation) ? "" : "?";
    return `${operationComment(contract, operation, questions)}
  ${operation.operationId}(options${optional}: calls.CallOptions<${type}>): Promise<calls.CallResult<${type}, UndocumentedError>>;`;
  });
  const codes = contract.errorCodes.map(({ code }) => JSON.stringify(code));
  return `${generatedNotice}
import { createClient } from "${runtimePath}/client.ts";
import type { PartnerApiError } from "${runtimePath}/errors.ts";
import type { ClientOptions } from "${runtimePath}/options.ts";
import type * as calls from "${runtimePath}/types.ts";
import { catalogue } from "./catalogue.ts";
import { operations as table } from "./operations.ts";
import { sensitiveNames } from "./sensitive-names.ts";
import type { operations, paths } from "./types.ts";

/** Every P-code of the catalogue. An operation may answer any of them, whether the contract documents it there or not. */
export type CatalogueCode = ${codes.length === 0 ? "never" : codes.join(" | ")};

/** The error of a P-code of the catalogue that the contract does not document for the operation, or not with this status. */
export interface UndocumentedError extends PartnerApiError {
  readonly kind: "code";
  readonly documented: false;
  readonly status: number;
  readonly errorCode: CatalogueCode;
}

/**
 * The error of a failed call. \`errorCode\` narrows to the P-codes of the catalogue; \`documented\` is true for those that the
 * contract documents for the operation and status.
 */
export type CallError<Op> = calls.CallError<Op, UndocumentedError>;

/**
 * The result of a call: either \`data\` or \`error\`. \`status\` distinguishes between several success responses; that of a
 * success which the contract does not document is \`UnlistedStatus\`, and \`response.status\` has the number.
 */
export type CallResult<Op> = calls.CallResult<Op, UndocumentedError>;

/** The client of the partner account and wallet service, edition ${edition}: one function for each operation. */
export interface PartnerClient extends calls.ClientTools<operations, paths> {
${methods.join("\n\n")}
}

/**
 * Creates a client. Its functions return \`{ data, error, response }\` and never throw because of a response.
 *
 * @throws {TypeError} when a base URL is missing or malformed, or the API key is missing.
 */
export function createPartnerClient(options: ClientOptions): PartnerClient {
  const answers = () => import("./answer-schemas.ts");
  return createClient<PartnerClient>(options, { operations: table, catalogue, sensitiveNames, answers });
}

export * from "${runtimePath}/exports.ts";
export type * from "./types.ts";
`;
}

function needsOptions(operation: Operation): boolean {
  return operation.requestBody !== undefined || operation.parameters.some(({ required }) => required);
}

function operationComment(contract: Contract, operation: Operation, questions: OpenQuestions): string {
  const meanings = new Map(contract.errorCodes.map(({ code, meaning }) => [code, meaning]));
  const responses = operation.answers.flatMap(({ key, codes, description }) =>
    codes.length === 0 ? [`- ${key}: ${description}`] : codes.map((code) => `- ${key} ${code}: ${meanings.get(code)}`),
  );
  return toMemberComment([
    `${operation.summary} (\`${operation.method.toUpperCase()} ${operation.path}\`)`,
    "",
    ...operation.description.trim().split("\n"),
    "",
    "Responses:",
    ...responses,
    ...provenanceLines(operation, questions),
    ...(operation.deprecated ? ["", "@deprecated Marked obsolete by the service."] : []),
  ]);
}

/** Returns the text of `webhooks.ts`: the types of the events and the functions that receive them. */
export function webhooksSource(contract: Contract, questions: OpenQuestions): string {
  const { webhooks, delivery } = contract;
  const events = webhooks.map(
    (webhook) => `${webhookComment(webhook, questions)}
  ${webhook.name}: webhooks["${webhook.name}"]["post"]["requestBody"]["content"]["application/json"];`,
  );
  const rows = webhooks.map(({ name, path, dedupeKey }) => {
    const text = `{ path: ${toLiteral(path)}, schema: webhookSchemas.${name}, dedupeKey: ${toLiteral(dedupeKey)} }`;
    return [name, text] as const;
  });
  const paths = webhooks.filter(({ path }) => path !== "").map(({ name, path }) => [name, toLiteral(path)] as const);
  const named = paths.length === 0 ? "never" : paths.map(([name]) => JSON.stringify(name)).join(" | ");
  return `${generatedNotice}
import type { WebhookTable } from "${runtimePath}/webhooks/contract.ts";
import { makeTestEvent, type Parsed, parseWithTable } from "${runtimePath}/webhooks/events.ts";
import { createHandler, type WebhookHandler } from "${runtimePath}/webhooks/handler.ts";
import type { WebhookHandlerOptions } from "${runtimePath}/webhooks/options.ts";
import type { WebhookPaths } from "${runtimePath}/webhooks/routes.ts";
import type { webhooks } from "./types.ts";
import { webhookExamples } from "./webhook-examples.ts";
import { webhookSchemas } from "./webhook-schemas.ts";

/** The body of every webhook, by the name of the webhook. */
export interface WebhookEvents {
${events.join("\n\n")}
}

/** The name of a webhook. */
export type WebhookName = keyof WebhookEvents;

const table: WebhookTable = {
${toMembers(rows)}
};

/** The paths on the partner's server, of the webhooks whose path is known. \`paths\` of a handler overrides them. */
export const webhookPaths: Readonly<Record<${named}, string>> = {
${toMembers(paths)}
};

/** The path on the partner's server that the service checks; undefined when none is known. */
export const healthPath: string | undefined = ${toLiteral(delivery?.healthPath) ?? "undefined"};

/**
 * Creates a handler of webhook calls: a function from a standard Request to a standard Response.
 *
 * An event is delivered whenever it has the type that its function was promised. Other deviations from the contract (a
 * pattern, a format, a value or field that is not listed) are only reported to \`onDeviation\`.
 *
 * @throws {TypeError} when an option is missing or malformed: no token, no policy for events without a function or for
 * those that break their type, or no path for a webhook whose path the contract does not know.
 */
export function createWebhookHandler(options: WebhookHandlerOptions<WebhookEvents>): WebhookHandler {
  return createHandler(table, healthPath, options);
}

/**
 * Finds the webhook of a path and compares the body with its type. It does not check the token.
 *
 * @param path path of the call on the partner's server.
 * @param body JSON text.
 * @param options.paths paths on the partner's server, where they differ from the contract.
 * @throws {TypeError} when \`options.paths\` names no webhook, holds no path, or gives one path to two webhooks.
 */
export function parseWebhook(path: string, body: string, options: { paths?: WebhookPaths<WebhookEvents> } = {}): Parsed<WebhookEvents> {
  return parseWithTable(table, path, body, options.paths);
}

/**
 * Returns an event for tests: an example of the contract with some fields replaced. A webhook without an example starts
 * with an empty object.
 *
 * @param overrides fields that replace those of the example.
 * @throws {TypeError} when the overrides break the type of the event.
 */
export function testEvent<Name extends WebhookName>(name: Name, overrides: Partial<WebhookEvents[Name]> = {}): WebhookEvents[Name] {
  return makeTestEvent<WebhookEvents, Name>(table, webhookExamples, name, overrides);
}

export * from "${runtimePath}/webhooks/exports.ts";
`;
}

function webhookComment(webhook: Webhook, questions: OpenQuestions): string {
  return toMemberComment([
    `${webhook.summary} (${placeOf(webhook)})`,
    "",
    ...webhook.description.trim().split("\n"),
    ...provenanceLines(webhook, questions),
  ]);
}

function placeOf({ path, pathProvenance }: Webhook): string {
  if (path === "") return "its path is not known: give yours in `paths`";
  return `\`POST ${path}\` on the partner's server${pathProvenance === "proposed" ? ", a proposed path" : ""}`;
}

/** Returns the text of `webhook-examples.ts`: the first example of every webhook that has one. */
export function webhookExamplesSource(contract: Contract): string {
  const examples = contract.webhooks.flatMap(({ name, requestBody }) => {
    const [example] = requestBody?.bodies[0]?.examples ?? [];
    return example === undefined ? [] : [[name, toLiteral(example.value)] as const];
  });
  return `${generatedNotice}
/** The first example of every webhook that has one. */
export const webhookExamples: Readonly<Record<string, object>> = {
${toMembers(examples)}
};
`;
}

function provenanceLines({ provenance, openQuestions }: Operation | Webhook, questions: OpenQuestions): string[] {
  const open = openQuestions.map((id) => `- ${id}: ${questions[id]?.question} Assumed: ${questions[id]?.assumption}`);
  const sentence = provenanceSentences[provenance ?? "proposed"];
  return [...(open.length === 0 ? [] : ["", "Open questions:", ...open]), "", sentence];
}

const provenanceSentences: Record<Provenance, string> = {
  specification: "Stated in the interface specification.",
  reference:
    "Named in the interface specification and described in the public reference; parts that are proposed are marked.",
  observed:
    "Named in the interface specification, its shape observed in a program that calls the service, or inferred from one.",
  proposed: "@experimental Proposed: to be confirmed before anyone relies on it.",
};
