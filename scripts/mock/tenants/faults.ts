import { hash } from "node:crypto";
import { didYouMean } from "../../contract/messages/index.ts";
import { ControlError } from "../checks/error.ts";
import { readDuration } from "../checks/fields.ts";
import type { EffectOverrides } from "../kernel/world.ts";
import type { Fault, WaitingFault } from "../plan/control.ts";
import type { Edition, Plan, PlanOperation, PlanResponse } from "../plan/plan.ts";
import type { EventFault } from "../webhooks/deliveries.ts";
import { forcedEndOf } from "./endings.ts";
import { differenceOf } from "./requests.ts";

export interface FaultMatch {
  readonly response: PlanResponse | undefined;
  /** Milliseconds of real time before the response is sent. */
  readonly delay: number;
  readonly isLost: boolean;
  readonly isCut: boolean;
  readonly isCarriedOut: boolean;
  /** Milliseconds of the world's time before the call takes effect; 0 for an immediate effect. */
  readonly effectAfter: number;
  readonly overrides: EffectOverrides;
}

export interface RequestValues {
  readonly fields: readonly (readonly [name: string, value: unknown])[];
  readonly body: unknown;
}

export interface FaultOptions {
  readonly seed: string;
  readonly ownersOf: (id: string) => readonly string[];
  /** Called before a fault is added. @throws {ControlError} when it cannot be. */
  readonly begin: () => void;
}

interface PendingFault extends Pick<WaitingFault, "number"> {
  readonly fault: Fault;
  /** Delay in milliseconds: of a response in real time, or of an event in the world's time. */
  readonly delay: number;
  readonly effectAfter: number;
  readonly overrides: EffectOverrides;
  /** How many more calls or events the fault affects before it is removed; infinite for `times: "always"`. */
  remainingUses: number;
  skip: number;
  /** How many calls or events a random choice by `rate` was made for; part of the seed of each choice. */
  seen: number;
}

type MaxDuration = readonly [milliseconds: number, words: string];
const maxDelay: MaxDuration = [600_000, "10 minutes"];
const maxWait: MaxDuration = [31_622_400_000, "366 days"];
const maxFaults = 1000;

export class Faults {
  readonly #operations: readonly PlanOperation[];
  readonly #plan: Plan;
  readonly #options: FaultOptions;
  #waiting: PendingFault[] = [];
  #added = 0;

  constructor(plan: Plan, edition: Edition, options: FaultOptions) {
    this.#plan = plan;
    this.#operations = plan.operations.filter(({ editions }) => editions.includes(edition));
    this.#options = options;
  }

  get list(): readonly WaitingFault[] {
    return this.#waiting.map(toWaitingFault);
  }

