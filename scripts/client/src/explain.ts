/** Describes a call as a curl command without sensitive values. */
import type { ClientState } from "./client.ts";
import type { ErrorTexts } from "./client-contract.ts";
import type { Operation } from "./operation.ts";
import type { PreparedCall, UntypedCall } from "./request.ts";

/** A description of a call, without sensitive values. */
export interface Explanation {
  operationId: string;
  method: string;
  url: string;
  /** The call as a curl command, with placeholders for the API key and for sensitive values. */
  curl: string;
  /** The documented responses: the known P-codes of each status, none for a response without a P-code. */
  responses: Readonly<Record<number, readonly string[]>>;
}

/**
 * Describes a call without sending it.
 *
 * @param prepare prepares a call with the caller's values, or with placeholders.
 */
export async function explainCall(
  { options: { apiKey } }: ClientState,
  { sensitiveNames, createRedactor, mask }: ErrorTexts,
  operation: Operation,
  values: UntypedCall,
  prepare: (operation: Operation, call: UntypedCall) => PreparedCall,
): Promise<Explanation> {
  const redact = createRedactor(sensitiveNames, () => ({ headers: { "x-api-key": apiKey }, values }));
  const shown = maskSensitive(values, new Set(sensitiveNames), mask) as UntypedCall;
  // The actual call is prepared as well, so that invalid values are refused.
  await prepare(operation, values).upload?.load();
  const { id: operationId, method, responses } = operation;
  const { body: _body, upload: _upload, amounts: _amounts, forms: _forms, ...plain } = operation;
  const url = redact(prepare(plain, { path: shown.path, query: shown.query }).url);
  const lines = [
    `curl -X ${method} ${quote(url)}`,
    `-H ${quote("x-api-key: <API_KEY>")}`,
    ...bodyLines(operation, shown.body).map(redact),
  ];
  return { operationId, method, url, curl: lines.join(" \\\n  "), responses };
}

function bodyLines(operation: Operation, body: unknown): string[] {
  if (operation.upload) {
    const present = operation.upload.parts.filter((part) => (body as Record<string, unknown>)[part] !== undefined);
    return present.map((part) => `-F ${quote(`${part}=@<FILE>`)}`);
  }
  if (!operation.body) return [];
  return [`-H ${quote("content-type: application/json")}`, `-d ${quote(JSON.stringify(body))}`];
}

function maskSensitive(value: unknown, names: ReadonlySet<string>, mask: ErrorTexts["mask"]): unknown {
  if (Array.isArray(value)) return value.map((item) => maskSensitive(item, names, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      names.has(name) && item !== undefined ? mask : maskSensitive(item, names, mask),
    ]),
  );
}

/** Quotes a string for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
