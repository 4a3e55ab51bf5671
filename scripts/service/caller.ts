/** Calls operations of the service within limits, and compares each response with the contract. */

import { UsageError } from "../base/index.ts";
import { readChunks } from "../client/src/reading/index.ts";
import type { Plan, PlanOperation } from "../mock/plan/index.ts";
import { connectionProblem } from "../mock/webhooks/index.ts";
import { fetchedBytes } from "./content-encoding.ts";
import { type Judgement, judgeResponse, responseLimit, type UnreadResponse } from "./judge.ts";
import { isSafe, isSuccess } from "./operations.ts";
import { type CallInput, RequestBuilder, type Target } from "./request.ts";

/** Codes of errors of `fetch` that show that the request was not sent, and the call has changed nothing. */
const unsentCodes: readonly string[] = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"];

/** After this number of calls without a whole response, only changes are undone, because each further call could take the whole timeout. */
const maxFailures = 3;

export class ServiceError extends UsageError {
  override name = "ServiceError";

  constructor(message: string) {
    super(message, 3);
  }
}

export interface CallerOptions {
  readonly target: Target;
  readonly plan: Plan;
  /** The values of `--set` by the name of a parameter or field. */
  readonly values: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxCalls: number;
  /** After an abort, no further call is made, except to undo changes. */
  readonly signal: AbortSignal | undefined;
}

export interface CallResult extends Judgement {
  readonly operation: PlanOperation;
  readonly status: number;
  readonly headers: Headers;
  readonly milliseconds: number;
}

export interface Change {
  readonly operationId: string;
  readonly response: string;
  readonly at: string;
}

export function changeLines(changes: readonly Change[]): string[] {
  return changes.map(({ operationId, response, at }) => `${operationId} at ${at}, ${response}`);
}

