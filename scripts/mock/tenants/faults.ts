/** Failures on demand: an answer, a delay or a lost connection in the place of what an operation does, for some calls. */
import { ControlError } from "../control/error.ts";
import { lengthOf, objectOf } from "../control/fields.ts";
import type { Edition, Plan, PlanAnswer, PlanOperation } from "../plan/plan.ts";

/** What goes wrong, where and how often. At least one of `code`, `status`, `delay` and `lose` is given. */
export interface Fault {
  /** The operationId; every operation where it is left out. */
  readonly operation?: string;
  /**
   * A P-code. Operations that do not document it are left alone; where an answer may have other codes than the known ones, one of the
   * catalogue can be given to an operation that is named, or whose code none documents.
   */
  readonly code?: string;
  /** An HTTP status from 400 to 599: the documented answer where there is one, otherwise a plain text. */
  readonly status?: number;
  /** How long the answer takes in addition, in the time of the machine: milliseconds, or a text such as "2 seconds". */
  readonly delay?: number | string;
  /** What the connection is dropped with: the request, so that nothing happens, or the answer to a call that was carried out. */
  readonly lose?: "request" | "answer";
  /** How many calls it meets; one where it is left out. */
  readonly times?: number | "always";
}

/** A fault that waits, and how many calls it will still meet. */
export interface WaitingFault extends Fault {
  readonly number: number;
  readonly left: number | "always";
}

/** What a call meets. */
export interface FaultMatch {
  /** The answer; undefined where the call is carried out. */
  readonly answer: PlanAnswer | undefined;
  /** Milliseconds. */
  readonly delay: number;
  readonly lose: "request" | "answer" | undefined;
}

const names = ["operation", "code", "status", "delay", "lose", "times"] as const;

/** The longest delay, in milliseconds. */
const longestDelay = 600_000;

export class Faults {
  readonly #operations: readonly PlanOperation[];
  readonly #codes: Plan["codes"];
  #waiting: { number: number; fault: Fault; delay: number; left: number }[] = [];
  #added = 0;

  /** @param edition the edition whose operations are answered. */
  constructor({ operations, codes }: Plan, edition: Edition) {
    this.#operations = operations.filter(({ editions }) => editions.includes(edition));
    this.#codes = codes;
  }

  /** Those that will meet a call, the next one first. */
  get list(): readonly WaitingFault[] {
    return this.#waiting.map(({ number, fault, left }) => ({
      ...fault,
      number,
      left: left === Number.POSITIVE_INFINITY ? "always" : left,
    }));
  }

  /**
   * Adds a fault. Those that were added before come first.
   *
   * @throws {ControlError} when no call could meet it, with what is possible.
   */
  add(value: Fault): WaitingFault {
    const fault = objectOf(value, "The fault", names) as Fault;
    this.#assertOperation(fault);
    assertAnswer(fault);
    const delay = fault.delay === undefined ? 0 : lengthOf(fault.delay, "delay");
    if (delay > longestDelay) throw new ControlError("delay must be 10 minutes or less.");
    if (fault.lose !== undefined && fault.lose !== "request" && fault.lose !== "answer") {
      throw new ControlError('lose must be "request" (nothing happens) or "answer" (the call is carried out).');
    }
    const { times = 1 } = fault;
    if (times !== "always" && !(Number.isSafeInteger(times) && times > 0)) {
      throw new ControlError('times must be a whole number from 1, or "always".');
    }
    const left = times === "always" ? Number.POSITIVE_INFINITY : times;
    this.#waiting.push({ number: this.#added, fault, delay, left });
    this.#added += 1;
    return this.list.at(-1) as WaitingFault;
  }

  clear(): void {
    this.#waiting = [];
  }

  /** What a call of an operation meets; it is used up by that. */
  take(operation: PlanOperation): FaultMatch | undefined {
    const found = this.#waiting.find(({ fault }) => this.#isMet(fault, operation));
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left === 0) this.#waiting.splice(this.#waiting.indexOf(found), 1);
    return { answer: this.#answerOf(found.fault, operation), delay: found.delay, lose: found.fault.lose };
  }

  #assertOperation({ operation: operationId, code }: Fault): void {
    const operations = this.#operations;
    const wanted = operations.filter((operation) => operationId === undefined || operation.operationId === operationId);
    if (wanted.length === 0) {
      const known = operations.map((operation) => operation.operationId).sort();
      throw new ControlError(`There is no operation ${JSON.stringify(operationId)}. Possible are ${known.join(", ")}.`);
    }
    if (code === undefined || wanted.some((operation) => this.#canHave(operation, code))) return;
    const codes = [
      ...Object.keys(this.#codes),
      ...wanted.flatMap(({ answers }) => answers.map((answer) => answer.code)),
    ];
    const possible = new Set(codes.filter((one) => wanted.some((operation) => this.#canHave(operation, one ?? ""))));
    const cannot = operationId === undefined ? "No operation can have" : `${operationId} cannot have`;
    throw new ControlError(
      `${cannot} the code ${JSON.stringify(code)}. Possible are ${[...possible].sort().join(", ")}.`,
    );
  }

  /** Whether the operation documents the code, or has an answer that may have any of the catalogue. */
  #canHave(operation: PlanOperation, code: string): boolean {
    const { status = 0 } = this.#codes[code] ?? {};
    return documents(operation, code) || operation.openStatuses.includes(status);
  }

  #isMet({ operation: operationId, code }: Fault, operation: PlanOperation): boolean {
    if (operationId !== undefined && operation.operationId !== operationId) return false;
    if (code === undefined || documents(operation, code)) return true;
    const isOthers = operationId === undefined && this.#operations.some((other) => documents(other, code));
    return !isOthers && this.#canHave(operation, code);
  }

  #answerOf({ code, status }: Fault, { answers }: PlanOperation): PlanAnswer | undefined {
    if (code !== undefined) return answers.find((answer) => answer.code === code) ?? this.#catalogued(code);
    if (status === undefined) return undefined;
    const documented = answers.find((answer) => answer.status === status);
    return documented ?? answerWith(status, "text/plain; charset=utf-8", `The mock was told to answer ${status}.\n`);
  }

  #catalogued(code: string): PlanAnswer | undefined {
    const known = this.#codes[code];
    return known && { ...answerWith(known.status, "application/json", JSON.stringify(known.example)), code };
  }
}

function documents({ answers }: PlanOperation, code: string): boolean {
  return answers.some((answer) => answer.code === code);
}

function answerWith(status: number, mediaType: string, body: string): PlanAnswer {
  return { status, mediaType, body, headers: { "content-type": mediaType }, example: undefined, code: undefined };
}

function assertAnswer({ code, status, delay, lose }: Fault): void {
  if (code === undefined && status === undefined && delay === undefined && lose === undefined) {
    throw new ControlError("A fault needs at least one of code, status, delay and lose.");
  }
  if (code !== undefined && status !== undefined) throw new ControlError("A fault has a code or a status, not both.");
  if (status !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 599)) {
    throw new ControlError("status must be a whole number from 400 to 599.");
  }
}
