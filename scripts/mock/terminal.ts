/** What a command that runs the mock prints: an example call, and a line for each request. */
import type { Contract, Operation } from "../contract/index.ts";
import type { RequestEntry } from "./server.ts";

/** One line for the request, and one below it for each note. */
export function formatEntry({ method, path, status, code, milliseconds, notes }: RequestEntry): string {
  const codeText = code === undefined ? "" : ` ${code}`;
  const line = `${method} ${path ?? "(no such path)"} → ${status}${codeText} ${milliseconds.toFixed(0)} ms`;
  return [line, ...notes.map((note) => `  ! ${note}`)].join("\n");
}

/** The shortest curl call of the main address that the mock answers with a success. */
export function exampleCurl(contract: Contract, url: string): string {
  const key = keyHeader(contract);
  const calls = contract.operations
    .filter(({ address, deprecated }) => address === "base_url" && !deprecated)
    .flatMap((operation) => toCurl(operation, url, key) ?? [])
    .sort((a, b) => a.length - b.length);
  return calls[0] ?? `curl -i ${url}`;
}

/** The name of the header that carries the API key. */
function keyHeader(contract: Contract): string | undefined {
  const schemes = Object.values(contract.document.components?.securitySchemes ?? {}) as {
    in?: string;
    name?: string;
  }[];
  return schemes.find((scheme) => scheme.in === "header")?.name;
}

/** The call with the examples of the contract; undefined when its body is not JSON. */
function toCurl(operation: Operation, url: string, key: string | undefined): string | undefined {
  const body = operation.requestBody?.bodies[0];
  if (body !== undefined && body.mediaType !== "application/json") return undefined;
  const query = operation.parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join("&");
  return [
    "curl -i",
    ...(operation.method === "get" ? [] : [`-X ${operation.method.toUpperCase()}`]),
    quote(`${url}${expandPath(operation)}${query === "" ? "" : `?${query}`}`),
    ...(key === undefined ? [] : [`-H ${quote(`${key}: any-key`)}`]),
    ...(body === undefined
      ? []
      : [`-H ${quote(`content-type: ${body.mediaType}`)}`, `-d ${quote(JSON.stringify(body.examples[0]?.value))}`]),
  ].join(" ");
}

function expandPath({ path, parameters }: Operation): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === "path" && candidate.name === name);
    return encodeURIComponent(String(parameter?.example));
  });
}

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
