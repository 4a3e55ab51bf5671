import { setTimeout as wait } from "node:timers/promises";
import type { Delivery, SeenRequest } from "../../mock/plan/index.ts";
import { controlPath } from "../../mock/request/index.ts";
import { formatAttempt, formatRequest } from "../../mock/server/index.ts";
import type { Arguments, Command } from "../kit/arguments.ts";
import { callMock, jsonOption, mockOptions } from "./control-call.ts";

export const logsSummary = "Print the requests and the deliveries of events";

export function logsCommand(usage: string): Command {
  const followOption = { name: "follow", text: "continue with new entries until Ctrl+C" };
  return { usage: `${usage} logs`, text: `${logsSummary}.`, options: [followOption, ...mockOptions, jsonOption] };
}

const pollMs = 500;

/** A request or an event. A later poll can have further rows of an event. */
interface Entry {
  /** The number alone is not enough, because numbers start again after a reset of the world. */
  readonly key: string;
  readonly rows: readonly Row[];
}

interface Row {
  readonly time: string;
  readonly json: object;
  readonly line: string;
}

export async function runLogs(
  parsedArgs: Arguments,
  print: (line: string) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let printedCounts = new Map<string, number>();
  const callPath = (path: string) => callMock(parsedArgs, `${controlPath}/${path}`);
  do {
    const [requests, deliveries] = (await Promise.all([callPath("requests"), callPath("deliveries")])) as [
      SeenRequest[],
      Delivery[],
    ];
    const entries = [...requests.map(entryOfRequest), ...deliveries.map(entryOfEvent)];
    const newRows = entries.flatMap(({ key, rows }) => rows.slice(printedCounts.get(key) ?? 0));
    printedCounts = new Map(entries.map(({ key, rows }) => [key, rows.length]));
    for (const { json, line } of newRows.sort((a, b) => a.time.localeCompare(b.time))) {
      await print(parsedArgs.has("json") ? JSON.stringify(json) : line);
    }
    if (parsedArgs.has("follow")) await wait(pollMs, undefined, { signal }).catch(() => {});
  } while (parsedArgs.has("follow") && signal?.aborted !== true);
}

function entryOfRequest(request: SeenRequest): Entry {
  const line = formatRequest(request);
  return { key: `request ${request.number}: ${line}`, rows: [{ time: request.at, json: request, line }] };
}

function entryOfEvent(event: Delivery): Entry {
  const { number, at, webhook, body } = event;
  return { key: JSON.stringify({ number, at, webhook, body }), rows: rowsOf(event) };
}

/** One row per delivery attempt, or one row for an event that is not sent; none while the first attempt is pending. */
function rowsOf({ body: _, attempts, ...event }: Delivery): Row[] {
  const { number, webhook, state } = event;
  if (attempts.length === 0 && state !== "pending") {
    const time = new Date(event.at).toISOString();
    const reasonText = state === "undelivered" ? ": no address was set" : "";
    return [{ time, json: event, line: `${time} ${webhook} → not sent${reasonText} (event ${number}, ${state})` }];
  }
  return attempts.map((attempt) => {
    return {
      time: new Date(attempt.at).toISOString(),
      json: { ...event, ...attempt },
      line: formatAttempt(event, attempt),
    };
  });
}
