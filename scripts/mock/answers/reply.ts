import type { MockWorld } from "../behaviours/behaviour.ts";
import type { PlanOperation } from "../plan/plan.ts";
import { documentedBody, isJson } from "../response/choices.ts";
import type { MockReply } from "../response/replies.ts";
import { changesOfAnswers } from "./choice.ts";
import { applyShape } from "./shape.ts";

/** A reply that the caller has chosen with `Prefer`, and a dropped one, stay as they are. */
export function replyInWorld(world: MockWorld, operation: PlanOperation, reply: MockReply): MockReply {
  if (!world.hasChangedAssumptions || reply.status === "drop" || reply.headers["preference-applied"] !== undefined)
    return reply;
  const readSections = new Set(world.sectionsRead);
  const { operationId } = operation;
  const { shapes, successes } = world.assumptions;
  const isError = reply.status >= 400;
  const successStatus = successes.statuses[operationId] ?? reply.status;
  const { body, status, code } = isError ? errorInWorld(world, operation, reply) : { ...reply, status: successStatus };
  const bodyKeys = !isError ? [operationId] : code === undefined ? ["errors", "errorsWithoutCode"] : ["errors"];
  const hasShapeRules =
    [shapes.optional, shapes.nulls].join() !== "all,usual" ||
    bodyKeys.some((name) => Object.hasOwn(shapes.bodies, name));
  const canBeShaped = hasShapeRules && isJson(reply.headers["content-type"]) && body !== "";
  const newBody = canBeShaped
    ? JSON.stringify(applyShape(shapes, JSON.parse(body), shapeOptions(operation, reply, bodyKeys)))
    : body;
  const changedSections = newBody !== body ? ["shapes"] : [];
  if (status !== reply.status || code !== reply.code) changedSections.push(isError ? "refused" : "successes");
  for (const section of changedSections) readSections.add(section);
  const headers = withAnswers(world, reply, { readSections, changedSections, bodyKeys });
  return { ...reply, headers, status, code, body: newBody };
}

function shapeOptions(operation: PlanOperation, { status, headers }: MockReply, bodyKeys: readonly string[]) {
  const validator = operation.responseValidators[`${status} ${headers["content-type"]}`] ?? (() => true);
  const documentedResponses = operation.responses.filter(
    (response) => response.status === status && isJson(response.mediaType),
  );
  return { bodyKeys, isValid: validator, examples: documentedResponses.map(documentedBody) };
}

type ReplyParts = Pick<MockReply, "status" | "code" | "body">;

function errorInWorld({ assumptions }: MockWorld, { assumes }: PlanOperation, reply: MockReply): ReplyParts {
  const { codes, statuses, unknownId } = assumptions.refused;
  const { status, code } = reply;
  const isUnknownId = status === 404 && code === undefined && assumes[404]?.includes("Q-unknown-ids");
  const replacement = code === undefined ? (isUnknownId ? unknownId : null) : (codes[code] ?? code);
  if (replacement === null || replacement === undefined) return reply;
  const body = JSON.stringify({ ...JSON.parse(reply.body), errorCode: replacement });
  return { status: code === undefined ? 400 : (statuses[replacement] ?? status), code: replacement, body };
}

interface ReplyDependencies {
  /** The sections of `openapi/mock.yaml` on which the reply depends. */
  readonly readSections: ReadonlySet<string>;
  /** The sections by which `replyInWorld` has changed the reply: none, or some of `shapes`, `refused` and `successes`. */
  readonly changedSections: readonly string[];
  /** The keys of the section `shapes.bodies` that apply to the reply. */
  readonly bodyKeys: readonly string[];
}

/** `x-mock-assumes` has `QUESTION=ANSWER` for a chosen answer, and `QUESTION` for the assumed answer. */
function withAnswers(
  world: MockWorld,
  { headers }: MockReply,
  { readSections, changedSections, bodyKeys }: ReplyDependencies,
): MockReply["headers"] {
  const entries = new Map(headers["x-mock-assumes"]?.split(", ").map((mark) => [mark.split("=", 1)[0] ?? "", mark]));
  const unnamedSections = new Set(changedSections);
  for (const [id, changes] of changesOfAnswers(world.plan, world.answers)) {
    const { shapes: { bodies, ...rest } = {}, ...otherChanges } = changes as { shapes?: { bodies?: object } };
    const hasShapeChange = Object.keys(rest).length > 0 || bodyKeys.some((name) => Object.hasOwn(bodies ?? {}, name));
    const sections = [...Object.keys(otherChanges), ...(hasShapeChange ? ["shapes"] : [])].filter((section) =>
      readSections.has(section),
    );
    for (const section of sections) unnamedSections.delete(section);
    if (entries.has(id) || sections.length > 0) entries.set(id, `${id}=${world.answers[id]}`);
  }
  const { assumptions } = world.plan;
  for (const section of unnamedSections) {
    for (const id of assumptions[section as "shapes"].questions) if (!entries.has(id)) entries.set(id, id);
  }
  return entries.size === 0 ? headers : { ...headers, "x-mock-assumes": [...entries.values()].sort().join(", ") };
}
