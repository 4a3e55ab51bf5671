/**
 * Delivers the events of a tenant to the partner's server, with retries. The mock's clock schedules the attempts; timeouts are in real
 * time.
 */

import { ControlError } from "../checks/error.ts";
import type { Clock } from "../kernel/clock.ts";
import { maxEvents as maxRemembered, type Outbox } from "../kernel/outbox.ts";
import { Queue, type Waiting } from "../kernel/queue.ts";
import type { Assumptions } from "../plan/assumptions.ts";
import type { Delivery } from "../plan/control.ts";
import type { DeliveryRecord, Event } from "../plan/data.ts";
import type { Plan } from "../plan/plan.ts";
import {
  acknowledgedStatus,
  attempt,
  maxConcurrentDeliveries,
  type Outcome,
  responseTimeoutMs,
  type Send,
} from "./send.ts";
import { checkTarget, type Target } from "./target.ts";

export interface DeliveriesOptions {
  readonly plan: Pick<Plan, "webhooks" | "delivery">;
  /** The assumptions about webhooks; those of the contract when left out. */
  readonly rules?: (() => Assumptions["webhooks"]) | undefined;
  readonly clock: Clock;
  readonly target?: Target | undefined;
  readonly timeoutMs?: number | undefined;
  readonly send?: Send | undefined;
  readonly fateOf?: ((event: Event) => EventFault | undefined) | undefined;
  readonly onDelivery?: ((delivery: OpenDelivery) => void) | undefined;
}

export interface EventFault {
  readonly deliver: "never" | "twice" | "late" | "reversed";
  /** The delay of a late event, or the longest time for which a reversed event waits; in milliseconds of the world's time. */
  readonly delay: number;
  /** The webhook of the next event that a reversed event waits for; undefined for any webhook. */
  readonly webhook: string | undefined;
}

/** The real time for which an attempt waits for the response to the previous attempt. Then both run in parallel. */
const patienceMs = 100;

const fresh = { attempts: [], state: "pending", tries: 0 } as const;

interface Pending extends Waiting {
  readonly record: OpenDelivery;
}

