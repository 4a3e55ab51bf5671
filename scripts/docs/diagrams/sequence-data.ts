/** What a picture of a journey shows: calls with their answers, what happens outside, and the webhooks that follow. */
import {
  type Contract,
  type Effect,
  type Operation,
  type Resource,
  type State,
  stateOf,
  type Webhook,
} from "../../contract/index.ts";
import { expectedOf, type Journey, operationOfStep, type Step } from "../site/journeys.ts";

/** A part of the picture, from top to bottom. The number is that of the step. */
export type SequencePart =
  | { kind: "call"; number: number; name: string; words: string; status: string; code: string }
  | { kind: "outside"; number: number; words: string }
  | { kind: "webhook"; number: number; name: string; words: string };

/** A resource that a journey has made, and the values that one of its states can have. */
interface Kept {
  resource: Resource;
  state: State;
  values: readonly string[];
}

/** What becomes of an accepted call when time goes by. */
interface Expected extends Kept {
  operation: Operation;
}

/**
 * The parts of a journey. The webhooks are those that the contract lets follow: `x-effects` and `x-triggers` of an operation
 * that succeeds, what happens outside, and the values after which a webhook is sent. One stands for any number of deliveries.
 */
export function sequenceOf({ steps }: Journey, contract: Contract): SequencePart[] {
  const course = new Course(contract);
  return steps.flatMap((step, index) => {
    const number = index + 1;
    const { source, operationId } = operationOfStep(step);
    if (source === "mock") {
      const webhooks = webhookParts(course.afterOutside(step, operationId), number);
      return [{ kind: "outside", number, words: step.description }, ...webhooks];
    }
    const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
    const expected = expectedOf(step);
    const isAccepted = /^2\d\d$/.test(expected.status);
    const webhooks = isAccepted && operation !== undefined ? course.afterCall(operation) : [];
    const call: SequencePart = {
      kind: "call",
      number,
      name: operationId,
      words: operation?.summary ?? operationId,
      ...expected,
    };
    return [call, ...webhookParts(webhooks, number)];
  });
}

function webhookParts(webhooks: readonly Webhook[], number: number): SequencePart[] {
  return [...new Set(webhooks)].map(({ name, summary }) => ({ kind: "webhook", number, name, words: summary }));
}

/** What the service keeps while a journey goes on, as far as the contract tells. */
class Course {
  readonly #contract: Contract;
  readonly #kept: Kept[] = [];
  #expected: Expected[] = [];
  /** Triggers of accepted calls of which nothing says after which effect they are sent. */
  #unplaced: Webhook[] = [];

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  afterCall(operation: Operation): Webhook[] {
    const now: Webhook[] = [];
    const later: Webhook[] = [];
    for (const effect of operation.effects) {
      for (const kept of this.#keptBy(effect)) {
        const webhooks = this.#triggeredBy(operation, kept);
        if (effect.later) {
          this.#expected.push({ ...kept, operation });
          later.push(...webhooks);
        } else {
          this.#keep(kept, effect.kind === "creates");
          now.push(...webhooks);
        }
      }
    }
    const placed = new Set([...now, ...later].map(({ name }) => name));
    this.#unplaced.push(...this.#triggersOf(operation).filter(({ name }) => !placed.has(name)));
    return now;
  }

  /** @param action the operation of the mock's control interface. */
  afterOutside(step: Step, action: string): Webhook[] {
    const payload = payloadOf(step);
    if (action === "setClock" && payload.advance !== undefined) return this.#afterTime();
    const resource = this.#contract.resources.find(({ name }) => name === payload.resource);
    if (action !== "letHappen" || resource === undefined) return [];
    const happening = resource.outside.find(({ name }) => name === payload.happening);
    const state = stateOf(resource, happening?.state);
    if (state === undefined) return [];
    const told = statusIn(step) ?? payload.status;
    const values = told === undefined ? (happening?.to ?? []) : [told];
    const kept: Kept = { resource, state, values: values.length === 0 ? (state.moves?.initial ?? []) : values };
    this.#keep(kept, happening?.creates !== undefined);
    return this.#tellingOf(kept);
  }

