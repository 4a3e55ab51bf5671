import { setTimeout as wait } from "node:timers/promises";
import type { Delivery, SeenRequest } from "../../mock/plan/index.ts";
import { controlPath } from "../../mock/request/index.ts";
import { formatAttempt, formatRequest } from "../../mock/server/index.ts";
import type { Arguments, Command } from "../kit/arguments.ts";
import { callMock, mockCallOptions } from "./control-call.ts";

export const logsSummary = "Print the requests and the deliveries of events";

export function logsCommand(usage: string): Command {
  const followOption = { name: "follow", text: "continue with new entries until Ctrl+C" };
  return { usage: `${usage} logs`, text: `${logsSummary}.`, options: [followOption, ...mockCallOptions] };
}

const pollMs = 500;

interface Row {
  readonly time: string;
  readonly json: object;
  readonly line: string;
}

export async function runLogs(
  parsedArgs: Arguments,
  print: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  let lastNumber = -1;
  let printedCounts = new Map<number, number>();
  const callPath = (path: string) => callMock(parsedArgs, `${controlPath}/${path}`);
  do {
    const [requests, deliveries] = (await Promise.all([callPath("requests"), callPath("deliveries")])) as [
      SeenRequest[],
      Delivery[],
    ];
    // After a reset of the world, the numbers start again from 0.
    if ((requests.at(-1)?.number ?? -1) < lastNumber) {
      lastNumber = -1;
      printedCounts = new Map();
    }
    const requestRows = requests
      .filter(({ number }) => number > lastNumber)
      .map((item): Row => ({ time: item.at, json: item, line: formatRequest(item) }));
    const events = deliveries.map((event) => ({ event, rows: rowsOf(event) }));
    const deliveryRows = events.flatMap(({ event, rows }) => rows.slice(printedCounts.get(event.number) ?? 0));
    lastNumber = requests.at(-1)?.number ?? -1;
    printedCounts = new Map(events.map(({ event, rows }) => [event.number, rows.length]));
    for (const { json, line } of [...requestRows, ...deliveryRows].sort((a, b) => a.time.localeCompare(b.time))) {
      print(parsedArgs.has("json") ? JSON.stringify(json) : line);
    }
    if (parsedArgs.has("follow")) await wait(pollMs, undefined, { signal }).catch(() => {});
  } while (parsedArgs.has("follow") && signal?.aborted !== true);
}

/** One row per delivery attempt, or one row for an event that is not sent; none while the first attempt is pending. */
function rowsOf({ body: _, attempts, ...event }: Delivery): Row[] {
  const { number, webhook, state } = event;
  if (attempts.length === 0 && state !== "pending") {
    const time = new Date(event.at).toISOString();
    const reasonText = state === "undelivered" ? ": no address was set" : "";
    return [
      { time: time, json: event, line: `${time} ${webhook} → not sent${reasonText} (event ${number}, ${state})` },
    ];
  }
  return attempts.map((attempt) => {
    return {
      time: new Date(attempt.at).toISOString(),
      json: { ...event, ...attempt },
      line: formatAttempt(event as Delivery, attempt),
    };
  });
}
