import type { Delivery, PossibleEvent, SeenRequest } from "../../mock/plan/index.ts";
import { formatRequest } from "../../mock/server/index.ts";
import { describeOutcome } from "../../mock/webhooks/index.ts";
import { membersOf } from "./members.ts";

const formatters: Readonly<Record<string, (value: never) => readonly string[]>> = {
  listRequests: (request: SeenRequest) => [formatRequest(request)],
  listDeliveries: deliveryLines,
  redeliver: deliveryLines,
  listPossibleEvents: ({ resource, event, meaning, takes }: PossibleEvent) => [
    `${resource}.${event}: ${meaning} Members: ${takes.join(", ") || "none"}`,
  ],
  getAssumptions: membersOf,
  changeAssumptions: membersOf,
};

export function linesOf(operationId: string, value: unknown): string[] {
  if (value === undefined) return ["Done."];
  const format = (formatters[operationId] ?? textOf) as (item: unknown) => string[];
  const lines = [value].flat().flatMap(format);
  return lines.length === 0 ? ["None."] : lines;
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
