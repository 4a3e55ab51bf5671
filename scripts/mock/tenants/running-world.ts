/** The jobs and deliveries of the world stop when it is replaced. */

import type { MockWorld } from "../behaviours/behaviour.ts";
import { Clock } from "../kernel/clock.ts";
import { MockError } from "../kernel/transactions.ts";
import type { Assume, Delivery } from "../plan/control.ts";
import type { Event } from "../plan/data.ts";
import type { Plan } from "../plan/plan.ts";
import { Deliveries, type EventFault } from "../webhooks/deliveries.ts";
import type { Target } from "../webhooks/target.ts";
import { makeWorld } from "./act.ts";
import { Timeline } from "./timeline.ts";

export interface RunningWorldOptions {
  readonly plan: Plan;
  readonly seed: string;
  /** The time at which the clock starts frozen, in milliseconds since 1970; undefined for a running clock. */
  readonly frozenAt?: number | undefined;
  readonly assume?: Assume | undefined;
  readonly webhooks?: Target | undefined;
  readonly webhookTimeoutMs?: number | undefined;
  readonly prepare?: ((world: MockWorld) => void) | undefined;
  readonly onNote?: ((note: string) => void) | undefined;
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined;
}

export type EventFaultFinder = (event: Event) => EventFault | undefined;

export class RunningWorld {
  readonly world: MockWorld;
  readonly deliveries: Deliveries;
  readonly timeline: Timeline;

  /** Events are sent only after {@link open} or {@link resume}. */
  constructor(
    hash: string,
    { plan, seed, assume, onNote, onDelivery, webhookTimeoutMs }: RunningWorldOptions,
    faultOf?: EventFaultFinder,
  ) {
    const clock = new Clock();
    const world = makeWorld(plan, { clock, seed: `${seed} ${hash}`, assume });
    world.outbox.hasReceiver = false;
    const reportDelivery = (delivery: Delivery) => {
      try {
        onDelivery?.(delivery);
      } catch (error) {
        onNote?.(`onDelivery failed: ${(error as Error).message}`);
      }
    };
    const onFailure = (error: unknown) =>
      onNote?.(
        `Tenant ${hash.slice(0, 8)}: ${error instanceof MockError ? error.message : `failed with ${(error as Error).name}`}`,
      );
    this.world = world;
    const getRules = () => world.assumptions.webhooks;
    this.deliveries = new Deliveries({
      plan,
      getRules,
      clock,
      onDelivery: reportDelivery,
      timeoutMs: webhookTimeoutMs,
      faultOf,
    });
    this.timeline = new Timeline({ world, deliveries: this.deliveries, onFailure });
  }

  /**
   * Creates a world in its initial state: the scenario, another given state, or none. Also empty if the scenario does not match the contract,
   * for example while it is being edited.
   */
  static createInitial(hash: string, options: RunningWorldOptions, faultOf: EventFaultFinder): RunningWorld {
    const { frozenAt = null, prepare, onNote } = options;
    const runningWorld = new RunningWorld(hash, options, faultOf);
    const { world } = runningWorld;
    world.clock.state = { offset: 0, frozenAt };
    try {
      prepare?.(world);
    } catch (error) {
      if (!(error instanceof MockError)) throw error;
      onNote?.(`The scenario cannot be played, so that nothing is there yet: ${error.message}`);
      return RunningWorld.createInitial(hash, { ...options, prepare: undefined }, faultOf);
    }
    if (frozenAt !== null) world.clock.freeze(Math.max(frozenAt, world.clock.now));
    world.runJobs(world.clock.now);
    return runningWorld;
  }

  /** Events that already exist are not sent. */
  open(target: Target | undefined): void {
    this.deliveries.collect(this.world.outbox);
    this.#setTarget(target);
  }

  /** Starts a loaded world. @param defaultTarget the receiver of events, unless the state file sets one. */
  resume(defaultTarget: Target | undefined): void {
    const { target = defaultTarget ?? null } = this.world;
    this.#setTarget(target ?? undefined);
    this.deliveries.resume(this.world.outbox);
  }

  set target(target: Target | undefined) {
    this.#setTarget(target);
    // A function as receiver cannot be stored in the state file.
    this.world.target = target === undefined || target.handler ? null : target;
  }

  #setTarget(target: Target | undefined): void {
    this.deliveries.target = target;
    this.world.outbox.hasReceiver = target !== undefined;
  }

  close(): void {
    this.timeline.close();
    this.deliveries.reset();
  }
}
