/** Responses set with `respond` replace the mock's own responses and change no state. */
import type { CommonOptions, OperationOptions, OperationResults } from "../../client/src/entries/internal/index.ts";
import { ControlError } from "../checks/error.ts";
import type { PlanOperation } from "../plan/plan.ts";
import { isJson } from "../response/choices.ts";
import { type MockReply, textReply } from "../response/replies.ts";

/** A Response, or a result of the functions `success` and `failure` of `partner-wallet-api/testing`. */
type SingleResponse<Result> = Result | Response;

type Responses<Options, Result> =
  | SingleResponse<Result>
  | readonly SingleResponse<Result>[]
  | ((
      request: Options,
      callNumber: number,
    ) => SingleResponse<Result> | undefined | Promise<SingleResponse<Result> | undefined>);

/**
 * The responses to an operation: a single one for every call, a list with one for each call, or a function of the request and the call's
 * number.
 */
export type ResponsesTo<Id extends keyof OperationResults> = Responses<
  Omit<OperationOptions[Id], keyof CommonOptions>,
  OperationResults[Id]
>;

/** The members of a result that determine the response. */
interface AnyResult {
  readonly data: unknown;
  readonly error:
    | {
        readonly kind: string;
        readonly outcome: string;
        readonly status?: number | undefined;
        readonly body?: string | undefined;
        readonly errorCode?: string | undefined;
        readonly errorName?: string | undefined;
        readonly errorMessage?: string | undefined;
        readonly timestamp?: string | undefined;
      }
    | undefined;
  readonly response: Response | undefined;
}

export interface SentValues {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface Script {
  readonly responses: Responses<SentValues, AnyResult>;
  callCount: number;
}

export class ScriptedResponses {
  readonly #scripts = new Map<string, Script>();

  /**
   * @param responses undefined removes the responses to the operation.
   * @throws {ControlError} when a response is neither a result of a sent call nor a Response.
   */
  set({ operationId }: PlanOperation, responses: unknown): void {
    if (responses === undefined) {
      this.#scripts.delete(operationId);
      return;
    }
    if (typeof responses !== "function") for (const result of [responses].flat()) assertResult(operationId, result);
    this.#scripts.set(operationId, { responses: responses as Script["responses"], callCount: 0 });
  }

  clear(): void {
    this.#scripts.clear();
  }

  /** @returns undefined, or a promise of undefined, when the mock must respond by its own rules. */
  take(
    operation: PlanOperation,
    readRequest: () => SentValues,
  ): MockReply | Promise<MockReply | undefined> | undefined {
    const script = this.#scripts.get(operation.operationId);
    if (script === undefined) return undefined;
    script.callCount += 1;
    const { responses, callCount } = script;
    if (typeof responses === "function") return callResponder(operation, () => responses(readRequest(), callCount));
    const response = Array.isArray(responses)
      ? (responses as readonly SingleResponse<AnyResult>[])[callCount - 1]
      : (responses as SingleResponse<AnyResult>);
    return response === undefined ? undefined : scriptedReply(operation, response);
  }
}

async function callResponder(
  operation: PlanOperation,
  respond: () => SingleResponse<AnyResult> | undefined | Promise<SingleResponse<AnyResult> | undefined>,
): Promise<MockReply | undefined> {
  try {
    const response = await respond();
    if (response === undefined) return undefined;
    assertResult(operation.operationId, response);
    return await scriptedReply(operation, response);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const note = `The function that responds to ${operation.operationId} threw: ${reason}`;
    return { ...textReply(500, note), template: operation.path, notes: ["The function that responds threw."] };
  }
}

function isResponse(response: unknown): response is Response {
  return typeof (response as Partial<Response> | null)?.arrayBuffer === "function";
}

function assertResult(operationId: string, response: unknown): void {
  const { error } = Object(response) as Partial<AnyResult>;
  const isResult = typeof response === "object" && response !== null && "data" in response && "error" in response;
  if (!isResponse(response) && (!isResult || error?.kind === "invalid-request")) {
    throw new ControlError(
      `A response to ${operationId} must be a result of a call that is sent, as success() and failure() of partner-wallet-api/testing make it, or a Response.`,
    );
  }
}

function scriptedReply(operation: PlanOperation, result: SingleResponse<AnyResult>): MockReply | Promise<MockReply> {
  const commonMembers = { template: operation.path, code: undefined, notes: ["Given by respond."] };
  if (isResponse(result)) {
    const headers = Object.fromEntries(result.headers);
    return result
      .clone()
      .text()
      .then((body) => ({ ...commonMembers, status: result.status, headers, body }));
  }
  const { data, error, response } = result;
  if (error === undefined) {
    const { mediaType = "application/json" } =
      operation.responses.find(({ status }) => status === response?.status) ?? {};
    const body = isJson(mediaType) ? JSON.stringify(data) : String(data);
    return { ...commonMembers, status: response?.status ?? 200, headers: headersOf(response, mediaType), body };
  }
  const { kind, outcome, status, errorCode: code, errorName, errorMessage, timestamp } = error;
  if (status === undefined)
    return {
      ...commonMembers,
      status: "drop",
      headers: {},
      body: "",
      rejection: (url) => rejectionOf(kind, outcome, url),
    };
  const body = error.body ?? JSON.stringify({ errorCode: code, errorName, errorMessage, timestamp });
  return { ...commonMembers, status, code, headers: headersOf(response, "application/json"), body };
}

function headersOf(response: Response | undefined, mediaType: string): Record<string, string> {
  return response === undefined ? { "content-type": mediaType } : Object.fromEntries(response.headers);
}

/** `fetch` rejects with this error for a failure without a response. */
function rejectionOf(kind: string, outcome: string, { hostname }: URL): unknown {
  if (kind === "timeout") return new DOMException("The operation timed out", "TimeoutError");
  if (kind === "aborted") return new DOMException("This operation was aborted", "AbortError");
  const commonMembers =
    outcome === "not-sent"
      ? // The client takes ECONNREFUSED as proof that nothing was sent only if the error names the host of the request.
        { code: "ECONNREFUSED", syscall: "connect", hostname }
      : { code: "ECONNRESET", syscall: "read" };
  return new TypeError("fetch failed", {
    cause: Object.assign(new Error(`${commonMembers.syscall} ${commonMembers.code}`), commonMembers),
  });
}
