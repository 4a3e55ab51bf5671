/** The replies of the client to the engine, made from what the service does. */
import { contract } from "../../../../generated/client/contract.ts";
import type { Operation } from "../../../../scripts/client/src/base/operation.ts";
import { readResponse } from "../../../../scripts/client/src/call/response.ts";
import type { FailedCall } from "../../../../scripts/client/src/payments/protocol.ts";
import type { Flaws } from "./model.ts";
import type { CallEnding, Effect } from "./service.ts";

export function shownText({ effectAt, recordAppearsAt }: Effect, now: number): string {
  const delayText = effectAt > now ? `, ${effectAt - now} minutes later` : "";
  if (recordAppearsAt === null) return `${delayText}; its record never appears`;
  return recordAppearsAt > effectAt
    ? `${delayText}; its record appears ${recordAppearsAt - effectAt} minutes later`
    : delayText;
}

/** @returns undefined if the call succeeded. */
export function replyOf(
  { response, hasIdentifier }: CallEnding,
  operation: Operation,
  flaws: Flaws,
): FailedCall | undefined {
  if (hasIdentifier) return undefined;
  if (typeof response === "object") return failureOf(operation, response);
  const isNotSent = response === "not-connected" || (response === "failed-elsewhere" && flaws.believesAnyConnection);
  return { outcome: isNotSent ? "not-sent" : "unknown", problem: { kind: "network", operationId: operation.id } };
}

export function failureOf(operation: Operation, { status, code }: { status: number; code?: string }): FailedCall {
  const text =
    status < 300
      ? ""
      : JSON.stringify({
          ...(code === undefined ? {} : { errorCode: code }),
          errorMessage: "",
          timestamp: "2026-06-15T12:00:00.000Z",
        });
  const response = { status, mediaType: "application/json", text, headers: new Headers() };
  const { failure } = readResponse({ operation, contract, response, violations: [] });
  if (failure === undefined) throw new Error(`${operation.id} takes ${status} for a success.`);
  const { kind, outcome, documented, errorCode } = failure;
  return {
    outcome,
    problem: {
      kind,
      operationId: operation.id,
      status,
      ...(errorCode === undefined ? {} : { errorCode }),
      ...(documented === undefined ? {} : { documented }),
    },
  };
}
