import { notify } from "../base/notify.ts";
import type { Operation } from "../base/operation.ts";
import type { PartnerApiError } from "../errors/errors.ts";
import { requestIdOf } from "../errors/to-error.ts";
import type { ClientState } from "../state/client.ts";

/** @param attempt the number of the attempt; 0 for a call that ended before its first attempt. */
export function log(
  { options: { logger } }: ClientState,
  { id: operationId, method, path }: Operation,
  attempt: number,
  durationMs: number,
  error: PartnerApiError | undefined,
  response?: Response,
): void {
  if (logger === undefined) return;
  const { kind, errorCode, outcome, requestId } =
    error ?? ({ requestId: requestIdOf(response?.headers) } as Partial<PartnerApiError>);
  const status = response?.status;
  notify(logger, { operationId, method, path, attempt, durationMs, status, errorCode, kind, outcome, requestId });
}
