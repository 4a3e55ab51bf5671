/** The requests that a tenant has answered, with their bodies, and how often one came. */
import type { Expectation, SeenRequest } from "../../../generated/control/types.ts";
import { ControlError } from "../checks/error.ts";
import { readJson } from "../request/body.ts";

/** Which requests are listed. */
export interface RequestFilter {
  /** Only those with a higher number. */
  readonly after?: number;
  /** The most that are listed, the newest ones; 1,000 by default. */
  readonly limit?: number;
  /** Whether values are shown that the contract marks as sensitive; they are masked by default. */
  readonly sensitive?: boolean;
}

/** A request as it is kept: its time in milliseconds since 1970, and its bodies as texts, which are read only when somebody asks. */
interface Kept extends Omit<SeenRequest, "at" | "operation" | "code"> {
  readonly operation: string | undefined;
  readonly code: string | undefined;
  readonly at: number;
  body: Text;
  response: Text;
}

/** What is kept of a body, or in words why it is not; undefined where there was none. */
type Text = string | { readonly why: string } | undefined;

/** What there is to keep of a request. */
export interface Answered extends Omit<Kept, "number" | "body" | "response"> {
  readonly body: Buffer;
  readonly response: string;
}

/** How many requests are kept. */
const mostRequests = 1000;

/** The longest body that is kept, and all of them together, in characters. */
const longestBody = 16 * 1024;
const mostBodies = 8 * 1024 * 1024;

/** Bounds the bodies that all tenants keep: the oldest ones go. */
export class Bodies {
  readonly #kept = new Set<Kept>();
  #size = 0;

  add(request: Kept): void {
    this.#kept.add(request);
    this.#size += sizeOf(request);
    for (const oldest of this.#kept) {
      if (this.#size <= mostBodies) return;
      this.drop(oldest);
    }
  }

  drop(request: Kept): void {
    if (!this.#kept.delete(request)) return;
    this.#size -= sizeOf(request);
    if (request.body !== undefined) request.body = gone;
    if (request.response !== undefined) request.response = gone;
  }
}

const gone: Text = { why: "(not kept)" };

function sizeOf({ body, response }: Kept): number {
  return lengthOf(body) + lengthOf(response);
}

function lengthOf(text: Text): number {
  return typeof text === "string" ? text.length : 0;
}

/** The requests of a tenant, the newest ones only. */
export class RequestLog {
  readonly #bodies: Bodies;
  /** Names of what the contract marks as sensitive. */
  readonly #hidden: Names;
  #kept: Kept[] = [];
  #count = 0;

  constructor(bodies: Bodies, sensitiveNames: readonly string[]) {
    this.#bodies = bodies;
    this.#hidden = new Set(sensitiveNames);
  }

  /** Oldest first. */
  list({ after = -1, limit = mostRequests, sensitive = false }: RequestFilter = {}): readonly SeenRequest[] {
    const show = (text: Text) => (sensitive ? parsed(text) : masked(parsed(text), this.#hidden));
    return this.#kept
      .slice(-Math.min(limit, mostRequests))
      .filter(({ number }) => number > after)
      .map(({ at, body, response, ...seen }) => {
        const bodies = {
          ...(body !== undefined && { body: show(body) }),
          ...(response !== undefined && { response: show(response) }),
        };
        return { ...seen, at: new Date(at).toISOString(), ...bodies } as SeenRequest;
      });
  }

  add({ at, method, path, operation, status, code, notes, body, response }: Answered): void {
    const about = { number: this.#count, at, method, path, operation, status, code, notes };
    const kept: Kept = { ...about, body: textOf(body), response: textOf(response) };
    this.#kept.push(kept);
    this.#count += 1;
    this.#bodies.add(kept);
    // Not with each request, since it moves all others.
    if (this.#kept.length >= 2 * mostRequests) this.#keepLast(mostRequests);
  }

  clear(): void {
    this.#keepLast(0);
    this.#count = 0;
  }

  /**
   * Counts the requests of an operation.
   *
   * @throws {ControlError} with 409 when they are not as many as expected, with what came instead.
   */
  verify(expected: Expectation): number {
    const { operation, times, body } = expected;
    const ofOperation = this.#kept.slice(-mostRequests).filter((request) => request.operation === operation);
    const differing = ofOperation.flatMap((request) => {
      const difference = body === undefined ? undefined : differenceOf(body, parsed(request.body), this.#hidden);
      return difference === undefined ? [] : [`Request ${request.number}: ${difference}.`];
    });
    const count = ofOperation.length - differing.length;
    if (times === undefined ? count > 0 : count === times) return count;
    const wanted = `${operation}${body === undefined ? "" : " with this body"}`;
    const others = new Map<string, number>();
    for (const request of ofOperation.length === 0 ? this.#kept.slice(-mostRequests) : []) {
      const name = request.operation ?? `${request.method} ${request.path}`;
      others.set(name, (others.get(name) ?? 0) + 1);
    }
    const names = [...others].slice(-10).map(([name, often]) => `${name} (${often})`);
    const instead =
      ofOperation.length === 0 ? `What came: ${names.join(", ") || "nothing"}.` : differing.slice(-5).join(" ");
    throw new ControlError(
      `${wanted} came ${timesOf(count)}, not ${timesOf(times ?? "at least 1")}. ${instead}`.trim(),
      409,
    );
  }

  #keepLast(most: number): void {
    for (const old of this.#kept.splice(0, Math.max(0, this.#kept.length - most))) this.#bodies.drop(old);
  }
}

function timesOf(count: number | string): string {
  return `${count} ${/\b1$/.test(String(count)) ? "time" : "times"}`;
}

function textOf(body: Buffer | string): Text {
  if (body.length === 0) return undefined;
  return body.length > longestBody ? { why: `(${body.length} bytes, which are too many to be kept)` } : body.toString();
}

function parsed(text: Text): unknown {
  if (typeof text !== "string") return text?.why;
  const { value } = readJson(text);
  return value === undefined ? `(${text.length} characters that are no JSON)` : value;
}

type Names = ReadonlySet<string>;

const mask = "[redacted]";

/** The value with another one in the place of everything that the contract marks as sensitive. */
function masked(value: unknown, hidden: Names): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => masked(part, hidden));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      hidden.has(name) && part !== null ? mask : masked(part, hidden),
    ]),
  );
}

/**
 * Where a value lacks something that is expected: each member of an object, the same number of items of a list.
 *
 * @param hidden names whose values are not shown; none by default.
 * @param place what the value is called.
 * @returns undefined where nothing is missing. Sensitive values are not shown.
 */
export function differenceOf(
  expected: unknown,
  actual: unknown,
  hidden: Names = new Set(),
  place = "The body",
): string | undefined {
  if (typeof expected !== "object" || expected === null || typeof actual !== "object" || actual === null) {
    if (expected === actual) return undefined;
    const [given, wanted] = [actual, expected].map((value) => JSON.stringify(masked(value, hidden)) ?? "missing");
    return hidden.has(place.split(".").at(-1) ?? "") ? `${place} is another` : `${place} is ${given}, not ${wanted}`;
  }
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) {
    return `${place} is not a list of ${expected.length}`;
  }
  const inner = place === "The body" ? "" : `${place}.`;
  for (const [name, part] of Object.entries(expected)) {
    const found = Object.hasOwn(actual, name) ? (actual as Record<string, unknown>)[name] : undefined;
    const difference = differenceOf(part, found, hidden, `${inner}${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
