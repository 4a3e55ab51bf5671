import { EarlyEnd, withDeadline } from "../base/deadline.ts";
import type { Operation } from "../base/operation.ts";
import type { ErrorTexts } from "../errors/error-texts.ts";
import type { PartnerApiError } from "../errors/errors.ts";
import type { InvalidRequest } from "../errors/invalid-request.ts";
import type { SentValues } from "../errors/redaction.ts";
import { type FailureFacts, toError } from "../errors/to-error.ts";
import type { CommonOptions } from "../state/call-types.ts";
import type { ClientState } from "../state/client.ts";
import type { ClientContract } from "../state/client-contract.ts";

const textsTimeoutMs = 1_000;

export async function loadErrorTexts(contract: ClientContract): Promise<ErrorTexts> {
  const [{ makeErrorTexts }, tables] = await Promise.all([import("../errors/error-texts.ts"), contract.errorTables()]);
  return makeErrorTexts(tables);
}

export async function errorTextsOf(state: ClientState): Promise<ErrorTexts | undefined> {
  try {
    state.texts ??= await withDeadline(textsTimeoutMs, undefined, () => loadErrorTexts(state.contract));
  } catch {
    // The error is created without texts. The next error tries to load them again.
  }
  return state.texts;
}

export async function errorOf(
  state: ClientState,
  operation: Operation,
  failure: FailureFacts,
  getSentValues?: () => SentValues,
): Promise<PartnerApiError> {
  return toError(operation, failure, (state.texts ?? (await errorTextsOf(state)))?.describe, getSentValues);
}

/** The values that a call would have sent, if it failed before its request was prepared. */
export function sentValuesOf({ options: { apiKey, headers } }: ClientState, values?: CommonOptions): () => SentValues {
  return () => ({ headers: { ...headers, ...values?.headers, "x-api-key": apiKey }, values });
}

export function failureOfRejection(rejection: unknown): Pick<FailureFacts, "kind" | "problem" | "cause"> {
  if (isInstance(EarlyEnd, rejection)) {
    return { problem: [rejection.kind as "timeout" | "aborted"], ...(rejection as EarlyEnd | InvalidRequest) };
  }
  // A custom `fetch` with a signal of its own rejects with a DOMException whose name is in `kindsByName`.
  const kind = isInstance(DOMException, rejection) ? kindsByName[rejection.name] : undefined;
  return { kind: kind ?? "network", problem: kind && [kind], cause: rejection };
}

const kindsByName: Readonly<Record<string, "timeout" | "aborted">> = { AbortError: "aborted", TimeoutError: "timeout" };

/** Like `instanceof`, but never throws, even if a custom `fetch` throws a revoked proxy. */
export function isInstance<T>(type: abstract new (...args: never[]) => T, value: unknown): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}