  #afterTime(): Webhook[] {
    const [expected, unplaced] = [this.#expected, this.#unplaced];
    [this.#expected, this.#unplaced] = [[], []];
    const moved = this.#kept.flatMap((kept) => {
      const isExpected = expected.some(({ resource, state }) => resource === kept.resource && state === kept.state);
      const values = isExpected ? [] : valuesInTime(kept);
      if (values.length === 0) return [];
      kept.values = values;
      return this.#tellingOf(kept);
    });
    const effects = expected.flatMap((effect) => {
      this.#keep(effect, false);
      return this.#triggeredBy(effect.operation, effect);
    });
    return [...moved, ...effects, ...unplaced];
  }

  #keptBy({ resource: name, state, kind, to }: Effect): Kept[] {
    const resource = this.#contract.resources.find((candidate) => candidate.name === name);
    if (resource === undefined) return [];
    const one = stateOf(resource, state);
    const states =
      one === undefined && kind === "creates" ? resource.states : [one].filter((found) => found !== undefined);
    return states.map((found) => ({
      resource,
      state: found,
      values: to.length === 0 ? (found.moves?.initial ?? []) : to,
    }));
  }

  /** One that moves is the last that was made. A new one of an owner who has one on its way is still the same. */
  #keep({ resource, state, values }: Kept, isCreated: boolean): void {
    const last = this.#kept.findLast((kept) => kept.resource === resource && kept.state === state);
    if (last === undefined || (isCreated && !(resource.repeats && isOnItsWay(last)))) {
      this.#kept.push({ resource, state, values });
    } else {
      last.values = values;
    }
  }

  #triggersOf({ triggers }: Operation): Webhook[] {
    return triggers.flatMap(({ webhook }) => this.#contract.webhooks.filter(({ name }) => name === webhook));
  }

  #triggeredBy(operation: Operation, kept: Kept): Webhook[] {
    return this.#triggersOf(operation).filter((webhook) => tells(webhook, kept));
  }

  /** What is sent after something outside. Events of a resource with occasions that change nothing tell of those. */
  #tellingOf(kept: Kept): Webhook[] {
    const hasOccasions = kept.resource.outside.some(
      ({ creates, moves }) => creates === undefined && moves === undefined,
    );
    return hasOccasions ? [] : this.#contract.webhooks.filter((webhook) => tells(webhook, kept));
  }
}

function tells({ event }: Webhook, { resource, state, values }: Kept): boolean {
  if (event === undefined || event.resource !== resource.name) return false;
  return stateOf(resource, event.state) === state && event.after.some((value) => values.includes(value));
}

function isOnItsWay({ state, values }: Kept): boolean {
  return values.some((value) => state.moves?.transitions[value] !== undefined);
}

/** The values that something outside leads to next; none where nothing does. */
function valuesInTime({ resource, state, values }: Kept): string[] {
  const moved = resource.outside.filter(
    ({ moves, state: name }) => moves === resource.name && stateOf(resource, name) === state,
  );
  const next = new Set(values.flatMap((value) => state.moves?.transitions[value] ?? []));
  return [...new Set(moved.flatMap(({ to }) => to))].filter((value) => next.has(value));
}

interface Payload {
  advance?: string;
  resource?: string;
  happening?: string;
  status?: string;
}

function payloadOf(step: Step): Payload {
  const payload = step.requestBody?.payload;
  return typeof payload === "object" && payload !== null ? payload : {};
}

/** The status that the step expects of what has happened. */
function statusIn({ successCriteria }: Step): string | undefined {
  const conditions = successCriteria.map(({ condition }) => condition).join("\n");
  return /#\/states\/status == "(\w+)"/.exec(conditions)?.[1];
}

/** The picture in words. */
export function sequenceInWords(parts: readonly SequencePart[]): string {
  return parts.map(partInWords).join(" ");
}

function partInWords(part: SequencePart): string {
  if (part.kind === "webhook") return `The service sends the webhook ${part.words}.`;
  if (part.kind === "outside") return `${part.number}. Outside: ${part.words}`;
  const answer = [part.status, part.code].filter((word) => word !== "").join(" ");
  return `${part.number}. Your server calls ${part.words}; the service answers ${answer || "it"}.`;
}
