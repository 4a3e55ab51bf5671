import type { Assume, Delivery, PossibleEvent, SeenRequest } from "../../mock/plan/index.ts";
import { formatRequest } from "../../mock/server/index.ts";
import { describeOutcome } from "../../mock/webhooks/index.ts";
import { membersOf, memberText, selectMembers, valueText } from "./members.ts";

interface OperationOutput {
  /** Formats the response, or each item if the response is a list. Default: the members in one line. */
  readonly format?: (item: unknown) => readonly string[];
  /** The response may wait for webhook receivers. */
  readonly mayWait?: true;
  /** Whether the response has a line for each of its members, so that some of them can be selected. */
  readonly hasMemberLines?: true;
}

const assumptionsOutput: OperationOutput = { format: (value) => membersOf(value as Assume), hasMemberLines: true };

const outputs: Readonly<Record<string, OperationOutput>> = {
  setClock: { mayWait: true },
  settle: { mayWait: true },
  listRequests: { format: (item) => [formatRequest(item as SeenRequest)] },
  listDeliveries: { format: (item) => deliveryLines(item as Delivery) },
  redeliver: { format: (value) => deliveryLines(value as Delivery) },
  listPossibleEvents: { format: (item) => [eventLine(item as PossibleEvent)] },
  getAssumptions: assumptionsOutput,
  changeAssumptions: assumptionsOutput,
};

export function mayWait(operationId: string): boolean {
  return outputs[operationId]?.mayWait === true;
}

/**
 * Selects what is printed of a response, in any format.
 *
 * @param text an item is kept if one of its lines contains the text. If the response has a line for each member, every item keeps only the
 * members whose line contains the text. Undefined keeps everything.
 * @returns the kept items of a list; any other response counts as one item, and a response without content as none.
 */
export function selectItems(operationId: string, response: unknown, text: string | undefined): readonly unknown[] {
  const items = [response ?? []].flat();
  if (text === undefined) return items;
  if (outputs[operationId]?.hasMemberLines) {
    return items.map((item) => selectMembers(item, (name, value) => memberText(name, value).includes(text)));
  }
  return items.filter((item) => linesOf(operationId, item).some((line) => line.includes(text)));
}

/**
 * @param item the response, or an item of it if it is a list.
 * @param sentNames the names of the members that were sent. If any were sent, and the response has a line for each member, only the lines of
 * the sent members are returned.
 */
export function linesOf(operationId: string, item: unknown, sentNames: readonly string[] = []): readonly string[] {
  const { format = memberLine, hasMemberLines } = outputs[operationId] ?? {};
  if (!hasMemberLines || sentNames.length === 0) return format(item);
  const isSent = (name: string) => sentNames.some((sentName) => `${name}.`.startsWith(`${sentName}.`));
  return format(selectMembers(item as object, isSent));
}

function deliveryLines({ number, webhook, path, at, state, attempts }: Delivery): string[] {
  const attemptLines = attempts.map((attempt) => `  ${timeOf(attempt.at)} ${describeOutcome(attempt)}`);
  return [`${timeOf(at)} event ${number}: ${webhook} → POST ${path}, ${state}`, ...attemptLines];
}

const timeOf = (time: number) => new Date(time).toISOString();

function eventLine({ resource, event, meaning, takes }: PossibleEvent): string {
  return `${resource}.${event}: ${meaning} Members: ${takes.join(", ") || "none"}`;
}

function memberLine(item: unknown): string[] {
  const members = Object.entries(item ?? {}).map(([name, value]) => `${name}: ${valueText(value)}`);
  return [members.join("  ")];
}
