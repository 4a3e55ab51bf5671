import { hash } from "node:crypto";
import { didYouMean } from "../../base/index.ts";
import { ControlError } from "../checks/error.ts";
import { readDuration } from "../checks/fields.ts";
import type { EffectOverrides } from "../kernel/world.ts";
import type { Fault, WaitingFault } from "../plan/control.ts";
import type { Edition, Plan, PlanOperation, PlanResponse } from "../plan/plan.ts";
import type { EventFault } from "../webhooks/deliveries.ts";
import { forcedEndOf } from "./endings.ts";
import { differenceOf } from "./requests.ts";

export interface AppliedFault {
  readonly response: PlanResponse | undefined;
  /** The delay of the response in milliseconds of real time. */
  readonly delay: number;
  readonly isLost: boolean;
  readonly isCut: boolean;
  readonly isCarriedOut: boolean;
  /** The delay until the call takes effect, in milliseconds by the clock of the world; 0 for an immediate effect. */
  readonly effectDelay: number;
  readonly overrides: EffectOverrides;
}

export interface MatchedValues {
  readonly fields: readonly (readonly [name: string, value: unknown])[];
  readonly body: unknown;
}

export interface FaultOptions {
  readonly seed: string;
  readonly ownersOf: (id: string) => readonly string[];
  /** Called before a fault is added. @throws {ControlError} when there is no room for another world. */
  readonly beforeAdd: () => void;
}

interface PendingFault extends Pick<WaitingFault, "number"> {
  readonly fault: Fault;
  /** The delay in milliseconds: of a response in real time, or of an event by the clock of the world. */
  readonly delay: number;
  readonly effectDelay: number;
  readonly overrides: EffectOverrides;
  /** The number of calls or events that the fault can still affect before it is removed; infinite for `times: "always"`. */
  remainingUses: number;
  remainingSkips: number;
  /** The number of random choices made so far for a fault with a `rate`; part of the seed of each choice. */
  drawCount: number;
}

type MaxDuration = readonly [milliseconds: number, words: string];
const maxResponseDelay: MaxDuration = [600_000, "10 minutes"];
const maxClockDelay: MaxDuration = [31_622_400_000, "366 days"];
const maxFaults = 1000;

export class Faults {
  readonly #operations: readonly PlanOperation[];
  readonly #plan: Plan;
  readonly #options: FaultOptions;
  #pendingFaults: PendingFault[] = [];
  #nextNumber = 0;

  constructor(plan: Plan, edition: Edition, options: FaultOptions) {
    this.#plan = plan;
    this.#operations = plan.operations.filter(({ editions }) => editions.includes(edition));
    this.#options = options;
  }

  get list(): readonly WaitingFault[] {
    return this.#pendingFaults.map(toWaitingFault);
  }

  add(fault: Fault): WaitingFault {
    const { rate, skip = 0, times = rate === undefined ? 1 : "always" } = fault;
    this.#assertOperation(fault);
    this.#assertWebhook(fault);
    const ends = forcedEndOf(this.#plan, this.#operations, fault);
    const violatedRule = contradictions.find(([isPresent]) => isPresent(fault));
    if (violatedRule !== undefined) throw new ControlError(violatedRule[1]);
    const affectsEvents = fault.deliver !== undefined;
    const delay =
      readLimitedDuration(fault.delay, "delay", affectsEvents ? maxClockDelay : maxResponseDelay) ??
      (affectsEvents ? 60_000 : 0);
    const effectDelay = readLimitedDuration(fault.effectAfter, "effectAfter", maxClockDelay) ?? 0;
    const hiddenFor = readLimitedDuration(fault.historyAfter, "historyAfter", maxClockDelay);
    const overrides = { hiddenFor, ends };
    if (this.#pendingFaults.length >= maxFaults)
      throw new ControlError(`There are already ${maxFaults} pending faults. Remove some first.`);
    const remainingUses = times === "always" ? Number.POSITIVE_INFINITY : times;
    this.#options.beforeAdd();
    const pendingFault = {
      number: this.#nextNumber,
      fault,
      delay,
      effectDelay,
      overrides,
      remainingUses,
      remainingSkips: skip,
      drawCount: 0,
    };
    this.#pendingFaults.push(pendingFault);
    this.#nextNumber += 1;
    return toWaitingFault(pendingFault);
  }

  remove(number: number): void {
    const index = this.#pendingFaults.findIndex((candidate) => candidate.number === number);
    if (index < 0) throw new ControlError(`There is no fault ${number}.`);
    this.#pendingFaults.splice(index, 1);
  }

  clear(): void {
    this.#pendingFaults = [];
    this.#nextNumber = 0;
  }

  /** Counts the found fault as used once. @returns undefined when no pending fault affects the call. */
  takeForCall(operation: PlanOperation, readValues: () => MatchedValues): AppliedFault | undefined {
    const isCandidate = ({ fault }: PendingFault) =>
      fault.deliver === undefined && this.#appliesToOperation(fault, operation);
    const pendingFault = this.#takeFirst(isCandidate, readValues);
    if (pendingFault === undefined) return undefined;
    const { fault, delay, effectDelay, overrides } = pendingFault;
    const { lose, cut: isCut = false, carriedOut = false } = fault;
    const response = this.#responseOf(fault, operation);
    const isCarriedOut = carriedOut || effectDelay > 0 || (response === undefined && lose !== "request");
    const outcome = { response, delay, isLost: lose !== undefined, isCut, isCarriedOut };
    return { ...outcome, effectDelay, overrides };
  }

  takeForEvent(webhook: string, body: string): EventFault | undefined {
    const isCandidate = ({ fault }: PendingFault) =>
      fault.deliver !== undefined && (fault.webhook ?? webhook) === webhook;
    const readEvent = () => {
      const value: unknown = JSON.parse(body);
      return { fields: Object.entries(value ?? {}), body: value };
    };
    const pendingFault = this.#takeFirst(isCandidate, readEvent);
    if (pendingFault?.fault.deliver === undefined) return undefined;
    return { deliver: pendingFault.fault.deliver, delay: pendingFault.delay, webhook: pendingFault.fault.webhook };
  }

  #takeFirst(
    isCandidate: (pendingFault: PendingFault) => boolean,
    readValues: () => MatchedValues,
  ): PendingFault | undefined {
    const pendingFault = this.#pendingFaults.find(
      (pendingFault) => isCandidate(pendingFault) && this.#tryMatch(pendingFault, readValues),
    );
    if (pendingFault === undefined) return undefined;
    pendingFault.remainingUses -= 1;
    if (pendingFault.remainingUses === 0) this.#pendingFaults.splice(this.#pendingFaults.indexOf(pendingFault), 1);
    return pendingFault;
  }

