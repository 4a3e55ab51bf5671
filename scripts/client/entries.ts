/** Generates the two entry files of an edition: the client and the webhooks, with their documentation for editors. */
import type { Contract, Edition, OpenQuestions, Operation, Provenance, Webhook } from "../contract/index.ts";
import { generatedNotice, runtimePath, toLiteral, toMemberComment, toMembers } from "./text.ts";

/** Returns the text of `index.ts`: the interface of the client and the function that creates it. */
export function indexSource(contract: Contract, edition: Edition, questions: OpenQuestions): string {
  const methods = contract.operations.map((operation) => {
    const type = `operations["${operation.operationId}"]`;
    const optional = needsOptions(operation) ? "" : "?";
    return `${operationComment(contract, operation, questions)}
  ${operation.operationId}(options${optional}: CallOptions<${type}>): Promise<CallResult<${type}>>;`;
  });
  return `${generatedNotice}
import { createClient } from "${runtimePath}/client.ts";
import type { ClientOptions } from "${runtimePath}/options.ts";
import type { CallOptions, CallResult, ClientTools } from "${runtimePath}/types.ts";
import { catalogue } from "./catalogue.ts";
import { operations as table } from "./operations.ts";
import { sensitiveNames } from "./sensitive-names.ts";
import type { operations, paths } from "./types.ts";

/** The client of the partner account and wallet service, edition ${edition}: one function for each operation. */
export interface PartnerClient extends ClientTools<operations, paths> {
${methods.join("\n\n")}
}

/**
 * Creates a client. Its functions return \`{ data, error, response }\` and never throw because of a response.
 *
 * @throws {TypeError} when a base URL is missing or malformed, or the API key is missing.
 */
export function createPartnerClient(options: ClientOptions): PartnerClient {
  return createClient<PartnerClient>(options, { operations: table, catalogue, sensitiveNames });
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
  const { webhooks } = contract;
  const events = webhooks.map(
    (webhook) => `${webhookComment(webhook, questions)}
  ${webhook.name}: webhooks["${webhook.name}"]["post"]["requestBody"]["content"]["application/json"];`,
  );
  const rows = webhooks.map(({ name, path, dedupeKey }) => {
    const text = `{ path: ${toLiteral(path)}, validate: validators.${name}, dedupeKey: ${toLiteral(dedupeKey)} }`;
    return [name, text] as const;
  });
  const paths = webhooks.map(({ name, path }) => [name, toLiteral(path)] as const);
  return `${generatedNotice}
import type { WebhookTable } from "${runtimePath}/webhooks/contract.ts";
import { makeTestEvent, type Parsed, parseWithTable } from "${runtimePath}/webhooks/events.ts";
import { createHandler, type WebhookHandler, type WebhookHandlerOptions } from "${runtimePath}/webhooks/handler.ts";
import type { webhooks } from "./types.ts";
import * as validators from "./validators.js";
import { webhookExamples } from "./webhook-examples.ts";

/** The body of every webhook, by the name of the webhook. */
export interface WebhookEvents {
${events.join("\n\n")}
}

/** The name of a webhook. */
export type WebhookName = keyof WebhookEvents;

const table: WebhookTable = {
${toMembers(rows)}
};

/** The path of every webhook on the partner's server. */
export const webhookPaths: Readonly<Record<WebhookName, string>> = {
${toMembers(paths)}
};

/**
 * Creates a handler of webhook calls: a function from a standard Request to a standard Response.
 *
 * @throws {TypeError} when an option is missing or malformed, for example when no token is given.
 */
export function createWebhookHandler(options: WebhookHandlerOptions<WebhookEvents>): WebhookHandler {
  return createHandler(table, options);
}

/**
 * Finds the webhook of a path and validates the body against the contract. It does not check the token.
 *
 * @param path path of the call on the partner's server.
 * @param body JSON text.
 */
export function parseWebhook(path: string, body: string): Parsed<WebhookEvents> {
  return parseWithTable(table, path, body);
}

/**
 * Returns an event for tests: an example of the contract with some fields replaced.
 *
 * @param overrides fields that replace those of the example.
 * @throws {TypeError} when the overrides make the event invalid.
 */
export function testEvent<Name extends WebhookName>(name: Name, overrides: Partial<WebhookEvents[Name]> = {}): WebhookEvents[Name] {
  return makeTestEvent<WebhookEvents, Name>(table, webhookExamples, name, overrides);
}

export * from "${runtimePath}/webhooks/exports.ts";
`;
}

function webhookComment(webhook: Webhook, questions: OpenQuestions): string {
  return toMemberComment([
    `${webhook.summary} (\`POST ${webhook.path}\` on the partner's server)`,
    "",
    ...webhook.description.trim().split("\n"),
    ...provenanceLines(webhook, questions),
  ]);
}

/** Returns the text of `webhook-examples.ts`: the first example of every webhook. */
export function webhookExamplesSource(contract: Contract): string {
  const examples = contract.webhooks.map(({ name, requestBody }) => {
    return [name, toLiteral(requestBody?.bodies[0]?.examples[0]?.value)] as const;
  });
  return `${generatedNotice}
/** The first example of every webhook. */
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
  reference: "Named in the interface specification, its shape seen in the public reference.",
  proposed: "@experimental Proposed: to be confirmed before anyone relies on it.",
};