interface Caller {
  readonly until: number;
  resolve(): void;
}

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #clock: Clock;
  #target: Target | undefined;
  #outbox: Outbox | undefined;
  #records: OpenDelivery[] = [];
  #waiting = new Queue<Pending>();
  /** Deliveries that a `reversed` fault delays until the next event, by the webhook of the next event ("" for any webhook). */
  #held = new Map<string, OpenDelivery[]>();
  #underWay = new Map<OpenDelivery, { due: number; next: number }>();
  /** The last started delivery, while the next attempt still waits for its response ({@link patienceMs}). */
  #heldBy: OpenDelivery | undefined;
  #callers: Caller[] = [];
  #stop = new AbortController();

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.target = options.target;
  }

  get target(): Target | undefined {
    return this.#target;
  }

  set target(target: Target | undefined) {
    if (target !== undefined) checkTarget(target, this.#options.plan);
    this.#target = target;
  }

  get list(): readonly Delivery[] {
    return this.#records.slice(-maxRemembered).map(snapshotOf);
  }

  get nextDue(): number | undefined {
    return this.#waiting.first?.due;
  }

  get underWay(): readonly Delivery[] {
    return [...this.#underWay.keys()].map(snapshotOf);
  }

  resume(outbox: Outbox): void {
    this.reset();
    this.#outbox = outbox;
    for (const { isUndelivered, ...event } of outbox.take()) {
      const begun = isUndelivered ? { ...fresh, state: "undelivered" as const } : fresh;
      const kept: DeliveryRecord = outbox.deliveryOf(event.number) ?? { ...begun, number: event.number };
      const { attempts, state, tries, due: first = event.at, repeats = 0 } = kept;
      const record: OpenDelivery = { ...event, path: this.#pathOf(event.webhook), attempts, state, tries, repeats };
      this.#records.push(record);
      const last = attempts.at(-1);
      const due = last === undefined ? first : last.at + (this.#delayAfter(tries) ?? 0);
      if (state === "pending") this.#await(record, due);
      else if (state === "delivered" && repeats > 0 && last !== undefined) this.#await(record, last.at);
    }
    this.#records = this.#records.slice(-maxRemembered);
  }

  collect(outbox: Outbox): void {
    this.#outbox = outbox;
    for (const { isUndelivered, ...event } of outbox.take()) {
      const record: OpenDelivery = { ...event, path: this.#pathOf(event.webhook), ...fresh };
      this.#records.push(record);
      if (isUndelivered || this.#target === undefined) record.state = "undelivered";
      else this.#begin(record, this.#options.fateOf?.(event));
    }
    // Shortens the list only at twice the limit, because removing the first items moves all others.
    if (this.#records.length >= 2 * maxRemembered) this.#records = this.#records.slice(-maxRemembered);
  }

  /** Makes all attempts due until a time, in order. Resolves when each attempt has ended, or was removed by {@link reset}. */
  deliverDue(until: number): Promise<void> {
    return new Promise((resolve) => {
      this.#callers.push({ until, resolve });
      this.#proceed();
    });
  }

  /**
   * Delivers an event again now, in any state. Scheduled attempts remain, unless the receiver acknowledges the event.
   *
   * @throws {ControlError} when there is no such delivery, or no receiver.
   */
  async redeliver(number: number): Promise<Delivery> {
    const record = this.#records.slice(-maxRemembered).find((one) => one.number === number);
    if (record === undefined) throw new ControlError(`There is no delivery ${number} among the last ${maxRemembered}.`);
    record.path = this.#pathOf(record.webhook);
    if (this.#target === undefined) throw new ControlError(`Delivery ${number} cannot be made: set a target first.`);
    const { now } = this.#clock;
    const stop = this.#stop.signal;
    const outcome = await this.#attempt(record, this.#target);
    if (stop.aborted) return snapshotOf(record);
    this.#append(record, now, outcome);
    if (outcome.status === acknowledgedStatus) this.#drop(record);
    // A failed redelivery does not change the state of a delivered or pending event.
    const otherwise = ["undelivered", "lost"].includes(record.state) ? "failed" : record.state;
    this.#settle(record, outcome.status === acknowledgedStatus ? "delivered" : otherwise);
    return snapshotOf(record);
  }

  reset(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#records = [];
    this.#waiting = new Queue();
    this.#held = new Map();
    this.#underWay = new Map();
    this.#heldBy = undefined;
    for (const { resolve } of this.#callers.splice(0)) resolve();
  }

  #begin(record: OpenDelivery, fate: EventFault | undefined): void {
    const { at, webhook } = record;
    if (fate?.deliver === "never") {
      this.#settle(record, "lost");
      return;
    }
    if (fate?.deliver === "reversed") {
      const group = fate.webhook ?? "";
      const held = [...(this.#held.get(group) ?? []).filter((one) => one.tries === 0), record];
      const due = held[0]?.due ?? at + fate.delay;
      this.#held.set(group, held);
      this.#keep(Object.assign(record, { due }));
      this.#await(record, due, keyAmongReversed(record));
      return;
    }
    const waiting = ["", webhook].flatMap((group) => this.#held.get(group) ?? []).filter((one) => one.tries === 0);
    for (const group of ["", webhook]) this.#held.delete(group);
    for (const one of waiting) this.#await(one, at, keyAmongReversed(one));
    const due = fate?.deliver === "late" ? at + fate.delay : at;
    if (fate !== undefined) this.#keep(Object.assign(record, { due, repeats: fate.deliver === "twice" ? 1 : 0 }));
    this.#await(record, due, waiting.length > 0 ? keyAmongReversed(record) : record.number);
  }

  #proceed(): void {
    for (let next = this.#nextToStart(); next !== undefined; next = this.#nextToStart()) this.#start(next);
    const earliest = Math.min(this.nextDue ?? Infinity, ...[...this.#underWay.values()].map(({ due }) => due));
    const isOpen = ({ until }: Caller) => earliest <= until;
    const done = this.#callers.filter((caller) => !isOpen(caller));
    this.#callers = this.#callers.filter(isOpen);
    for (const { resolve } of done) resolve();
  }

  #nextToStart(): Pending | undefined {
    const { first } = this.#waiting;
    if (first === undefined || this.#heldBy !== undefined || this.#underWay.size >= maxConcurrentDeliveries)
      return undefined;
    const until = Math.max(-Infinity, ...this.#callers.map((caller) => caller.until));
    // Waits for a delivery in progress whose next attempt could be earlier, so that attempts start in order of time.
    const horizon = Math.min(until, ...[...this.#underWay.values()].map(({ next }) => next));
    return first.due <= horizon ? first : undefined;
  }

  #start({ record, due }: Pending): void {
    this.#drop(record);
    record.path = this.#pathOf(record.webhook);
    if (this.#target === undefined) {
      this.#settle(record, "undelivered");
      return;
    }
    record.tries += 1;
    const delay = this.#delayAfter(record.tries);
    this.#underWay.set(record, { due, next: due + (delay ?? Infinity) });
    this.#heldBy = record;
    const release = () => {
      clearTimeout(timer);
      if (this.#heldBy === record) this.#heldBy = undefined;
    };
    const timer = setTimeout(() => {
      release();
      this.#proceed();
    }, patienceMs);
    const stop = this.#stop.signal;
    const before = this.#clock.now;
    void this.#attempt(record, this.#target).then((outcome) => {
      clearTimeout(timer);
      if (stop.aborted) return;
      release();
      // The elapsed time is limited to the timeout, because a test may move the clock during the attempt.
      const { timeoutMs = responseTimeoutMs } = this.#options;
      const elapsed = Math.min(Math.max(0, this.#clock.now - before), timeoutMs);
      this.#finish(record, due, elapsed, outcome);
      this.#proceed();
    });
  }

  #finish(record: OpenDelivery, due: number, elapsed: number, outcome: Outcome): void {
    this.#underWay.delete(record);
    this.#append(record, due, outcome);
    const isDelivered = record.state === "delivered" || outcome.status === acknowledgedStatus;
    const isGivenUp = this.#options.rules?.().giveUpAfter.includes(outcome.status ?? 0) === true;
    const delay = isDelivered || isGivenUp ? undefined : this.#delayAfter(record.tries);
    if (delay !== undefined) this.#await(record, due + elapsed + delay);
    else if (outcome.status === acknowledgedStatus && record.repeats) {
      record.repeats -= 1;
      this.#await(record, due + elapsed);
    }
    this.#settle(record, isDelivered ? "delivered" : delay === undefined ? "failed" : "pending");
  }

  #attempt({ path, body }: OpenDelivery, target: Target): Promise<Outcome> {
    const { send, timeoutMs = responseTimeoutMs } = this.#options;
    const { authentication } = this.#options.rules?.() ?? {};
    return attempt({ target, path, body, authentication }, { stop: this.#stop.signal, send, timeoutMs });
  }

  #append(record: OpenDelivery, at: number, outcome: Outcome): void {
    record.attempts = [...record.attempts, { at, ...outcome }];
  }

  #pathOf(name: string): string {
    const known = this.#options.plan.webhooks.find((webhook) => webhook.name === name);
    return this.#target?.paths?.[name] || this.#options.rules?.().paths[name] || (known?.path ?? "");
  }

  /** @param number the order among attempts of the same time, lower first. */
  #await(record: OpenDelivery, due: number, number: number = record.number): void {
    this.#drop(record);
    this.#waiting.add({ number, due, record });
  }

  #drop(record: OpenDelivery): void {
    for (const number of [record.number, keyAmongReversed(record)]) this.#waiting.remove(number);
  }

  #settle(record: OpenDelivery, state: Delivery["state"]): void {
    record.state = state;
    this.#keep(record);
    this.#options.onDelivery?.({ ...record });
  }

  #keep({ number, attempts, state, tries, due, repeats }: OpenDelivery): void {
    this.#outbox?.settle({ number, attempts, state, tries, ...(due && { due }), ...(repeats && { repeats }) });
  }

  /** Milliseconds from an attempt to the next; undefined after the last attempt. */
  #delayAfter(attempts: number): number | undefined {
    const { attempts: documented, delays } = this.#options.plan.delivery;
    const most = this.#options.rules?.().attempts ?? documented;
    const seconds = delays[attempts - 1] ?? delays.at(-1);
    return attempts >= most || seconds === undefined ? undefined : seconds * 1000;
  }
}

export type OpenDelivery = Mutable<Delivery & Pick<DeliveryRecord, "tries" | "due" | "repeats">>;

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Reversed events are sent newest first, and before other events of the same time. */
function keyAmongReversed({ number }: OpenDelivery): number {
  return -1 - number;
}

/** The copy shares `attempts`, which is always replaced and never modified. */
function snapshotOf({ tries: _tries, due: _due, repeats: _repeats, ...record }: OpenDelivery): Delivery {
  return record;
}
