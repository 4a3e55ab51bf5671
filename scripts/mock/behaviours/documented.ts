/** Responses that several operations give: a record, and what is documented. */

import { firstSuccess } from "../answer/choices.ts";
import { MockFault } from "../kernel/changes.ts";
import type { Entity } from "../kernel/data.ts";
import type { PlanOperation } from "../plan/plan.ts";
import type { MockWorld } from "./behaviour.ts";
import type { ResourceData } from "./records.ts";

/**
 * The body that the contract documents for a status of an operation, where nothing in it depends on the call.
 *
 * @throws {MockFault} when there is none.
 */
export function documentedText({ operationId, answers }: PlanOperation, status: number): string {
  const answer = answers.find((candidate) => candidate.status === status);
  if (answer === undefined) throw new MockFault(`${operationId} documents no answer ${status}.`);
  return answer.body;
}

/** The same for the answers that hold a message only. */
export function documentedAnswer(operation: PlanOperation, status: number): { message: string } {
  return JSON.parse(documentedText(operation, status));
}

/** The answer of an operation whose behaviour nobody has written: the example of its success. */
export function documentedReply(operation: PlanOperation): { status: number; body: unknown; notes: string[] } {
  const { status, mediaType = "", body } = firstSuccess(operation);
  const notes = [`The mock has no behaviour of ${operation.operationId}: this is the documented example.`];
  return { status, body: /[/+]json\b/.test(mediaType) && body !== "" ? JSON.parse(body) : body, notes };
}

/** The details of a record; the documented 404 without a P-code where there is none. */
export function showRecord<R extends keyof ResourceData & string, Body>(
  { world, refuseNotFound }: { readonly world: MockWorld; refuseNotFound(): never },
  resource: R,
  id: string,
  bodyOf: (world: MockWorld, record: Entity<ResourceData[R]>) => Body,
): { status: 200; body: Body } {
  const record = world.records.find(resource, id);
  return record === undefined ? refuseNotFound() : { status: 200, body: bodyOf(world, record) };
}
