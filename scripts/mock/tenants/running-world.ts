/** A world with what happens in it by itself: jobs, and deliveries of its events. It ends as a whole when another one replaces it. */

import type { Assume, Delivery } from "../../../generated/control/types.ts";
import type { MockWorld } from "../behaviours/behaviour.ts";
import { MockFault } from "../kernel/changes.ts";
import { Clock } from "../kernel/clock.ts";
import type { Event } from "../plan/data.ts";
import type { Plan } from "../plan/plan.ts";
import { Deliveries, type EventFate } from "../webhooks/deliveries.ts";
import type { Target } from "../webhooks/target.ts";
import { makeWorld } from "./act.ts";
import { Timeline } from "./timeline.ts";

export interface RunningWorldOptions {
  readonly plan: Plan;
  /** Everything that looks random follows from it and from the key. */
  readonly seed: string;
  /** The time at which the clock of a new world stands still, in milliseconds since 1970; it runs where it is left out. */
  readonly frozenAt?: number | undefined;
  /** What the world assumes instead of what the plan assumes. */
  readonly assume?: Assume | undefined;
  /** Where events are sent. */
  readonly webhooks?: Target | undefined;
  /** How long a receiver of events may take to respond, in milliseconds of real time. */
  readonly webhookTimeoutMs?: number | undefined;
  /** Prepares a world that is new or was reset. */
  readonly prepare?: ((world: MockWorld) => void) | undefined;
  /** Called with a problem that no caller is told of. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Called after each attempt to deliver an event. */
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined;
}

/** The choice of what happens to an event on its way; undefined for nothing unusual. */
export type FateOf = (event: Event) => EventFate | undefined;

export class RunningWorld {
  readonly world: MockWorld;
  readonly deliveries: Deliveries;
  readonly timeline: Timeline;

  /** An empty world, whose events are not sent before {@link open}. @param hash of the key, in hexadecimal digits. */
  constructor(
    hash: string,
    { plan, seed, assume, onNote, onDelivery, webhookTimeoutMs }: RunningWorldOptions,
    fateOf?: FateOf,
  ) {
    const clock = new Clock();
    const world = makeWorld(plan, { clock, seed: `${seed} ${hash}`, assume });
    world.outbox.isOpen = false;
    const report = (delivery: Delivery) => {
      try {
        onDelivery?.(delivery);
      } catch (error) {
        onNote?.(`onDelivery failed: ${(error as Error).message}`);
      }
    };
    const onFailure = (error: unknown) => onNote?.(`Tenant ${hash.slice(0, 8)}: ${describe(error)}`);
    this.world = world;
    this.deliveries = new Deliveries({ plan, clock, onDelivery: report, timeoutMs: webhookTimeoutMs, fateOf });
    this.timeline = new Timeline({ world, deliveries: this.deliveries, onFailure });
  }

  /** A world as at the start. A scenario that does not fit the contract, while somebody edits it, leaves it empty. */
  static begun(hash: string, options: RunningWorldOptions, fateOf: FateOf): RunningWorld {
    const { frozenAt = null, prepare, onNote } = options;
    const running = new RunningWorld(hash, options, fateOf);
    const { world } = running;
    world.clock.state = { offset: 0, frozenAt };
    try {
      prepare?.(world);
    } catch (error) {
      if (!(error instanceof MockFault)) throw error;
      onNote?.(`The scenario cannot be played, so that nothing is there yet: ${error.message}`);
      return RunningWorld.begun(hash, { ...options, prepare: undefined }, fateOf);
    }
    if (frozenAt !== null) world.clock.freeze(Math.max(frozenAt, world.clock.now));
    world.runJobs(world.clock.now);
    return running;
  }

  /** Sends the events that come about from now on. Those that it has already belong to the past. */
  open(target: Target | undefined): void {
    this.deliveries.collect(this.world.outbox);
    this.#use(target);
  }

  /** Goes on with a world that was read from a journal. @param initial where events are sent, unless something else was set. */
  resume(initial: Target | undefined): void {
    const { target = initial ?? null } = this.world;
    this.#use(target ?? undefined);
    this.deliveries.resume(this.world.outbox);
  }

  /**
   * Sends events somewhere else from now on.
   *
   * @throws {TypeError} when the target is malformed.
   * @throws {JournalError} when it cannot be written; nothing is changed then.
   */
  set target(target: Target | undefined) {
    const before = this.deliveries.target;
    this.#use(target);
    // A function cannot be kept.
    this.world.setTarget(target === undefined || target.handler ? null : target, () => this.#use(before));
  }

  #use(target: Target | undefined): void {
    this.deliveries.target = target;
    this.world.outbox.isOpen = target !== undefined;
  }

  /** Ends everything that happens by itself, also what waits for a receiver. */
  close(): void {
    this.timeline.close();
    this.deliveries.reset();
  }
}

function describe(error: unknown): string {
  return error instanceof MockFault ? error.message : `failed with ${(error as Error).name}`;
}
