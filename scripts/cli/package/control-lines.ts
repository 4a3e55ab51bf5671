import type { Delivery, PossibleEvent, SeenRequest } from "../../mock/plan/index.ts";
import { formatRequest } from "../../mock/server/index.ts";
import { describeOutcome } from "../../mock/webhooks/index.ts";
import { membersOf } from "./members.ts";

interface OperationOutput {
  /** The lines of a response or, if the response is a list, of one item. Default: the members of the response or the item in one line. */
  readonly format?: (value: never) => readonly string[];
  /** The response may wait for webhook receivers. */
  readonly mayWait?: true;
  /** The response has more members than were sent. If any were sent, only these are printed. */
  readonly printsOnlySent?: true;
}

/** What is special about the output of some operations. */
const outputs: Readonly<Record<string, OperationOutput>> = {
  setClock: { mayWait: true },
  settle: { mayWait: true },
  listRequests: { format: (request: SeenRequest) => [formatRequest(request)] },
  listDeliveries: { format: deliveryLines },
  redeliver: { format: deliveryLines },
  listPossibleEvents: {
    format: ({ resource, event, meaning, takes }: PossibleEvent) => [
      `${resource}.${event}: ${meaning} Members: ${takes.join(", ") || "none"}`,
    ],
  },
  getAssumptions: { format: membersOf },
  changeAssumptions: { format: membersOf, printsOnlySent: true },
};

export function mayWait(operationId: string): boolean {
  return outputs[operationId]?.mayWait === true;
}

/** @param sentNames the names of the members that were sent. @returns the printed lines of a response. */
export function linesOf(operationId: string, value: unknown, sentNames: readonly string[] = []): string[] {
  if (value === undefined) return ["Done."];
  const { format = textOf, printsOnlySent = false } = outputs[operationId] ?? {};
  const lines = [value].flat().flatMap(format as (item: unknown) => string[]);
  if (lines.length === 0) return ["None."];
  if (!printsOnlySent || sentNames.length === 0) return lines;
  return lines.filter((line) => sentNames.some((name) => line.startsWith(`${name}=`) || line.startsWith(`${name}.`)));
}

function deliveryLines({ number, webhook, path, at, state, attempts }: Delivery): string[] {
  const attemptLines = attempts.map((attempt) => `  ${timeOf(attempt.at)} ${describeOutcome(attempt)}`);
  return [`${timeOf(at)} event ${number}: ${webhook} → POST ${path}, ${state}`, ...attemptLines];
}

const timeOf = (time: number) => new Date(time).toISOString();

function textOf(value: object): string[] {
  const members = Object.entries(value);
  return [
    members.map(([name, part]) => `${name}: ${typeof part === "string" ? part : JSON.stringify(part)}`).join("  "),
  ];
}
