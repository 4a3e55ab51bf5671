/** Bodies of answers that are always the same. */
import { MockFault } from "../kernel/fault.ts";
import type { PlanOperation } from "../plan/plan.ts";

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
