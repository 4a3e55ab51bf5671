/**
 * Starts delivery attempts in order of their due times. An attempt waits a short time for the response to the previous attempt; after that,
 * both run in parallel.
 */
import { Queue, type ScheduledItem } from "../kernel/queue.ts";
import type { OpenDelivery } from "./open-delivery.ts";
import { orderAmongReversed } from "./reversed-events.ts";
import { maxConcurrentDeliveries, type Outcome } from "./send.ts";

export interface StartedAttempt {
  /** The earliest possible due time of the next attempt of this delivery. */
  readonly nextDue: number;
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
  /** Called with the outcome, unless the schedule was reset. */
  finish(outcome: Outcome): void;
}

/** Starts an attempt. @returns undefined when no attempt is made. */
export type StartAttempt = (record: OpenDelivery, due: number) => StartedAttempt | undefined;

/** How long an attempt waits for the response to the previous attempt, in milliseconds of real time. */
const maxWaitForPreviousMs = 100;

interface PendingAttempt extends ScheduledItem {
  readonly record: OpenDelivery;
}

interface Caller {
  readonly until: number;
  resolve(): void;
}

export class AttemptSchedule {
  readonly #startAttempt: StartAttempt;
  #pending = new Queue<PendingAttempt>();
  #inProgress = new Map<OpenDelivery, { due: number; nextDue: number }>();
  /** The delivery whose response the next attempt waits for; undefined if the next attempt need not wait. */
  #awaitedDelivery: OpenDelivery | undefined;
  #callers: Caller[] = [];

  constructor(start: StartAttempt) {
    this.#startAttempt = start;
  }

  get nextDue(): number | undefined {
    return this.#pending.first?.due;
  }

  get inProgress(): readonly OpenDelivery[] {
    return [...this.#inProgress.keys()];
  }

  /** Sets the next attempt of a delivery. @param order the order among attempts with the same due time; the lowest comes first. */
  set(record: OpenDelivery, due: number, order: number = record.number): void {
    this.remove(record);
    this.#pending.add({ number: order, due, record });
  }

  remove(record: OpenDelivery): void {
    for (const order of [record.number, orderAmongReversed(record)]) this.#pending.remove(order);
  }

  /** Makes all attempts that are due by a time, in order. Resolves when each attempt has ended, or {@link reset} has removed it. */
  runUntil(until: number): Promise<void> {
    return new Promise((resolve) => {
      this.#callers.push({ until, resolve });
      this.#proceed();
    });
  }

  reset(): void {
    this.#pending = new Queue();
    this.#inProgress = new Map();
    this.#awaitedDelivery = undefined;
    for (const { resolve } of this.#callers.splice(0)) resolve();
  }

  #proceed(): void {
    for (let next = this.#nextToStart(); next !== undefined; next = this.#nextToStart()) this.#start(next);
    const earliest = Math.min(this.nextDue ?? Infinity, ...[...this.#inProgress.values()].map(({ due }) => due));
    const isOpen = ({ until }: Caller) => earliest <= until;
    const done = this.#callers.filter((caller) => !isOpen(caller));
    this.#callers = this.#callers.filter(isOpen);
    for (const { resolve } of done) resolve();
  }

  #nextToStart(): PendingAttempt | undefined {
    const { first } = this.#pending;
    if (first === undefined || this.#awaitedDelivery !== undefined || this.#inProgress.size >= maxConcurrentDeliveries)
      return undefined;
    const until = Math.max(-Infinity, ...this.#callers.map((caller) => caller.until));
    // An attempt waits for a running delivery whose next attempt could be due earlier, so that attempts start in order of their due times.
    const horizon = Math.min(until, ...[...this.#inProgress.values()].map(({ nextDue }) => nextDue));
    return first.due <= horizon ? first : undefined;
  }

  #start({ record, due }: PendingAttempt): void {
    this.remove(record);
    const started = this.#startAttempt(record, due);
    if (started === undefined) return;
    const inProgress = this.#inProgress;
    inProgress.set(record, { due, nextDue: started.nextDue });
    this.#awaitedDelivery = record;
    const release = () => {
      clearTimeout(timer);
      if (this.#awaitedDelivery === record) this.#awaitedDelivery = undefined;
    };
    const timer = setTimeout(() => {
      release();
      this.#proceed();
    }, maxWaitForPreviousMs);
    void started.outcome.then((outcome) => {
      clearTimeout(timer);
      // After a reset, the outcome is ignored: the reset has replaced the map.
      if (this.#inProgress !== inProgress) return;
      release();
      inProgress.delete(record);
      started.finish(outcome);
      this.#proceed();
    });
  }
}
