import type { Assume, Delivery, PossibleEvent, SeenRequest } from "../../mock/plan/index.ts";
import { formatRequest } from "../../mock/server/index.ts";
import { describeOutcome } from "../../mock/webhooks/index.ts";
import { membersOf } from "./members.ts";

interface OperationOutput {
  /** The lines of a response. Default: the members of the response, or of each item if it is a list, in one line. */
  readonly format?: (value: unknown) => readonly string[];
  /** The response may wait for webhook receivers. */
  readonly mayWait?: true;
  /** The response has more members than were sent. If any were sent, only these are printed. */
  readonly printsOnlySent?: true;
}

/** What is special about the output of some operations. */
const outputs: Readonly<Record<string, OperationOutput>> = {
  setClock: { mayWait: true },
  settle: { mayWait: true },
  listRequests: { format: (value) => (value as SeenRequest[]).map((request) => formatRequest(request)) },
  listDeliveries: { format: (value) => (value as Delivery[]).flatMap(deliveryLines) },
  redeliver: { format: (value) => deliveryLines(value as Delivery) },
  listPossibleEvents: { format: (value) => (value as PossibleEvent[]).map(eventLine) },
  getAssumptions: { format: (value) => membersOf(value as Assume) },
  changeAssumptions: { format: (value) => membersOf(value as Assume), printsOnlySent: true },
};

export function mayWait(operationId: string): boolean {
  return outputs[operationId]?.mayWait === true;
}

/** @param sentNames the names of the members that were sent. @returns the printed lines of a response. */
export function linesOf(operationId: string, value: unknown, sentNames: readonly string[] = []): readonly string[] {
  if (value === undefined) return ["Done."];
  const { format = memberLines, printsOnlySent = false } = outputs[operationId] ?? {};
  const lines = format(value);
  if (lines.length === 0) return ["None."];
  if (!printsOnlySent || sentNames.length === 0) return lines;
  return lines.filter((line) => sentNames.some((name) => line.startsWith(`${name}=`) || line.startsWith(`${name}.`)));
}

function deliveryLines({ number, webhook, path, at, state, attempts }: Delivery): string[] {
  const attemptLines = attempts.map((attempt) => `  ${timeOf(attempt.at)} ${describeOutcome(attempt)}`);
  return [`${timeOf(at)} event ${number}: ${webhook} → POST ${path}, ${state}`, ...attemptLines];
}

const timeOf = (time: number) => new Date(time).toISOString();

function eventLine({ resource, event, meaning, takes }: PossibleEvent): string {
  return `${resource}.${event}: ${meaning} Members: ${takes.join(", ") || "none"}`;
}

function memberLines(value: unknown): string[] {
  return [value].flat().map((item) => {
    const members = Object.entries(item ?? {});
    return members
      .map(([name, part]) => `${name}: ${typeof part === "string" ? part : JSON.stringify(part)}`)
      .join("  ");
  });
}
