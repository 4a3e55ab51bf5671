/** The calls of the story, and what their answers show. */
import type { PlanOperation } from "../plan/plan.ts";
import type { AcceptedCall } from "../tenants/session.ts";
import { isStandIn } from "./rehearsal.ts";
import type { Body, Step } from "./story.ts";

/** The size of every file of the story, in bytes. */
const size = 1024;

/**
 * The call of a step. A query that the step does not give has the examples of its parameters.
 *
 * @param sent the fields of the body.
 */
export function acceptedCall(operation: PlanOperation, { path, query, body }: Step, sent: Body): AcceptedCall {
  const { fileParts = [], partTypes = {} } = operation.requestBody?.bodies[0] ?? {};
  const files = fileParts.flatMap((name) => {
    const names = [sent[name] ?? []].flat() as string[];
    const contentType = partTypes[name]?.[0] ?? "image/jpeg";
    return names.length === 0 ? [] : [[name, names.map((fileName) => ({ fileName, contentType, size }))] as const];
  });
  const fields = Object.entries(sent).filter(([, value]) => value !== undefined);
  const amounts = fields.filter(([, value]) => /^-?\d+(\.\d+)?$/.test(String(value)));
  const parameters = operation.parameters.filter((parameter) => parameter.in === "query");
  return {
    operation,
    path: { ...path },
    query: query ?? Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)])),
    body: body === undefined ? undefined : Object.fromEntries(fields),
    amounts: Object.fromEntries(amounts.map(([name, value]) => [name, String(value)])),
    files: Object.fromEntries(files),
  };
}

/** Stand-ins in an answer, with what the story shows in their places. */
export function standInsOf(body: unknown, shown: unknown): Map<string, string> {
  if (isStandIn(body)) return new Map(typeof shown === "string" ? [[body, shown]] : []);
  if (typeof body !== "object" || body === null || typeof shown !== "object" || shown === null) return new Map();
  const pairs = Object.entries(body).flatMap(([name, value]) => [
    ...standInsOf(value, (shown as Record<string, unknown>)[name]),
  ]);
  return new Map(pairs);
}
