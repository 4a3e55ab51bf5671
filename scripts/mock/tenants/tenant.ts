/** A tenant: the world of one API key, with its faults and its request log. */

import type { MockWorld } from "../behaviours/behaviour.ts";
import { unitsFields } from "../behaviours/integrity.ts";
import { completeUnit, loadSnapshot } from "../kernel/snapshot.ts";
import type { Demands } from "../kernel/world.ts";
import type { Unit } from "../plan/data.ts";
import type { Edition } from "../plan/plan.ts";
import type { CallOutcome } from "../response/replies.ts";
import type { Deliveries } from "../webhooks/deliveries.ts";
import type { Target } from "../webhooks/target.ts";
import { type AcceptedCall, act, scheduleCall } from "./act.ts";
import { Faults } from "./faults.ts";
import { type Bodies, RequestLog } from "./requests.ts";
import { type FaultOfEvent, RunningWorld, type RunningWorldOptions } from "./running-world.ts";
import type { Timeline } from "./timeline.ts";

export interface TenantOptions extends RunningWorldOptions {
  readonly edition: Edition;
  readonly onChange?: (() => void) | undefined;
  readonly bodies: Bodies;
}

/** A world as the state file has it. */
export interface SavedWorld extends Unit {
  /** SHA-256 of the API key in hexadecimal digits. */
  readonly tenant: string;
}

export class Tenant {
  /** SHA-256 of the API key in hexadecimal digits. */
  readonly hash: string;
  readonly name: string;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly #options: TenantOptions;
  #running: RunningWorld;
  readonly #faultOf: FaultOfEvent = ({ webhook, body }) => this.faults.takeEvent(webhook, body);
  /** Whether a call or the control interface may have changed the world since its creation. */
  hasData = false;
  /** Whether the state file must contain the world. */
  isChanged = false;

  constructor(hash: string, options: TenantOptions) {
    const { plan, edition, bodies, seed } = options;
    this.hash = hash;
    this.name = hash.slice(0, 8);
    this.#options = options;
    this.requests = new RequestLog(bodies, plan);
    const ownersOf = (id: string) => this.world.records.ownersOf(id);
    this.faults = new Faults(plan, edition, { seed: `${seed} ${hash}`, ownersOf });
    this.#running = RunningWorld.inInitialState(hash, options, this.#faultOf);
    this.#running.open(options.webhooks);
    this.#follow();
  }

  get world(): MockWorld {
    return this.#running.world;
  }

  get deliveries(): Deliveries {
    return this.#running.deliveries;
  }

  get timeline(): Timeline {
    return this.#running.timeline;
  }

  act(call: AcceptedCall, demands?: Demands): CallOutcome {
    this.hasData ||= call.operation.method !== "GET";
    try {
      return act(this.world, call, demands);
    } finally {
      this.timeline.wake();
    }
  }

  scheduleCall(call: AcceptedCall, milliseconds: number, demands: Demands): void {
    this.change((world) => scheduleCall(world, call, milliseconds, demands));
  }

  change<Result>(work: (world: MockWorld) => Result): Result {
    const { world } = this;
    const { now } = world.clock;
    this.hasData = true;
    world.runJobs(now);
    const result = world.at(now, () => work(world));
    this.timeline.wake();
    return result;
  }

  /** The receiver of events stays; jobs and deliveries of the old world stop. */
  reset(): void {
    this.#replace(RunningWorld.inInitialState(this.hash, this.#options, this.#faultOf));
    this.faults.clear();
    this.hasData = false;
  }

  /** `begin` fills an empty world and sets its time. If `begin` throws, nothing changes. */
  restore(begin: (world: MockWorld) => void): void {
    const next = new RunningWorld(this.hash, this.#options, this.#faultOf);
    begin(next.world);
    this.#replace(next);
    this.hasData = true;
  }

  set target(target: Target | undefined) {
    this.#running.target = target;
  }

  /** Call {@link resume} after the last entry. */
  load(unit: Unit): void {
    this.hasData = true;
    this.isChanged = true;
    this.#running = new RunningWorld(this.hash, this.#options, this.#faultOf);
    const { clock, target, ...rest } = unit;
    loadSnapshot(this.world, rest, unitsFields);
    if (clock !== undefined) this.world.clock.state = clock;
    if (target !== undefined) this.world.target = target;
  }

  resume(): void {
    this.#running.resume(this.#options.webhooks);
    this.#follow();
    this.timeline.wake();
  }

  saved(): SavedWorld {
    return { tenant: this.hash, ...completeUnit(this.world) };
  }

  end(): void {
    this.requests.clear();
    this.close();
  }

  close(): void {
    this.world.changes.onChange = undefined;
    this.#running.close();
  }

  #replace(next: RunningWorld): void {
    const { target } = this.deliveries;
    if (this.world.target !== undefined) next.world.target = this.world.target;
    this.close();
    this.#running = next;
    this.requests.clear();
    next.open(target);
    this.#follow();
    this.world.changes.onChange?.();
    next.timeline.wake();
  }

  #follow(): void {
    this.world.changes.onChange = () => {
      this.isChanged = true;
      this.#options.onChange?.();
    };
  }
}
