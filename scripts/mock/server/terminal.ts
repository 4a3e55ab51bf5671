import type { Delivery, SeenRequest } from "../plan/control.ts";
import type { Edition, Plan } from "../plan/plan.ts";
import { describeOutcome } from "../webhooks/describe-outcome.ts";
import type { RequestEntry } from "./server.ts";

/** The API key that example calls and commands use if every key is accepted, so that they share one world. */
export const exampleKey = "any-key-will-do-for-the-mock";

export function formatEntry({ time, milliseconds, ...entry }: RequestEntry): string {
  return lineOf(clockTime(time), entry, ` ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`);
}

export function formatRequest({ at, ...request }: SeenRequest): string {
  return lineOf(at, request);
}

type LogLine = Pick<RequestEntry, "method" | "path" | "status" | "notes"> & Partial<Pick<RequestEntry, "code">>;

function lineOf(time: string, { method, path, status, code, notes }: LogLine, duration = ""): string {
  const response = status === "drop" ? "connection closed" : [status, ...(code === undefined ? [] : [code])].join(" ");
  const notesText = notes.length === 0 ? "" : ` · ${notes.join(" · ")}`;
  return `${time} ${method} ${path ?? "(no such path)"} → ${response}${duration}${notesText}`;
}

export function formatAttempt(
  { number, webhook, path, state }: Pick<Delivery, "number" | "webhook" | "path" | "state">,
  attempt: Delivery["attempts"][number],
  time?: string,
): string {
  const outcome = `${describeOutcome(attempt)} (event ${number}, ${state})`;
  return `${time ?? new Date(attempt.at).toISOString()} ${webhook} → POST ${path}: ${outcome}`;
}

export function deliveryLine(delivery: Delivery, isJson: boolean): string | undefined {
  const { body: _, attempts, ...event } = delivery;
  const attempt = attempts.at(-1);
  if (attempt === undefined) return undefined;
  if (!isJson) return formatAttempt(delivery, attempt, clockTime(Date.now()));
  return JSON.stringify({ time: new Date().toISOString(), ...event, ...attempt });
}

export function entryAsJson({ time, path, code, milliseconds, ...entry }: RequestEntry): string {
  const roundedMilliseconds = Number(milliseconds.toFixed(3));
  const entryData = { time: new Date(time).toISOString(), ...entry, path: path ?? null, code: code ?? null };
  return JSON.stringify({ ...entryData, milliseconds: roundedMilliseconds });
}

function clockTime(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(11, 23);
}

/**
 * The call succeeds in any state of the world.
 *
 * @param acceptsAnyKey whether every API key is accepted; otherwise the command uses the shell variable KEY.
 */
export function exampleCurl(
  { operations }: Plan,
  url: string,
  { edition, acceptsAnyKey = true }: { edition: Edition; acceptsAnyKey?: boolean },
): string {
  const call = operations.find(
    ({ address, method, deprecated, editions, parameters, requires }) =>
      address === "base_url" &&
      method === "GET" &&
      !deprecated &&
      editions.includes(edition) &&
      parameters.length + requires.length === 0,
  );
  const key = `${call?.keyHeader}: ${acceptsAnyKey ? exampleKey : "$KEY"}`;
  return `curl -i '${url}${call?.path ?? "/"}'${call?.keyHeader === undefined ? "" : ` -H ${acceptsAnyKey ? `'${key}'` : `"${key}"`}`}`;
}
