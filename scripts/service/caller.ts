/**
 * Calls operations of the service with values from `--set`, earlier responses and examples, and compares each response with the contract.
 */
import { randomUUID } from "node:crypto";
import { readChunks } from "../client/src/reading/index.ts";
import { UsageError } from "../contract/messages/index.ts";
import type { Plan, PlanOperation } from "../mock/plan/index.ts";
import { connectionProblem } from "../mock/webhooks/index.ts";
import { type Drift, judgeResponse, responseLimit } from "./judge.ts";
import { isSafe, isSuccess } from "./operations.ts";
import { valuesAt } from "./pointers.ts";

/** The number of calls without a response after which no more calls are made, because each can take the whole timeout. */
const maxFailures = 3;

export class ServiceError extends UsageError {
  override name = "ServiceError";

  constructor(message: string) {
    super(message, 3);
  }
}

export interface Target {
  readonly baseUrl: string;
  readonly depositBaseUrl: string;
  readonly apiKey: string;
}

export interface CallerOptions {
  readonly target: Target;
  readonly plan: Plan;
  /** The values of `--set` by the name of a parameter or field. */
  readonly values: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxCalls: number;
  /** After an abort, only calls that undo changes are made. */
  readonly signal: AbortSignal | undefined;
}

export interface CallResult {
  readonly operation: PlanOperation;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly drift: readonly Drift[];
  /** Whether each documented field was present, by its pointer; empty for an error. */
  readonly fields: ReadonlyMap<string, boolean>;
  readonly milliseconds: number;
}

