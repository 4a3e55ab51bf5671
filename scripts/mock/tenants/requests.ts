import { ControlError } from "../checks/error.ts";
import { memoize } from "../memoize.ts";
import type { Expectation, SeenRequest } from "../plan/control.ts";
import type { Plan, SensitiveParts } from "../plan/plan.ts";
import { readJson } from "../request/body.ts";

export interface RequestFilter {
  /** Only requests with a higher number. */
  readonly after?: number;
  /** Maximum number of requests, from 1, of which the newest are returned; 1,000 by default and at most. */
  readonly limit?: number;
  /** Whether to show sensitive values; masked by default. */
  readonly sensitive?: boolean;
}

/** `at` is in milliseconds since 1970. Bodies are stored as text, and parsed only when the log is read. */
interface StoredRequest extends Omit<SeenRequest, "at" | "operation" | "code"> {
  readonly operation: string | undefined;
  readonly code: string | undefined;
  readonly at: number;
  body: StoredText;
  response: StoredText;
}

/** A stored body, or the reason why it is not stored; undefined if there is no body. */
type StoredText = string | { readonly reason: string } | undefined;

export interface CompletedRequest extends Omit<StoredRequest, "number" | "body" | "response"> {
  readonly body: Buffer;
  readonly response: string;
}

const maxRequests = 1000;

/** Maximum length of one stored body: of a request in bytes, of a response in characters. */
const maxBodyLength = 16 * 1024;
/** Maximum length of all stored bodies together, in characters. */
const maxTotalLength = 8 * 1024 * 1024;

/** The limit holds for all tenants together. The oldest bodies are dropped. */
export class BodyStore {
  readonly #requests = new Set<StoredRequest>();
  #size = 0;