  #assertWebhook({ webhook }: Fault): void {
    const names = this.#plan.webhooks.map(({ name }) => name);
    if (webhook === undefined || names.includes(webhook)) return;
    const possibleText = `Possible are ${names.sort().join(", ")}.`;
    throw new ControlError(
      `There is no webhook ${JSON.stringify(webhook)}.${didYouMean(webhook, names)} ${possibleText}`,
    );
  }

  #assertOperation({ operation: operationId, code, status }: Fault): void {
    const affectedOperations = this.#operations.filter(
      (candidate) => operationId === undefined || candidate.operationId === operationId,
    );
    if (affectedOperations.length === 0) throw unknownOperationError(operationId, this.#operations);
    if (code !== undefined && status !== undefined && !this.#isUnlisted(code)) {
      const problem =
        "code and status can be combined only for a P-code that the contract does not list, such as P999.";
      throw new ControlError(problem);
    }
    if (
      code === undefined ||
      status !== undefined ||
      affectedOperations.some((affectedOperation) => this.#canReturn(affectedOperation, code))
    )
      return;
    const possibleCodes = Object.keys(this.#plan.codes)
      .filter((candidate) => affectedOperations.some((operation) => this.#canReturn(operation, candidate)))
      .sort();
    const problem = operationId === undefined ? "No operation can have" : `${operationId} cannot have`;
    throw new ControlError(`${problem} the code ${JSON.stringify(code)}. Possible are ${possibleCodes.join(", ")}.`);
  }

  #isUnlisted(code: string): boolean {
    return /^P\d{3}$/.test(code) && !Object.hasOwn(this.#plan.codes, code);
  }

  /** A P-code is possible if it is documented, or if the documented list for its status is incomplete. */
  #canReturn(operation: PlanOperation, code: string): boolean {
    return isDocumented(operation, code) || operation.openStatuses.includes(this.#plan.codes[code]?.status ?? 0);
  }

  #appliesToOperation({ operation: operationId, code, status }: Fault, operation: PlanOperation): boolean {
    if (operationId !== undefined && operation.operationId !== operationId) return false;
    if (code === undefined || status !== undefined || isDocumented(operation, code)) return true;
    const isDocumentedElsewhere =
      operationId === undefined && this.#operations.some((candidate) => isDocumented(candidate, code));
    return !isDocumentedElsewhere && this.#canReturn(operation, code);
  }

  #tryMatch(pendingFault: PendingFault, readValues: () => MatchedValues): boolean {
    const { user, body, rate } = pendingFault.fault;
    if (user !== undefined && !this.#appliesToUser(user, readValues())) return false;
    if (body !== undefined && differenceOf(body, readValues().body) !== undefined) return false;
    if (pendingFault.remainingSkips > 0) {
      pendingFault.remainingSkips -= 1;
      return false;
    }
    if (rate === undefined) return true;
    pendingFault.drawCount += 1;
    const digest = hash(
      "sha256",
      `${this.#options.seed} fault ${pendingFault.number} ${pendingFault.drawCount}`,
      "buffer",
    );
    return digest.readUInt32BE() / 2 ** 32 < rate;
  }

  #appliesToUser(user: string, { fields }: MatchedValues): boolean {
    const ids = fields.flatMap(([name, value]) => (typeof value === "string" && /Id$/.test(name) ? value : []));
    return ids.some((id) => id === user || this.#options.ownersOf(id).includes(user));
  }

  #responseOf({ code, status, json }: Fault, { responses }: PlanOperation): PlanResponse | undefined {
    if (status !== undefined && (json || code !== undefined)) return this.#jsonResponse(status, code);
    if (code !== undefined)
      return responses.find((response) => response.code === code) ?? this.#cataloguedResponse(code);
    if (status === undefined) return undefined;
    const documentedResponse = responses.find((response) => response.status === status);
    return (
      documentedResponse ?? makeResponse(status, "text/plain; charset=utf-8", `A fault set the status ${status}.\n`)
    );
  }

  /** With a P-code, a response in the error format of the service; without a P-code, a JSON response like that of a gateway. */
  #jsonResponse(status: number, code: string | undefined): PlanResponse {
    const message = `A fault set the status ${status}.`;
    const [anyCode] = Object.values(this.#plan.codes);
    const body = code === undefined ? { message } : { ...anyCode?.example, errorCode: code, errorMessage: message };
    return { ...makeResponse(status, "application/json", JSON.stringify(body)), code };
  }

  #cataloguedResponse(code: string): PlanResponse | undefined {
    const catalogueEntry = this.#plan.codes[code];
    return (
      catalogueEntry && {
        ...makeResponse(catalogueEntry.status, "application/json", JSON.stringify(catalogueEntry.example)),
        code,
      }
    );
  }
}

