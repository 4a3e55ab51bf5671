/** What a command that runs the mock prints: an example call, and a line for each request. */
import type { Edition, Plan, PlanOperation } from "../plan/plan.ts";
import type { RequestEntry } from "./server.ts";

/** One line: time, method, path template, status, P-code, time taken, and why it was answered so. */
export function formatEntry({ time, method, path, status, code, milliseconds, notes }: RequestEntry): string {
  const answer = status === "drop" ? "connection closed" : [status, ...(code === undefined ? [] : [code])].join(" ");
  const why = notes.length === 0 ? "" : ` · ${notes.join(" · ")}`;
  return `${clockTime(time)} ${method} ${path ?? "(no such path)"} → ${answer} ${shortTime(milliseconds)} ms${why}`;
}

/** The same as one JSON object. */
export function entryAsJson({ time, path, code, milliseconds, ...entry }: RequestEntry): string {
  const rounded = Number(milliseconds.toFixed(3));
  const told = { time: new Date(time).toISOString(), ...entry, path: path ?? null, code: code ?? null };
  return JSON.stringify({ ...told, milliseconds: rounded });
}

/** The local time of day. */
function clockTime(time: number): string {
  const date = new Date(time);
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits);
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** With a digit after the point where whole milliseconds would say nothing. */
function shortTime(milliseconds: number): string {
  return milliseconds.toFixed(milliseconds < 10 ? 1 : 0);
}

/**
 * The shortest curl call of the main address that the mock answers with a success.
 *
 * @param isEmpty whether the mock starts without users, so that only a call that requires nothing succeeds.
 * @param isAnyKey whether every key is accepted; otherwise the variable KEY of the shell stands for one.
 */
export function exampleCurl(
  { operations }: Plan,
  url: string,
  { edition, isEmpty = false, isAnyKey = true }: { edition: Edition; isEmpty?: boolean; isAnyKey?: boolean },
): string {
  const calls = operations
    .filter(({ address, deprecated, editions }) => address === "base_url" && !deprecated && editions.includes(edition))
    .filter(({ requires }) => !isEmpty || requires.length === 0)
    .flatMap((operation) => toCurl(operation, url, isAnyKey) ?? [])
    .sort((a, b) => a.length - b.length);
  return calls[0] ?? `curl -i ${url}`;
}

/** The call with the examples of the contract; undefined when its body is not JSON. */
function toCurl(operation: PlanOperation, url: string, isAnyKey: boolean): string | undefined {
  const { method, keyHeader, parameters, requestBody } = operation;
  const body = requestBody?.bodies[0];
  if (body !== undefined && body.mediaType !== "application/json") return undefined;
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join("&");
  return [
    "curl -i",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    quote(`${url}${expandPath(operation)}${query === "" ? "" : `?${query}`}`),
    ...(keyHeader === undefined ? [] : [`-H ${isAnyKey ? quote(`${keyHeader}: any-key`) : `"${keyHeader}: $KEY"`}`]),
    ...(body === undefined
      ? []
      : [
          `-H ${quote(`content-type: ${body.mediaType}`)}`,
          `-d ${quote(JSON.stringify(Object.values(body.examples)[0]))}`,
        ]),
  ].join(" ");
}

function expandPath({ path, parameters }: PlanOperation): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === "path" && candidate.name === name);
    return encodeURIComponent(String(parameter?.example));
  });
}

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