  add(request: StoredRequest): void {
    this.#requests.add(request);
    this.#size += sizeOf(request);
    for (const oldestRequest of this.#requests) {
      if (this.#size <= maxTotalLength) return;
      this.drop(oldestRequest);
    }
  }

  drop(request: StoredRequest): void {
    if (!this.#requests.delete(request)) return;
    this.#size -= sizeOf(request);
    if (request.body !== undefined) request.body = droppedBody;
    if (request.response !== undefined) request.response = droppedBody;
  }
}

const droppedBody: StoredText = { reason: "(not kept)" };

function sizeOf({ body, response }: StoredRequest): number {
  return [body, response].reduce((sum, text) => sum + (typeof text === "string" ? text.length : 0), 0);
}

const sensitiveByOperation = memoize(
  (operations: Plan["operations"]) => new Map(operations.map(({ operationId, sensitive }) => [operationId, sensitive])),
);

export class RequestLog {
  readonly #bodies: BodyStore;
  readonly #plan: Pick<Plan, "operations" | "sensitiveNames">;
  readonly #sensitiveNames: ReadonlySet<string>;
  #entries: StoredRequest[] = [];
  /** Whether an earlier log of this API key may have been dropped with its counts. The total number of requests is then not known. */
  #isTruncated: boolean;
  #count = 0;
  readonly #counts = new Map<string, number>();

  constructor(bodies: BodyStore, plan: Pick<Plan, "operations" | "sensitiveNames">, isTruncated = false) {
    this.#isTruncated = isTruncated;
    this.#bodies = bodies;
    this.#plan = plan;
    this.#sensitiveNames = new Set(plan.sensitiveNames);
  }

  list({ after = -1, limit = maxRequests, sensitive = false }: RequestFilter = {}): readonly SeenRequest[] {
    const parseForLog = (text: StoredText, mask: Mask) =>
      sensitive ? parseStoredText(text) : mask.applyTo(parseStoredText(text));
    return this.#entries
      .slice(-Math.min(limit, maxRequests))
      .filter(({ number }) => number > after)
      .map(({ at, body, response, ...entry }) => {
        const { operation, status } = entry;
        const bodies = {
          ...(body !== undefined && { body: parseForLog(body, this.#maskOf(operation)) }),
          ...(response !== undefined && { response: parseForLog(response, this.#maskOf(operation, status)) }),
        };
        return { ...entry, at: new Date(at).toISOString(), ...bodies } as SeenRequest;
      });
  }

  add({ at, method, path, operation, status, code, notes, body, response }: CompletedRequest): void {
    const storedRequest: StoredRequest = {
      number: this.#count,
      at,
      method,
      path,
      operation,
      status,
      code,
      notes,
      body: toStoredText(body),
      response: toStoredText(response),
    };
    this.#entries.push(storedRequest);
    this.#count += 1;
    if (operation !== undefined) this.#counts.set(operation, (this.#counts.get(operation) ?? 0) + 1);
    this.#bodies.add(storedRequest);
    // The list is shortened only at twice the limit, because removing its first items moves all others.
    if (this.#entries.length >= 2 * maxRequests) this.#keepLast(maxRequests);
  }

  get isEmpty(): boolean {
    return this.#count === 0 && !this.#isTruncated;
  }

  clear(): void {
    this.#keepLast(0);
    this.#isTruncated = false;
    this.#count = 0;
    this.#counts.clear();
  }

  /**
   * @returns the number of matching requests.
   * @throws {ControlError} with 409 if the number is not the expected one, or is unknown because requests or their bodies were dropped.
   */
  verify(expected: Expectation): number {
    const { operation, times, body } = expected;
    const total = this.#counts.get(operation) ?? 0;
    if (this.#isTruncated && (body !== undefined || !(times === undefined ? total > 0 : total > times))) {
      throw new ControlError(
        "Not known: the mock has dropped the first requests of this API key, because those of many other keys came since. A key that changes its world keeps them. Reset before, or verify earlier.",
        409,
      );
    }
    if (body === undefined) {
      if (times === undefined ? total > 0 : total === times) return total;
      throw countError(operation, total, times, total === 0 ? `What came: ${this.#describeReceived()}.` : "");
    }
    const comparableRequests = this.#entries.filter(
      (request) => request.operation === operation && typeof request.body !== "object",
    );
    const mask = this.#maskOf(operation);
    const differences = comparableRequests.flatMap((request) => {
      const difference = differenceOf(body, parseStoredText(request.body), mask);
      return difference === undefined ? [] : [`Request ${request.number}: ${difference}.`];
    });
    const count = comparableRequests.length - differences.length;
    const unknownCount = total - comparableRequests.length;
    // Despite dropped bodies, the result is certain if one match is enough and found, or if there are already too many matches.
    const isCertain = unknownCount === 0 || (times === undefined ? count > 0 : count > times);
    if (!isCertain) {
      throw new ControlError(
        `Not known: of ${formatTimes(total)} that ${operation} came, the mock does not have the body of ${unknownCount} any more. It keeps the last ${maxRequests} requests, and ${maxTotalLength / 1024 / 1024} MiB of bodies. Verify earlier, reset before, or leave body out.`,
        409,
      );
    }
    if (times === undefined ? count > 0 : count === times) return count;
    const detail =
      comparableRequests.length === 0 ? `What came: ${this.#describeReceived()}.` : differences.slice(-5).join(" ");
    throw countError(`${operation} with this body`, count, times, detail);
  }

  #describeReceived(): string {
    const counts = new Map<string, number>();
    for (const { operation, method, path } of this.#entries.slice(-maxRequests)) {
      const name = operation ?? `${method} ${path}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const names = [...counts].slice(-10).map(([name, count]) => `${name} (${count})`);
    return names.join(", ") || "nothing";
  }

  #maskOf(operation: string | undefined, status?: SeenRequest["status"]): Mask {
    const sensitive = sensitiveByOperation(this.#plan.operations).get(operation ?? "");
    const parts = status === undefined ? sensitive?.request : sensitive?.responses[status];
    return new Mask(parts, this.#sensitiveNames);
  }

  #keepLast(count: number): void {
    for (const droppedRequest of this.#entries.splice(0, Math.max(0, this.#entries.length - count)))
      this.#bodies.drop(droppedRequest);
  }
}

function formatTimes(count: number | string): string {
  return `${count} ${/\b1$/.test(String(count)) ? "time" : "times"}`;
}

function toStoredText(body: Buffer | string): StoredText {
  if (body.length === 0) return undefined;
  return body.length > maxBodyLength
    ? { reason: `(${body.length} bytes, which are too many to be kept)` }
    : body.toString();
}

function parseStoredText(text: StoredText): unknown {
  if (typeof text !== "string") return text?.reason;
  const { value } = readJson(text);
  return value === undefined ? `(${text.length} characters that are no JSON)` : value;
}

function countError(subject: string, count: number, times: number | undefined, detail: string): ControlError {
  return new ControlError(
    `${subject} came ${formatTimes(count)}, not ${formatTimes(times ?? "at least 1")}. ${detail}`.trim(),
    409,
  );
}

const redactedText = "[redacted]";

/** A member that is not in the schema is masked if a member of the same name is sensitive anywhere in the contract. */
class Mask {
  readonly #parts: SensitiveParts | undefined;
  readonly #sensitiveNames: ReadonlySet<string>;

  constructor(parts: SensitiveParts | undefined, sensitiveNames: ReadonlySet<string>) {
    this.#parts = parts;
    this.#sensitiveNames = sensitiveNames;
  }

  forMember(name: string): Mask {
    const parts = typeof this.#parts === "object" ? (this.#parts[name] ?? this.#parts["*"]) : undefined;
    return new Mask(parts ?? (this.#sensitiveNames.has(name) ? true : undefined), this.#sensitiveNames);
  }

  get hidesAll(): boolean {
    return this.#parts === true;
  }

  applyTo(value: unknown): unknown {
    if (value === null || value === undefined) return value;
    if (this.hidesAll) return redactedText;
    if (typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map((item) => this.forMember("*").applyTo(item));
    const entries = Object.entries(value).map(([name, part]) => [name, this.forMember(name).applyTo(part)]);
    return Object.fromEntries(entries);
  }
}

const noMask = new Mask(undefined, new Set());

/**
 * Describes the first difference between two JSON values. An object may have more members than expected; a list must have the expected
 * length.
 *
 * @param mask hides sensitive values in the description.
 * @returns undefined if there is no difference.
 */
export function differenceOf(
  expected: unknown,
  actual: unknown,
  mask: Mask = noMask,
  path = "The body",
): string | undefined {
  if (typeof expected !== "object" || expected === null || typeof actual !== "object" || actual === null) {
    if (expected === actual) return undefined;
    const [actualText, expectedText] = [actual, expected].map(
      (value) => JSON.stringify(mask.applyTo(value)) ?? "missing",
    );
    return mask.hidesAll ? `${path} is another` : `${path} is ${actualText}, not ${expectedText}`;
  }
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) {
    return `${path} is not a list of ${expected.length}`;
  }
  const prefix = path === "The body" ? "" : `${path}.`;
  for (const [name, part] of Object.entries(expected)) {
    const actualPart = Object.hasOwn(actual, name) ? (actual as Record<string, unknown>)[name] : undefined;
    const memberMask = mask.forMember(Array.isArray(expected) ? "*" : name);
    const difference = differenceOf(part, actualPart, memberMask, `${prefix}${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
