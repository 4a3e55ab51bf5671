import { inspect, type Schema } from "./conformance.ts";
import type { Violation } from "./deviations.ts";

export interface ResponseSchemas {
  readonly operations: Readonly<Record<string, OperationResponses>>;
  readonly error: Schema;
  /** Ids of open questions by P-code. */
  readonly questions: Readonly<Record<string, string>>;
  /** Id of the open question about P-codes that are missing in incomplete lists. */
  readonly openCodes?: string;
}

interface OperationResponses {
  /** The schemas of the responses without a P-code, by status. */
  readonly bodies: Readonly<Record<number, Schema>>;
  /** Id of the open question that covers the success status. */
  readonly question?: string;
}

export interface ReadResponse {
  readonly operationId: string;
  readonly status: number;
  readonly body: unknown;
  /** The deviations that were found while reading the response. */
  readonly violations: readonly Violation[];
}

export function checkResponse(
  { operations, error, questions }: ResponseSchemas,
  { operationId, status, body, violations }: ReadResponse,
): readonly Violation[] {
  const { bodies = {}, question } = operations[operationId] ?? {};
  const { errorCode } = (body ?? {}) as { errorCode?: unknown };
  const hasCode = typeof errorCode === "string";
  const isSuccess = status >= 200 && status < 300;
  const questionsByRule: Readonly<Record<string, string | undefined>> = {
    status: isSuccess ? question : undefined,
    "error-code": hasCode && Object.hasOwn(questions, errorCode) ? questions[errorCode] : undefined,
  };
  const reportedViolations = violations.map((violation) => {
    const ruleQuestion = questionsByRule[violation.rule];
    return ruleQuestion === undefined ? violation : { ...violation, question: ruleQuestion };
  });
  const firstSuccessSchema = isSuccess ? Object.entries(bodies).find(([key]) => key.startsWith("2"))?.[1] : undefined;
  // A success is compared with the schema of its status, if there is one, even if its body contains a P-code.
  const schema = (isSuccess || !hasCode ? bodies[status] : undefined) ?? (hasCode ? error : firstSuccessSchema);
  if (schema === undefined || body === undefined) return reportedViolations;
  // A deviation of the P-code was reported when the response was read, and is not reported again.
  const isReported = violations.some(({ pointer }) => pointer === "/errorCode");
  const bodyViolations = inspect(schema, body).violations.filter(
    ({ pointer }) => !isReported || pointer !== "/errorCode",
  );
  return [...reportedViolations, ...bodyViolations];
}
