/** Describes a call as a curl command without sensitive values. */
import type { Operation } from "./operation.ts";
import type { CheckedOptions } from "./options.ts";
import { findUnsafePathParameter } from "./path-parameters.ts";
import type { Explanation } from "./types.ts";

const mask = "[redacted]";

interface ExplainedCall {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/**
 * Describes a call without sending it.
 *
 * @param sensitiveNames names of the properties and parameters whose values are masked.
 * @param call the `path`, `query` and `body` of the call.
 * @throws {TypeError} when a path parameter cannot be sent.
 */
export function explainCall(
  operationId: string,
  operation: Operation,
  options: CheckedOptions,
  sensitiveNames: readonly string[],
  call: ExplainedCall,
): Explanation {
  const problem = findUnsafePathParameter(operation.path, call.path ?? {});
  if (problem !== undefined) throw new TypeError(`${operationId}: ${problem}`);
  const names = new Set(sensitiveNames);
  const url = urlOf(operation, options, names, call);
  const lines = [
    `curl -X ${operation.method} ${quote(url)}`,
    `-H ${quote("x-api-key: <API_KEY>")}`,
    ...bodyLines(operation, names, call.body),
  ];
  return { operationId, method: operation.method, url, curl: lines.join(" \\\n  "), answers: operation.answers };
}

function urlOf(operation: Operation, options: CheckedOptions, names: ReadonlySet<string>, call: ExplainedCall): string {
  const shown = (name: string, value: unknown) => (names.has(name) ? mask : String(value));
  const base = operation.address === "deposit" ? options.depositBaseUrl : options.baseUrl;
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    return encodeURIComponent(shown(name, call.path?.[name]));
  });
  const query = new URLSearchParams(
    Object.entries(call.query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, shown(name, value)]],
    ),
  ).toString();
  return `${base}${path}${query === "" ? "" : `?${query}`}`;
}

function bodyLines(operation: Operation, names: ReadonlySet<string>, body: unknown): string[] {
  if (body === undefined) return [];
  if (operation.body === "multipart") {
    const present = (operation.parts ?? []).filter((part) => (body as Record<string, unknown>)[part] !== undefined);
    return present.map((part) => `-F ${quote(`${part}=@<FILE>`)}`);
  }
  return [`-H ${quote("content-type: application/json")}`, `-d ${quote(JSON.stringify(maskSensitive(body, names)))}`];
}

function maskSensitive(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => maskSensitive(item, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, names.has(name) ? mask : maskSensitive(item, names)]),
  );
}

/** Quotes a string for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
