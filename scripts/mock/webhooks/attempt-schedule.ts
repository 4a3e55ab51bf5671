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

/** @returns undefined when no attempt is made. */
export type StartAttempt = (record: OpenDelivery, due: number) => StartedAttempt | undefined;

/** How long an attempt waits for the response to the previous attempt, in milliseconds of real time. */
const maxWaitForPreviousMs = 100;

interface PendingAttempt extends ScheduledItem {
  readonly record: OpenDelivery;
}

interface Caller {
  readonly time: number;
  resolve(): void;
}

export class AttemptSchedule {
  readonly #startAttempt: StartAttempt;
  #pendingAttempts = new Queue<PendingAttempt>();
  #inProgress = new Map<OpenDelivery, { due: number; nextDue: number }>();
  /** The delivery for whose response the next attempt waits up to {@link maxWaitForPreviousMs}; undefined if there is none. */
  #awaitedDelivery: OpenDelivery | undefined;
  #callers: Caller[] = [];

  constructor(startAttempt: StartAttempt) {
    this.#startAttempt = startAttempt;
  }

  get nextDue(): number | undefined {
    return this.#pendingAttempts.head?.due;
  }

  get inProgress(): readonly OpenDelivery[] {
    return [...this.#inProgress.keys()];
  }

  /** @param order the order among attempts with the same due time; the lowest comes first. */
  set(record: OpenDelivery, due: number, order: number = record.number): void {
    this.remove(record);
    this.#pendingAttempts.add({ number: order, due, record });
  }

  remove(record: OpenDelivery): void {
    for (const order of [record.number, orderAmongReversed(record)]) this.#pendingAttempts.remove(order);
  }

  /** Makes all attempts that are due by `time`, in order. Resolves when each attempt has ended, or {@link reset} has removed it. */
  runUntil(time: number): Promise<void> {
    return new Promise((resolve) => {
      this.#callers.push({ time, resolve });
      this.#proceed();
    });
  }

  reset(): void {
    this.#pendingAttempts = new Queue();
    this.#inProgress = new Map();
    this.#awaitedDelivery = undefined;
    for (const { resolve } of this.#callers.splice(0)) resolve();
  }

  #proceed(): void {
    for (let attempt = this.#nextToStart(); attempt !== undefined; attempt = this.#nextToStart()) this.#start(attempt);
    const earliestDue = Math.min(this.nextDue ?? Infinity, ...[...this.#inProgress.values()].map(({ due }) => due));
    const isWaiting = ({ time }: Caller) => earliestDue <= time;
    const finishedCallers = this.#callers.filter((caller) => !isWaiting(caller));
    this.#callers = this.#callers.filter(isWaiting);
    for (const { resolve } of finishedCallers) resolve();
  }

  #nextToStart(): PendingAttempt | undefined {
    const { head: firstAttempt } = this.#pendingAttempts;
    if (
      firstAttempt === undefined ||
      this.#awaitedDelivery !== undefined ||
      this.#inProgress.size >= maxConcurrentDeliveries
    )
      return undefined;
    const time = Math.max(-Infinity, ...this.#callers.map((caller) => caller.time));
    // An attempt waits for a running delivery whose next attempt could be due earlier, so that attempts start in order of their due times.
    const latestDue = Math.min(time, ...[...this.#inProgress.values()].map(({ nextDue }) => nextDue));
    return firstAttempt.due <= latestDue ? firstAttempt : undefined;
  }

  #start({ record, due }: PendingAttempt): void {
    this.remove(record);
    const startedAttempt = this.#startAttempt(record, due);
    if (startedAttempt === undefined) return;
    const inProgress = this.#inProgress;
    inProgress.set(record, { due, nextDue: startedAttempt.nextDue });
    this.#awaitedDelivery = record;
    const release = () => {
      clearTimeout(timer);
      if (this.#awaitedDelivery === record) this.#awaitedDelivery = undefined;
    };
    const timer = setTimeout(() => {
      release();
      this.#proceed();
    }, maxWaitForPreviousMs);
    void startedAttempt.outcome.then((outcome) => {
      clearTimeout(timer);
      // After a reset, the outcome is ignored: the reset has replaced the map.
      if (this.#inProgress !== inProgress) return;
      release();
      inProgress.delete(record);
      startedAttempt.finish(outcome);
      this.#proceed();
    });
  }
}
