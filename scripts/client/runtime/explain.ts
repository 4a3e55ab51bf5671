/** Describes a call as a curl command without sensitive values. */
import { type Client, stateOf } from "./client.ts";
import type { Operation, OperationTable } from "./operation.ts";
import { createRedactor, mask } from "./redaction.ts";
import { prepareCall, type UntypedCall } from "./request.ts";
import { InvalidRequest } from "./serialize.ts";

/** Describes what a call would send, without sensitive values. */
export interface Explanation {
  operationId: string;
  method: string;
  url: string;
  /** The call as a curl command, with placeholders for the API key and for sensitive values. */
  curl: string;
  /** The documented responses: the known P-codes of each status, none for a response without a P-code. */
  answers: Readonly<Record<number, readonly string[]>>;
}

/**
 * Describes a call without sending it.
 *
 * @param table every operation.
 * @param options the `path`, `query` and `body` of the call.
 * @throws {TypeError} when the client has no such operation, or the call cannot be sent.
 */
export function explainCall(
  client: Client,
  table: OperationTable,
  operationId: string,
  options: object = {},
): Explanation {
  const operation = operationIn(table, operationId);
  const { contract, options: settings } = stateOf(client);
  const redact = createRedactor(contract.sensitiveNames, () => ({ apiKey: settings.apiKey, values: options }));
  const names = new Set(contract.sensitiveNames);
  const shown = maskSensitive(options, names) as UntypedCall;
  const url = redact(urlOf(client, operation, options as UntypedCall, shown));
  const lines = [
    `curl -X ${operation.method} ${quote(url)}`,
    `-H ${quote("x-api-key: <API_KEY>")}`,
    ...bodyLines(operation, shown.body).map(redact),
  ];
  return { operationId, method: operation.method, url, curl: lines.join(" \\\n  "), answers: codesOf(operation) };
}

/**
 * The operation with this operationId.
 *
 * @throws {TypeError} when there is none.
 */
export function operationIn(table: OperationTable, operationId: string): Operation {
  const operation = Object.hasOwn(table, operationId) ? table[operationId] : undefined;
  if (operation === undefined) throw new TypeError(`There is no operation "${operationId}".`);
  return operation;
}

/** The URL with its sensitive values masked. The call itself is prepared as well, so that what cannot be sent is refused. */
function urlOf(client: Client, operation: Operation, call: UntypedCall, shown: UntypedCall): string {
  const state = stateOf(client);
  try {
    prepareCall(state, operation, call);
    const { body: _body, upload: _upload, amounts: _amounts, ...plain } = operation;
    return prepareCall(state, plain, { path: shown.path, query: shown.query }).url;
  } catch (error) {
    if (error instanceof InvalidRequest) throw new TypeError(`${operation.id}: ${error.message}`);
    throw error;
  }
}

function codesOf({ answers }: Operation): Explanation["answers"] {
  return Object.fromEntries(Object.entries(answers).map(([status, codes]) => [status, Object.keys(codes)]));
}

function bodyLines(operation: Operation, body: unknown): string[] {
  if (operation.upload) {
    const present = operation.upload.parts.filter((part) => (body as Record<string, unknown>)[part] !== undefined);
    return present.map((part) => `-F ${quote(`${part}=@<FILE>`)}`);
  }
  if (!operation.body) return [];
  return [`-H ${quote("content-type: application/json")}`, `-d ${quote(JSON.stringify(body))}`];
}

function maskSensitive(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => maskSensitive(item, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      names.has(name) && item !== undefined ? mask : maskSensitive(item, names),
    ]),
  );
}

/** Quotes a string for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