  add(fault: Fault): WaitingFault {
    const { rate, skip = 0, times = rate === undefined ? 1 : "always" } = fault;
    this.#assertOperation(fault);
    this.#assertWebhook(fault);
    const ends = forcedEndOf(this.#plan, this.#operations, fault);
    const contradiction = contradictions.find(([isPresent]) => isPresent(fault));
    if (contradiction !== undefined) throw new ControlError(contradiction[1]);
    const affectsEvents = fault.deliver !== undefined;
    const delay =
      readLimitedDuration(fault.delay, "delay", affectsEvents ? maxWait : maxDelay) ?? (affectsEvents ? 60_000 : 0);
    const effectAfter = readLimitedDuration(fault.effectAfter, "effectAfter", maxWait) ?? 0;
    const hiddenFor = readLimitedDuration(fault.historyAfter, "historyAfter", maxWait);
    const overrides = { hiddenFor, ends };
    if (this.#waiting.length >= maxFaults)
      throw new ControlError(`There are already ${maxFaults} pending faults. Remove some first.`);
    const remainingUses = times === "always" ? Number.POSITIVE_INFINITY : times;
    this.#options.begin();
    const waiting = { number: this.#added, fault, delay, effectAfter, overrides, remainingUses, skip, seen: 0 };
    this.#waiting.push(waiting);
    this.#added += 1;
    return toWaitingFault(waiting);
  }

  remove(number: number): void {
    const index = this.#waiting.findIndex((one) => one.number === number);
    if (index < 0) throw new ControlError(`There is no fault ${number}.`);
    this.#waiting.splice(index, 1);
  }

  clear(): void {
    this.#waiting = [];
    this.#added = 0;
  }

  /** Returns the effect of the first pending fault that affects the call, and counts one use of that fault; undefined if none does. */
  take(operation: PlanOperation, sent: () => RequestValues): FaultMatch | undefined {
    const isCandidate = ({ fault }: PendingFault) =>
      fault.deliver === undefined && this.#concernsOperation(fault, operation);
    const found = this.#takeFirst(isCandidate, sent);
    if (found === undefined) return undefined;
    const { fault, delay, effectAfter, overrides } = found;
    const { lose, cut: isCut = false, carriedOut = false } = fault;
    const response = this.#responseOf(fault, operation);
    const isCarriedOut = carriedOut || effectAfter > 0 || (response === undefined && lose !== "request");
    const outcome = { response, delay, isLost: lose !== undefined, isCut, isCarriedOut };
    return { ...outcome, effectAfter, overrides };
  }

  takeEvent(webhook: string, body: string): EventFault | undefined {
    const isCandidate = ({ fault }: PendingFault) =>
      fault.deliver !== undefined && (fault.webhook ?? webhook) === webhook;
    const sent = () => {
      const value: unknown = JSON.parse(body);
      return { fields: Object.entries(value ?? {}), body: value };
    };
    const found = this.#takeFirst(isCandidate, sent);
    if (found?.fault.deliver === undefined) return undefined;
    return { deliver: found.fault.deliver, delay: found.delay, webhook: found.fault.webhook };
  }

  #takeFirst(isCandidate: (waiting: PendingFault) => boolean, sent: () => RequestValues): PendingFault | undefined {
    const found = this.#waiting.find((waiting) => isCandidate(waiting) && this.#isMet(waiting, sent));
    if (found === undefined) return undefined;
    found.remainingUses -= 1;
    if (found.remainingUses === 0) this.#waiting.splice(this.#waiting.indexOf(found), 1);
    return found;
  }

  #assertWebhook({ webhook }: Fault): void {
    const names = this.#plan.webhooks.map(({ name }) => name);
    if (webhook === undefined || names.includes(webhook)) return;
    const possible = `Possible are ${names.sort().join(", ")}.`;
    throw new ControlError(`There is no webhook ${JSON.stringify(webhook)}.${didYouMean(webhook, names)} ${possible}`);
  }

  #assertOperation({ operation: operationId, code, status }: Fault): void {
    const affected = this.#operations.filter((one) => operationId === undefined || one.operationId === operationId);
    if (affected.length === 0) throw noOperation(operationId, this.#operations);
    if (code !== undefined && status !== undefined && !this.#isUnlisted(code)) {
      const problem =
        "code and status can be combined only for a P-code that the contract does not list, such as P999.";
      throw new ControlError(problem);
    }
    if (code === undefined || status !== undefined || affected.some((one) => this.#canHave(one, code))) return;
    const possible = Object.keys(this.#plan.codes)
      .filter((one) => affected.some((operation) => this.#canHave(operation, one)))
      .sort();
    const cannot = operationId === undefined ? "No operation can have" : `${operationId} cannot have`;
    throw new ControlError(`${cannot} the code ${JSON.stringify(code)}. Possible are ${possible.join(", ")}.`);
  }

  #isUnlisted(code: string): boolean {
    return /^P\d{3}$/.test(code) && !Object.hasOwn(this.#plan.codes, code);
  }

  /** Whether the operation can respond with a P-code: it is documented, or the list of codes for its status is incomplete. */
  #canHave(operation: PlanOperation, code: string): boolean {
    return documents(operation, code) || operation.openStatuses.includes(this.#plan.codes[code]?.status ?? 0);
  }

  #concernsOperation({ operation: operationId, code, status }: Fault, operation: PlanOperation): boolean {
    if (operationId !== undefined && operation.operationId !== operationId) return false;
    if (code === undefined || status !== undefined || documents(operation, code)) return true;
    const isOfOtherOperations = operationId === undefined && this.#operations.some((other) => documents(other, code));
    return !isOfOtherOperations && this.#canHave(operation, code);
  }

  #isMet(waiting: PendingFault, sent: () => RequestValues): boolean {
    const { user, body, rate } = waiting.fault;
    if (user !== undefined && !this.#concernsUser(user, sent())) return false;
    if (body !== undefined && differenceOf(body, sent().body) !== undefined) return false;
    if (waiting.skip > 0) {
      waiting.skip -= 1;
      return false;
    }
    if (rate === undefined) return true;
    waiting.seen += 1;
    const chosen = hash("sha256", `${this.#options.seed} fault ${waiting.number} ${waiting.seen}`, "buffer");
    return chosen.readUInt32BE() / 2 ** 32 < rate;
  }

  #concernsUser(user: string, { fields }: RequestValues): boolean {
    const ids = fields.flatMap(([name, value]) => (typeof value === "string" && /Id$/.test(name) ? value : []));
    return ids.some((id) => id === user || this.#options.ownersOf(id).includes(user));
  }

  #responseOf({ code, status, json }: Fault, { responses }: PlanOperation): PlanResponse | undefined {
    if (status !== undefined && (json || code !== undefined)) return this.#jsonWith(status, code);
    if (code !== undefined) return responses.find((response) => response.code === code) ?? this.#catalogued(code);
    if (status === undefined) return undefined;
    const documented = responses.find((response) => response.status === status);
    return documented ?? responseWith(status, "text/plain; charset=utf-8", `A fault set the status ${status}.\n`);
  }

  /** The error format with a P-code that the contract does not list, or without a P-code the JSON of a gateway. */
  #jsonWith(status: number, code: string | undefined): PlanResponse {
    const message = `A fault set the status ${status}.`;
    const [known] = Object.values(this.#plan.codes);
    const body = code === undefined ? { message } : { ...known?.example, errorCode: code, errorMessage: message };
    return { ...responseWith(status, "application/json", JSON.stringify(body)), code };
  }

  #catalogued(code: string): PlanResponse | undefined {
    const known = this.#plan.codes[code];
    return known && { ...responseWith(known.status, "application/json", JSON.stringify(known.example)), code };
  }
}

function readLimitedDuration(
  value: string | number | undefined,
  name: string,
  [max, words]: MaxDuration,
): number | undefined {
  if (value === undefined) return undefined;
  const milliseconds = readDuration(value, name);
  if (milliseconds > max) throw new ControlError(`${name} must be ${words} or less.`);
  return milliseconds;
}

function toWaitingFault({ number, fault: { skip: _, ...fault }, skip, remainingUses }: PendingFault): WaitingFault {
  const left = remainingUses === Number.POSITIVE_INFINITY ? "always" : remainingUses;
  return { ...fault, ...(skip > 0 && { skip }), number, left };
}

const eventFaultMembers = ["webhook", "user", "body", "delay", "skip", "times", "rate"];

const contradictions: readonly (readonly [isPresent: (fault: Fault) => boolean, message: string])[] = [
  [
    ({ webhook, deliver }) => webhook !== undefined && deliver === undefined,
    "webhook needs deliver: never, twice, late or reversed. Without a webhook, a fault affects calls.",
  ],
  [
    ({ deliver, ...fault }) =>
      deliver !== undefined && Object.keys(fault).some((name) => !eventFaultMembers.includes(name)),
    `deliver affects events, not calls. It can be combined only with ${eventFaultMembers.join(", ")}.`,
  ],
  [
    ({ deliver, delay }) => deliver === "late" && delay === undefined,
    'deliver: "late" needs a delay, such as "5 minutes".',
  ],
  [
    ({ deliver, delay }) => (deliver === "never" || deliver === "twice") && delay !== undefined,
    'deliver can be combined with delay only if it is "late" or "reversed".',
  ],
  [
    ({ json, status, code }) => json === true && (status === undefined || code !== undefined),
    "json needs a status, and no code.",
  ],
  [
    (fault) => fault.lose !== undefined && hasResponse(fault),
    "lose cannot be combined with code or status, because the client gets no response. For an error response to a call that takes effect, use carriedOut instead of lose.",
  ],
  [
    ({ lose, cut }) => lose !== undefined && cut === true,
    "lose cannot be combined with cut: with lose, the client gets no part of the response.",
  ],
  [
    (fault) => fault.carriedOut === true && !hasResponse(fault),
    'carriedOut needs a code or a status. Without them, a call takes effect anyway, except with lose: "request".',
  ],
  [
    (fault) => fault.effectAfter !== undefined && fault.lose !== "response" && !hasResponse(fault),
    'effectAfter needs lose: "response", a code or a status. Without them, the response would need the effect of the call.',
  ],
  [
    (fault) => (fault.historyAfter ?? fault.ends) !== undefined && !isEffective(fault),
    'historyAfter and ends need a call that takes effect: with a code or a status, add carriedOut or effectAfter; lose: "request" is not possible.',
  ],
  [
    (fault) =>
      fault.deliver === undefined &&
      [fault.delay, fault.lose, fault.cut, fault.historyAfter, fault.ends].every((part) => part === undefined) &&
      !hasResponse(fault),
    "A fault of calls needs at least one of code, status, delay, lose, cut, historyAfter and ends.",
  ],
];

function isEffective(fault: Fault): boolean {
  if (hasResponse(fault)) return fault.carriedOut === true || fault.effectAfter !== undefined;
  return fault.lose !== "request";
}

function hasResponse({ code, status }: Fault): boolean {
  return code !== undefined || status !== undefined;
}

export function noOperation(operationId: string | undefined, operations: readonly PlanOperation[]): ControlError {
  const known = operations.map((operation) => operation.operationId).sort();
  return new ControlError(
    `There is no operation ${JSON.stringify(operationId)}.${didYouMean(operationId ?? "", known)} Possible are ${known.join(", ")}.`,
  );
}

function documents({ responses }: PlanOperation, code: string): boolean {
  return responses.some((response) => response.code === code);
}

function responseWith(status: number, mediaType: string, body: string): PlanResponse {
  return { status, mediaType, body, headers: { "content-type": mediaType }, example: undefined, code: undefined };
}
