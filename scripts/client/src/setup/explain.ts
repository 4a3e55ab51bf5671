import type { Operation } from "../base/operation.ts";
import type { UntypedCall } from "../call/request.ts";
import type { ErrorTexts } from "../errors/error-texts.ts";
import type { ClientState } from "../state/client.ts";

/** A description of a call, without sensitive values. */
export interface Explanation {
  operationId: string;
  method: string;
  url: string;
  /** The call as a curl command, with placeholders for the API key, for the values of the client's `headers` and for sensitive values. */
  curl: string;
  /** The documented responses: for each status its P-codes, or an empty list for a response without a P-code. */
  responses: Readonly<Record<number, readonly string[]>>;
}

/** Describes a call with placeholders instead of its sensitive values. The caller must have checked the call. */
export function describeCall(
  { options: { apiKey, headers } }: ClientState,
  { sensitiveNames, createRedactor, mask }: ErrorTexts,
  operation: Operation,
  values: UntypedCall,
  urlOf: (operation: Operation, call: UntypedCall) => string,
): Explanation {
  const redact = createRedactor(sensitiveNames, () => ({ headers: { "x-api-key": apiKey }, values }));
  const { path, query, body } = values;
  const maskMember = (name: string, value: unknown) =>
    sensitiveNames.includes(name) && value !== undefined ? mask : value;
  const { id: operationId, method, responses } = operation;
  const { json: hasJson, upload, amounts: _amounts, patterns: _patterns, ...uncheckedOperation } = operation;
  const maskedValues: UntypedCall = JSON.parse(JSON.stringify({ path, query, ...(hasJson && { body }) }, maskMember));
  const url = redact(urlOf(uncheckedOperation, { path: maskedValues.path, query: maskedValues.query }));
  const files = upload?.parts.filter((part) => (body as Record<string, unknown>)[part] !== undefined) ?? [];
  const headerNames = Object.keys(headers).filter((name) => name !== "x-api-key");
  const lines = [
    `curl -X ${method} ${quote(url)}`,
    `-H ${quote("x-api-key: <API_KEY>")}`,
    ...headerNames.map((name) => `-H ${quote(`${name}: <VALUE>`)}`),
    ...files.map((part) => `-F ${quote(`${part}=@<FILE>`)}`),
    ...(hasJson
      ? [`-H ${quote("content-type: application/json")}`, `-d ${quote(redact(JSON.stringify(maskedValues.body)))}`]
      : []),
  ];
  return { operationId, method, url, curl: lines.join(" \\\n  "), responses };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