/** A call that has changed data, or may have changed data. */
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
  readonly #knownValues: Map<string, string>;
  #failureCount = 0;
  #problem: ServiceError | undefined;
  readonly calls: CallResult[] = [];
  readonly changes: Change[] = [];

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#knownValues = new Map(Object.entries({ ...monthsAgo(0), ...options.values }));
  }

  /** Whether every call got a response, and the command was not stopped. */
  get isComplete(): boolean {
    return this.#failureCount === 0 && !this.#options.signal?.aborted;
  }

  operation(operationId: string): PlanOperation {
    return this.#options.plan.operations.find((candidate) => candidate.operationId === operationId) as PlanOperation;
  }

  /** The `--set` options that must be given before a call can be made; undefined if all its values are known. */
  missingValues(operation: PlanOperation, input: CallInput = {}): string | undefined {
    const unknownValues = [...this.#valuesOf(operation, input)].filter(([, value]) => value === undefined);
    const names = new Set(
      unknownValues.map(([name]) => String(input[name] ?? this.#knownName(operation, name)).replace("$", "")),
    );
    return names.size === 0 ? undefined : [...names].map((name) => `--set ${name}=…`).join(" ");
  }

  /**
   * Makes a call, and judges its response.
   *
   * @param input values by the name of a parameter or field: a value, `$NAME` as {@link #resolveReference} describes, or null to omit the
   * parameter or field.
   * @param isUndoing whether the call undoes changes. If so, `maxCalls`, the limit of failures and `signal` do not prevent it.
   * @throws {ServiceError} when the call is not made, or has no response, or the first response is 401.
   * @throws {UsageError} when more than `maxCalls` calls are needed.
   */
  async call(operation: PlanOperation, input: CallInput = {}, isUndoing = false): Promise<CallResult> {
    const { target, timeoutMs, maxCalls, signal } = this.#options;
    if (this.calls.length >= maxCalls && !isUndoing) {
      throw new UsageError(`More than ${maxCalls} calls are needed. Raise --max-calls.`, 2);
    }
    if (signal?.aborted && !isUndoing) throw new ServiceError("not called, because the command was stopped");
    if (this.#failureCount >= maxFailures && !isUndoing) {
      throw new ServiceError(`not called after ${maxFailures} calls without a response`);
    }
    const { url, init } = this.#request(operation, input);
    const startedAt = performance.now();
    let response: Response | undefined;
    const chunks: Uint8Array[] = [];
    let isWithinLimit = true;
    try {
      response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
      const reader = response.body?.getReader();
      if (reader !== undefined) isWithinLimit = await readChunks(reader, chunks, responseLimit);
      if (!isWithinLimit) void reader?.cancel().catch(() => {});
    } catch (error) {
      this.#failureCount += 1;
      this.#recordChange(operation, "no response");
      const failure = { origin: new URL(url).origin, timeoutMs, isBroken: response !== undefined };
      throw new ServiceError(problemOf(error as Error, operation, failure));
    }
    const { status, headers } = response;
    if (status === 401 && this.calls.length === 0) {
      this.#failureCount = maxFailures;
      throw new ServiceError("The service refuses the API key (401). Does the key belong to this environment?");
    }
    const { body, drift, fields } = await judgeResponse(
      operation.operationId,
      { status, headers, bytes: isWithinLimit ? Buffer.concat(chunks) : undefined },
      target.apiKey,
    );
    const result = { operation, status, headers, body, drift, fields, milliseconds: performance.now() - startedAt };
    this.calls.push(result);
    if (status < 400) this.#recordChange(operation, String(status));
    this.#rememberIdentifiers(result);
    return result;
  }

  /** Makes a call, and returns a {@link ServiceError} instead of throwing it. */
  async attempt(...callArguments: Parameters<Caller["call"]>): Promise<CallResult | ServiceError> {
    try {
      return await this.call(...callArguments);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#problem ??= error;
      return error;
    }
  }

  /** Checks that the service can be reached. @throws {ServiceError} the first failure, if no call got a response. */
  checkReached(): void {
    if (this.calls.length === 0 && this.#problem !== undefined) throw this.#problem;
  }

  #recordChange({ operationId }: PlanOperation, response: string): void {
    if (!isSafe(operationId)) this.changes.push({ operationId, response, at: new Date().toISOString() });
  }

  #rememberIdentifiers({ operation, status, body }: CallResult): void {
    if (!isSuccess(status)) return;
    for (const [name, sources] of Object.entries(this.#options.plan.probes.values)) {
      const foundValues = sources.flatMap(({ operation: id, at }) =>
        id === operation.operationId ? valuesAt(body, at) : [],
      );
      const [value] = foundValues.filter((foundValue) => typeof foundValue === "string" && foundValue !== "");
      if (value !== undefined && !(name in this.#options.values)) this.#knownValues.set(name, String(value));
    }
  }

  #request(operation: PlanOperation, input: CallInput): { url: string; init: RequestInit } {
    const { baseUrl, depositBaseUrl, apiKey } = this.#options.target;
    const { method, address, parameters, keyHeader = "x-api-key" } = operation;
    const values = new Map([...this.#valuesOf(operation, input)].filter(([, value]) => value !== null));
    const sentParameters = (location: string) =>
      parameters.filter((parameter) => parameter.in === location && values.has(parameter.name));
    const resolvedPath = sentParameters("path").reduce(
      (path, { name }) => path.replace(`{${name}}`, encodeURIComponent(String(values.get(name)))),
      operation.path,
    );
    const query = new URLSearchParams(sentParameters("query").map(({ name }) => [name, String(values.get(name))]));
    const url = `${address === "base_url" ? baseUrl : depositBaseUrl}${resolvedPath}${query.size === 0 ? "" : `?${query}`}`;
    const headers = { [keyHeader]: apiKey };
    const example = bodyOf(operation);
    if (example === undefined) return { url, init: { method, headers } };
    const isInBody = (name: string) => name in example || !parameters.some((parameter) => parameter.name === name);
    const body = JSON.stringify(Object.fromEntries([...values].filter(([name]) => isInBody(name))));
    return { url, init: { method, headers: { ...headers, "content-type": "application/json" }, body } };
  }

  /** The values of a call by name. Null means that the call omits the value; undefined means that a required value is not known. */
  #valuesOf(operation: PlanOperation, input: CallInput): Map<string, unknown> {
    const examples = this.#examplesOf(operation, input);
    const names = new Set([...examples.keys(), ...(bodyOf(operation) === undefined ? [] : Object.keys(input))]);
    return new Map(
      [...names].map((name) => {
        if (name in input) return [name, this.#inputValue(input[name])];
        return [name, this.#knownValues.get(this.#knownName(operation, name)) ?? examples.get(name)];
      }),
    );
  }

  /** The examples of the parameters and fields that a call sends, by name; undefined where there is no example to send. */
  #examplesOf(operation: PlanOperation, input: CallInput): Map<string, unknown> {
    const parameters = operation.parameters.filter(
      ({ name, required, in: location }) =>
        location !== "header" && (required || name in input || this.#knownValues.has(name)),
    );
    const examples = [
      ...parameters.map(({ name, example }) => [name, example] as const),
      ...Object.entries(bodyOf(operation) ?? {}),
    ];
    return new Map(examples.map(([name, example]) => [name, isIdentifier(name) ? undefined : example]));
  }

  /** Resolves an input. @param input a value, or a reference `$NAME`: see {@link #resolveReference}. */
  #inputValue(input: unknown): unknown {
    const [, name] = /^\$([\w-]+)$/.exec(String(input)) ?? [];
    return name === undefined ? input : this.#resolveReference(name);
  }

  /**
   * The name of the known value for a parameter or field. It differs from the given name if two operations use that name for different
   * things.
   */
  #knownName({ operationId }: PlanOperation, name: string): string {
    return this.#options.plan.probes.names[operationId]?.[name] ?? name;
  }

  /**
   * Resolves the name after `$`: the name of a known value; `unknown`, for an unused identifier; or `month-2` or `year-2`, for the month or
   * the year of two months ago.
   */
  #resolveReference(name: string): unknown {
    const [, part, months] = /^(month|year)-(\d+)$/.exec(name) ?? [];
    if (part !== undefined) return monthsAgo(Number(months))[part as "month" | "year"];
    return name === "unknown" ? randomUUID() : this.#knownValues.get(name);
  }
}

export type CallInput = Readonly<Record<string, unknown>>;

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

export function inputNames(operation: PlanOperation): string[] {
  const parameterNames = operation.parameters
    .filter(({ in: location }) => location !== "header")
    .map(({ name }) => name);
  return [...parameterNames, ...Object.keys(bodyOf(operation) ?? {})];
}

/**
 * Whether the value with this name identifies a record. Its example is not sent, because the service does not have the record of the
 * example.
 */
const isIdentifier = (name: string): boolean => name.endsWith("Id");

function bodyOf({ requestBody }: PlanOperation): CallInput | undefined {
  const body = requestBody?.bodies.find(({ mediaType }) => mediaType === "application/json");
  return body && (Object.values(body.examples)[0] as CallInput);
}

function monthsAgo(months: number): { month: string; year: string } {
  const now = new Date();
  const [year = "", month = ""] = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months))
    .toISOString()
    .split("-");
  return { month, year };
}