export class Caller {
  readonly #options: CallerOptions;
  readonly #requests: RequestBuilder;
  readonly #calls: CallResult[] = [];
  #failureCount = 0;
  #isKeyRefused = false;
  #problem: ServiceError | undefined;
  #changes: readonly Change[] = [];

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#requests = new RequestBuilder(options.plan, options.target, options.values);
  }

  /** The calls that got a whole response, in order. A 401 before any other response is left out: it means that the key is refused. */
  get calls(): readonly CallResult[] {
    return this.#calls;
  }

  /** False if a call got no whole response, the key was refused, or a limit (`maxCalls`, failures) or an abort prevented a call. */
  get isComplete(): boolean {
    return this.#problem === undefined && !this.#options.signal?.aborted;
  }

  /** The calls that have or may have changed data and were not undone, in order. */
  get changes(): readonly Change[] {
    return this.#changes;
  }

  forget(undoneChanges: readonly Change[]): void {
    this.#changes = this.#changes.filter((change) => !undoneChanges.includes(change));
  }

  operation(operationId: string): PlanOperation {
    const operation = this.#options.plan.operations.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) throw new Error(`The plan has no operation ${operationId}.`);
    return operation;
  }

  missingOptions(operation: PlanOperation, input?: CallInput): string | undefined {
    return this.#requests.missingOptions(operation, input);
  }

  /** @returns an error when the call is not made, gets no whole response, or shows that the key is refused (see {@link calls}). */
  async attempt(operation: PlanOperation, input: CallInput = {}): Promise<CallResult | ServiceError> {
    return await this.#keepProblem(async () => {
      this.#checkLimits();
      const result = await this.#call(operation, input);
      if (!result.isRefused) this.#recordChange(operation, String(result.status));
      return result;
    });
  }

  /**
   * Makes a call that undoes a change, and judges its response. `maxCalls`, the limit of failures, a refused key and `signal` do not
   * prevent the call, and its success is not recorded as a change.
   *
   * @returns an error when the call gets no whole response, or shows that the key is refused (see {@link calls}).
   */
  async undo(operation: PlanOperation): Promise<CallResult | ServiceError> {
    return await this.#keepProblem(async () => {
      const result = await this.#call(operation, {});
      if (!result.isRefused && !isSuccess(result.status)) this.#recordChange(operation, String(result.status));
      return result;
    });
  }

  /** @throws {ServiceError} the first error, if there is nothing to report: {@link calls} and {@link changes} are empty. */
  checkReached(): void {
    if (this.#calls.length + this.#changes.length === 0 && this.#problem !== undefined) throw this.#problem;
  }

  /** Returns a ServiceError instead of throwing it, and keeps the first one for {@link checkReached}. */
  async #keepProblem(call: () => Promise<CallResult>): Promise<CallResult | ServiceError> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#problem ??= error;
      return error;
    }
  }

  async #call(operation: PlanOperation, input: CallInput): Promise<CallResult> {
    const startedAt = performance.now();
    const response = await this.#fetch(operation, input);
    const { status, headers } = response;
    if (status === 401 && this.#calls.length === 0) {
      this.#isKeyRefused = true;
      throw new ServiceError("The service refuses the API key (401). Does the key belong to this environment?");
    }
    const judgement = judgeResponse(operation.operationId, response, this.#options.target.apiKey);
    const result = { operation, status, headers, ...judgement, milliseconds: performance.now() - startedAt };
    this.#calls.push(result);
    if (isSuccess(status)) this.#requests.remember(operation, judgement.body);
    return result;
  }

  #checkLimits(): void {
    const { maxCalls, signal } = this.#options;
    if (signal?.aborted) throw new ServiceError("not called, because the command was stopped");
    if (this.#calls.length >= maxCalls) throw new ServiceError(`not called, because --max-calls is ${maxCalls}`);
    if (this.#isKeyRefused) throw new ServiceError("not called, because the service refuses the API key");
    if (this.#failureCount >= maxFailures) {
      throw new ServiceError(`not called after ${maxFailures} calls without a response`);
    }
  }

  async #fetch(operation: PlanOperation, input: CallInput): Promise<UnreadResponse> {
    const { timeoutMs } = this.#options;
    const { url, init } = this.#requests.build(operation, input);
    let response: Response | undefined;
    try {
      response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
      const chunks: Uint8Array[] = [];
      const reader = response.body?.getReader();
      const isWithinLimit = reader === undefined || (await readChunks(reader, chunks, responseLimit));
      if (!isWithinLimit) void reader.cancel().catch(() => {});
      const { status, headers } = response;
      return { status, headers, bytes: isWithinLimit ? fetchedBytes(Buffer.concat(chunks), headers) : "size" };
    } catch (error) {
      this.#failureCount += 1;
      const { code } = ((error as Error).cause ?? {}) as Partial<NodeJS.ErrnoException>;
      if (!unsentCodes.includes(code ?? "")) this.#recordChange(operation, "no response");
      const failure = { origin: new URL(url).origin, timeoutMs, isBroken: response !== undefined };
      throw new ServiceError(problemOf(error as Error, operation, failure));
    }
  }

  #recordChange({ operationId }: PlanOperation, response: string): void {
    if (isSafe(operationId)) return;
    this.#changes = [...this.#changes, { operationId, response, at: new Date().toISOString() }];
  }
}

function problemOf(
  { name, cause }: Error,
  { operationId, address }: PlanOperation,
  { origin, timeoutMs, isBroken }: { origin: string; timeoutMs: number; isBroken: boolean },
): string {
  if (name === "TimeoutError") {
    return `${origin} has not answered ${operationId} within ${timeoutMs / 1000} s. Raise --timeout.`;
  }
  const { code = "", message = name } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  if (isBroken)
    return `${origin} broke off its response to ${operationId}, or sent a body that cannot be decoded (${code || message}).`;
  const option = address === "base_url" ? "--base-url" : "--deposit-base-url";
  return `${origin} cannot be called: ${connectionProblem(code) ?? (code || message)}. Check ${option}.`;
}