function readLimitedDuration(
  value: string | number | undefined,
  name: string,
  [maxMs, maxText]: MaxDuration,
): number | undefined {
  if (value === undefined) return undefined;
  const milliseconds = readDuration(value, name);
  if (milliseconds > maxMs) throw new ControlError(`${name} must be ${maxText} or less.`);
  return milliseconds;
}

function toWaitingFault({
  number,
  fault: { skip: _, ...fault },
  remainingSkips,
  remainingUses,
}: PendingFault): WaitingFault {
  const remainingText = remainingUses === Number.POSITIVE_INFINITY ? "always" : remainingUses;
  return { ...fault, ...(remainingSkips > 0 && { skip: remainingSkips }), number, left: remainingText };
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
    (fault) => fault.lose !== undefined && setsResponse(fault),
    "lose cannot be combined with code or status, because the client gets no response. For an error response to a call that takes effect, use carriedOut instead of lose.",
  ],
  [
    ({ lose, cut }) => lose !== undefined && cut === true,
    "lose cannot be combined with cut: with lose, the client gets no part of the response.",
  ],
  [
    (fault) => fault.carriedOut === true && !setsResponse(fault),
    'carriedOut needs a code or a status. Without them, a call takes effect anyway, except with lose: "request".',
  ],
  [
    (fault) => fault.effectAfter !== undefined && fault.lose !== "response" && !setsResponse(fault),
    'effectAfter needs lose: "response", a code or a status. Without them, the response would need the effect of the call.',
  ],
  [
    (fault) => (fault.historyAfter ?? fault.ends) !== undefined && !allowsEffect(fault),
    'historyAfter and ends need a call that takes effect: with a code or a status, add carriedOut or effectAfter; lose: "request" is not possible.',
  ],
  [
    (fault) =>
      fault.deliver === undefined &&
      [fault.delay, fault.lose, fault.cut, fault.historyAfter, fault.ends].every((part) => part === undefined) &&
      !setsResponse(fault),
    "A fault of calls needs at least one of code, status, delay, lose, cut, historyAfter and ends.",
  ],
];

function allowsEffect(fault: Fault): boolean {
  if (setsResponse(fault)) return fault.carriedOut === true || fault.effectAfter !== undefined;
  return fault.lose !== "request";
}

function setsResponse({ code, status }: Fault): boolean {
  return code !== undefined || status !== undefined;
}

export function unknownOperationError(
  operationId: string | undefined,
  operations: readonly PlanOperation[],
): ControlError {
  const operationIds = operations.map((operation) => operation.operationId).sort();
  return new ControlError(
    `There is no operation ${JSON.stringify(operationId)}.${didYouMean(operationId ?? "", operationIds)} Possible are ${operationIds.join(", ")}.`,
  );
}

function isDocumented({ responses }: PlanOperation, code: string): boolean {
  return responses.some((response) => response.code === code);
}

function makeResponse(status: number, mediaType: string, body: string): PlanResponse {
  return { status, mediaType, body, headers: { "content-type": mediaType }, example: undefined, code: undefined };
}
