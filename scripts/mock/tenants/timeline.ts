/** The time of one world, and what happens in it by itself: jobs, and attempts to deliver events, in order of time. */

import type { MockWorld } from "../behaviours/behaviour.ts";
import { ControlError } from "../checks/error.ts";
import { earliest, latest } from "../checks/time.ts";
import { UnitRefused } from "../kernel/changes.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Deliveries } from "../webhooks/deliveries.ts";

/** The longest time for which Node.js can set a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

export interface TimelineOptions {
  readonly world: MockWorld;
  readonly deliveries: Deliveries;
  /** Called with the error of a job that nobody waits for. */
  readonly onFailure: (error: unknown) => void;
}

/** After how long a job is tried again that could not be kept, in milliseconds of the machine. */
const retryMs = 1000;

export class Timeline {
  readonly #options: TimelineOptions;
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;
  /** What the timer is set for, in the time of the machine; infinite where none runs. */
  #timerAt = Number.POSITIVE_INFINITY;
  /** What runs or waits to run. It never rejects. */
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Whether deliveries that nobody waits for are under way. */
  #isDelivering = false;

  constructor(options: TimelineOptions) {
    this.#options = options;
    this.#clock = options.world.clock;
  }

  /** When the next job or delivery is due, in milliseconds since 1970; infinite when there is none. */
  get #nextDue(): number {
    return Math.min(this.#options.world.jobs.nextDue, this.#nextDelivery);
  }

  get #nextDelivery(): number {
    return this.#options.deliveries.nextDue ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Lets time pass. What is due meanwhile happens in order of time, and each delivery is answered before the next one; then
   * the clock stands at, or runs on from, the end.
   *
   * @param length milliseconds.
   * @throws what a job throws: the mock has a mistake then.
   */
  advance(length: number): Promise<void> {
    return this.#enqueue(() => this.#runUntil(this.#clock.now + length));
  }

  /** Sets the time, in milliseconds since 1970. What is due until then happens; nothing happens when it lies in the past. */
  set(time: number): Promise<void> {
    return this.#enqueue(() => this.#runUntil(time));
  }

  /** Lets the clock stand still, at a time ({@link set}) or now. */
  freeze(time?: number): Promise<void> {
    return this.#enqueue(async () => {
      this.#clock.freeze();
      if (time !== undefined) return this.#runUntil(time);
    });
  }

  /** Lets the clock run on from where it stands. */
  run(): Promise<void> {
    return this.#enqueue(async () => this.#clock.run());
  }

  /** Resolves when nothing is due at the present time, and every delivery that was begun is answered. */
  settle(): Promise<void> {
    return this.#enqueue(() => this.#runDue());
  }

  /**
   * Has to be called when something may have become due: begins what is due now, and sets a timer for what comes next. No job
   * waits for the response to a delivery, which can take long.
   */
  wake(): void {
    if (this.#isClosed) return;
    const { world, deliveries, onFailure } = this.#options;
    let delay = 0;
    try {
      world.runJobs(this.#clock.now);
    } catch (error) {
      if (error instanceof UnitRefused) delay = retryMs;
      else onFailure(error);
    }
    deliveries.collect(world.outbox);
    this.#deliver();
    this.#schedule(delay);
  }

  /** Nothing happens by itself any more, and what runs ends as soon as nothing of it waits for a receiver. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Runs some work after everything that was begun before. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#running.then(work).finally(() => this.#options.world.changes.tellOrUndo());
    this.#running = done.catch(() => {}).then(() => this.#schedule());
    return done;
  }

  /** The clock stands still meanwhile, at the time of each thing that happens. */
  async #runUntil(time: number): Promise<void> {
    if (!(time >= earliest && time <= latest)) {
      throw new ControlError("The clock can stand between the years 1970 and 9999 only.");
    }
    const clock = this.#clock;
    const runsOn = !clock.isFrozen;
    clock.freeze(clock.now, runsOn);
    try {
      await this.#runDue();
      for (let due = this.#nextDue; due <= time && !this.#isClosed; due = this.#nextDue) {
        clock.freeze(Math.max(due, clock.now), runsOn);
        await this.#runDue();
      }
      clock.freeze(time, runsOn);
    } finally {
      if (runsOn) clock.run();
    }
  }

  /** Whatever is due at the present time, in order; of the same time, jobs come before deliveries. */
  async #runDue(): Promise<void> {
    const { world, deliveries } = this.#options;
    const clock = this.#clock;
    while (!this.#isClosed) {
      const { now } = clock;
      deliveries.collect(world.outbox);
      const job = world.jobs.nextDue;
      const delivery = this.#nextDelivery;
      if (Math.min(job, delivery) > now) {
        // What was begun by itself is answered as well, and more may be due then.
        await deliveries.deliverDue(now);
        if (this.#nextDue > clock.now) return;
      } else if (job <= delivery) world.runJobs(job);
      else await deliveries.deliverDue(delivery);
    }
  }

  #deliver(): void {
    const { deliveries } = this.#options;
    if (this.#isDelivering || this.#nextDelivery > this.#clock.now) return;
    this.#isDelivering = true;
    void deliveries.deliverDue(this.#clock.now).then(() => {
      this.#isDelivering = false;
      this.wake();
    });
  }

  /** @param delay milliseconds that it waits at least. */
  #schedule(delay = 0): void {
    const clock = this.#clock;
    const due = this.#isDelivering ? this.#options.world.jobs.nextDue : this.#nextDue;
    const at = this.#isClosed || clock.isFrozen ? Number.POSITIVE_INFINITY : due - clock.state.offset;
    if (at === this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    if (at === Number.POSITIVE_INFINITY) return;
    const length = Math.min(Math.max(due - clock.now, delay), longestTimer);
    const fire = () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.wake();
    };
    this.#timer = setTimeout(fire, length).unref();
  }
}
