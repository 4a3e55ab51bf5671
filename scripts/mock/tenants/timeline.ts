/**
 * When the clock is moved, jobs and delivery attempts run in the order of their due times. While it runs by itself, jobs do not wait for
 * deliveries.
 */

import type { MockWorld } from "../behaviours/behaviour.ts";
import { ControlError } from "../checks/error.ts";
import { earliestTime, latestTime } from "../checks/time.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Deliveries } from "../webhooks/deliveries.ts";

/** The longest delay of a Node.js timer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

export interface TimelineOptions {
  readonly world: MockWorld;
  readonly deliveries: Deliveries;
  /** Called with the error of a job that no caller waits for. */
  readonly onFailure: (error: unknown) => void;
}

export class Timeline {
  readonly #options: TimelineOptions;
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;
  /** When the work for which the timer is set is due, by the machine's clock; infinite if no timer is set. */
  #timerAt = Number.POSITIVE_INFINITY;
  /** Resolves when all queued work is done, and never rejects. */
  #queueTail: Promise<void> = Promise.resolve();
  #isClosed = false;
  #isDelivering = false;

  constructor(options: TimelineOptions) {
    this.#options = options;
    this.#clock = options.world.clock;
  }

  get #nextDue(): number {
    return Math.min(this.#options.world.jobs.nextDue, this.#nextDeliveryDue);
  }

  get #nextDeliveryDue(): number {
    return this.#options.deliveries.nextDue ?? Number.POSITIVE_INFINITY;
  }

  /** Runs all jobs and deliveries due by the new time, and awaits each delivery. @param duration milliseconds. */
  advance(duration: number): Promise<void> {
    return this.#enqueue(() => this.#runUntil(this.#clock.now + duration));
  }

  set(time: number): Promise<void> {
    return this.#enqueue(() => this.#runUntil(time));
  }

  freeze(time?: number): Promise<void> {
    return this.#enqueue(async () => {
      this.#clock.freeze();
      if (time !== undefined) return this.#runUntil(time);
    });
  }

  run(): Promise<void> {
    return this.#enqueue(async () => this.#clock.run());
  }

  /** Resolves when no job or delivery is due now, and every started delivery has ended. */
  settle(): Promise<void> {
    return this.#enqueue(() => this.#runDue());
  }

  /** Must be called after every change that can make a job or a delivery due. Jobs do not wait for deliveries. */
  wake(): void {
    if (this.#isClosed) return;
    const { world, deliveries, onFailure } = this.#options;
    try {
      world.runJobs(this.#clock.now);
    } catch (error) {
      onFailure(error);
    }
    deliveries.collect(world.outbox);
    this.#deliver();
    this.#schedule();
  }

  /** Work in progress starts no more jobs or deliveries; the caller must end the deliveries that have started. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const completion = this.#queueTail.then(work);
    this.#queueTail = completion.catch(() => {}).then(() => this.#schedule());
    return completion;
  }

  /** Runs all work that becomes due. While a job or a delivery runs, the clock stands at its due time. */
  async #runUntil(time: number): Promise<void> {
    if (!(time >= earliestTime && time <= latestTime)) {
      throw new ControlError("The clock must be between the years 1970 and 9999.");
    }
    const clock = this.#clock;
    const isTemporary = !clock.isFrozen;
    clock.freeze(clock.now, isTemporary);
    try {
      await this.#runDue();
      for (let due = this.#nextDue; due <= time && !this.#isClosed; due = this.#nextDue) {
        clock.freeze(Math.max(due, clock.now), isTemporary);
        await this.#runDue();
      }
      clock.freeze(time, isTemporary);
    } finally {
      if (isTemporary) clock.run();
    }
  }

  /** A job runs before a delivery with the same due time. */
  async #runDue(): Promise<void> {
    const { world, deliveries } = this.#options;
    const clock = this.#clock;
    while (!this.#isClosed) {
      const { now } = clock;
      deliveries.collect(world.outbox);
      const jobDue = world.jobs.nextDue;
      const deliveryDue = this.#nextDeliveryDue;
      if (Math.min(jobDue, deliveryDue) > now) {
        // Waits for the deliveries that `wake` has started, because their results can make other work due.
        await deliveries.deliverDue(now);
        if (this.#nextDue > clock.now) return;
      } else if (jobDue <= deliveryDue) world.runJobs(jobDue);
      else await deliveries.deliverDue(deliveryDue);
    }
  }

  #deliver(): void {
    const { deliveries } = this.#options;
    if (this.#isDelivering || this.#nextDeliveryDue > this.#clock.now) return;
    this.#isDelivering = true;
    void deliveries.deliverDue(this.#clock.now).then(() => {
      this.#isDelivering = false;
      this.wake();
    });
  }

  #schedule(): void {
    const clock = this.#clock;
    const due = this.#isDelivering ? this.#options.world.jobs.nextDue : this.#nextDue;
    const fireAt = this.#isClosed || clock.isFrozen ? Number.POSITIVE_INFINITY : due - clock.state.offset;
    if (fireAt === this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = fireAt;
    if (fireAt === Number.POSITIVE_INFINITY) return;
    const delay = Math.min(Math.max(due - clock.now, 0), maxTimerMs);
    const fire = () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.wake();
    };
    this.#timer = setTimeout(fire, delay).unref();
  }
}
