/** A tenant: the world of one API key, with its faults, scripted responses and request log. */

import type { MockWorld } from "../behaviours/behaviour.ts";
import { unitsFields } from "../behaviours/integrity.ts";
import { loadSnapshot, worldDataOf } from "../kernel/snapshot.ts";
import type { EffectOverrides } from "../kernel/world.ts";
import type { WorldData } from "../plan/data.ts";
import type { Edition } from "../plan/plan.ts";
import type { CallOutcome } from "../response/replies.ts";
import type { Deliveries } from "../webhooks/deliveries.ts";
import { checkTarget, type Target } from "../webhooks/target.ts";
import { type AcceptedCall, executeCall, scheduleCall } from "./act.ts";
import { Faults } from "./faults.ts";
import type { RequestLog } from "./requests.ts";
import { type EventFaultFinder, RunningWorld, type RunningWorldOptions } from "./running-world.ts";
import { ScriptedResponses } from "./scripted.ts";
import type { Timeline } from "./timeline.ts";

export interface TenantOptions extends RunningWorldOptions {
  readonly edition: Edition;
  /** Called after changes of data that the state file contains. */
  readonly onChange?: (() => void) | undefined;
}

interface TenantDependencies extends TenantOptions {
  readonly requests: RequestLog;
  /** Called before the first change. @throws {ControlError} when there is no room for another world. */
  readonly admit: (tenant: Tenant) => void;
}

export interface SavedWorld extends WorldData {
  /** SHA-256 of the API key in hexadecimal digits. */
  readonly tenant: string;
}

export class Tenant {
  /** SHA-256 of the API key in hexadecimal digits. */
  readonly hash: string;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly scriptedResponses: ScriptedResponses = new ScriptedResponses();
  readonly #options: TenantDependencies;
  #runningWorld: RunningWorld;
  readonly #faultOf: EventFaultFinder = ({ webhook, body }) => this.faults.takeForEvent(webhook, body);
  #hasData = false;

  constructor(hash: string, options: TenantDependencies) {
    const { plan, edition, requests, seed } = options;
    this.hash = hash;
    this.#options = options;
    this.requests = requests;
    const ownersOf = (id: string) => this.world.records.ownersOf(id);
    this.faults = new Faults(plan, edition, {
      seed: `${seed} ${hash}`,
      ownersOf,
      beforeAdd: () => this.ensureAdmitted(),
    });
    this.#runningWorld = RunningWorld.createInitial(hash, options, this.#faultOf);
    this.#runningWorld.open(options.webhooks);
    this.#observeChanges();
  }

  get world(): MockWorld {
    return this.#runningWorld.world;
  }

  get deliveries(): Deliveries {
    return this.#runningWorld.deliveries;
  }

  get timeline(): Timeline {
    return this.#runningWorld.timeline;
  }

  /** Whether a call or the control interface has changed the tenant: its world, faults, scripted responses or receiver of events. */
  get hasData(): boolean {
    return this.#hasData;
  }

  execute(call: AcceptedCall, overrides?: EffectOverrides): CallOutcome {
    try {
      return this.#runAdmitted((world) => executeCall(world, call, overrides));
    } finally {
      this.timeline.wake();
    }
  }

  scheduleCall(call: AcceptedCall, milliseconds: number, overrides: EffectOverrides): void {
    this.change((world) => scheduleCall(world, call, milliseconds, overrides));
  }

  change<Result>(work: (world: MockWorld) => Result): Result {
    const result = this.#runAdmitted((world) => world.runAt(world.clock.now, () => work(world)));
    this.timeline.wake();
    return result;
  }

  /**
   * Must be called before a change that neither {@link execute} nor {@link change} makes.
   *
   * @throws {ControlError} when there is no room for another world.
   */
  ensureAdmitted(): void {
    if (this.#hasData) return;
    this.#options.admit(this);
    this.#hasData = true;
  }

  #runAdmitted<Result>(work: (world: MockWorld) => Result): Result {
    const { world } = this;
    world.runJobs(world.clock.now);
    world.transactions.beforeCommit = this.#hasData ? undefined : () => this.ensureAdmitted();
    try {
      return work(world);
    } finally {
      world.transactions.beforeCommit = undefined;
    }
  }

  /** Also removes faults, scripted responses and logged requests. The receiver of events stays. */
  reset(): void {
    this.#replace(RunningWorld.createInitial(this.hash, this.#options, this.#faultOf));
    this.faults.clear();
    this.scriptedResponses.clear();
    this.#hasData &&= this.world.target !== undefined;
  }

  /** @param fill fills an empty world and sets its time. If `fill` throws, nothing changes. */
  restore(fill: (world: MockWorld) => void): void {
    const newWorld = new RunningWorld(this.hash, this.#options, this.#faultOf);
    fill(newWorld.world);
    this.ensureAdmitted();
    this.#replace(newWorld);
  }

  set target(target: Target | undefined) {
    if (target !== undefined) checkTarget(target, this.world.plan);
    this.ensureAdmitted();
    this.#runningWorld.target = target;
  }

  /** Loads the tenant's part of the state file. Call {@link resume} after the last world is loaded. */
  load(data: WorldData): void {
    this.#hasData = true;
    this.#runningWorld = new RunningWorld(this.hash, this.#options, this.#faultOf);
    const { clock, target, ...rest } = data;
    loadSnapshot(this.world, rest, unitsFields);
    if (clock !== undefined) this.world.clock.state = clock;
    if (target !== undefined) this.world.target = target;
  }

  resume(): void {
    this.#runningWorld.resume(this.#options.webhooks);
    this.#observeChanges();
    this.timeline.wake();
  }

  toSavedWorld(): SavedWorld {
    return { tenant: this.hash, ...worldDataOf(this.world) };
  }

  end(): void {
    this.requests.clear();
    this.close();
  }

  close(): void {
    this.world.transactions.onChange = undefined;
    this.#runningWorld.close();
  }

  #replace(newWorld: RunningWorld): void {
    const { target } = this.deliveries;
    if (this.world.target !== undefined) newWorld.world.target = this.world.target;
    this.close();
    this.#runningWorld = newWorld;
    this.requests.clear();
    newWorld.open(target);
    this.#observeChanges();
    this.world.transactions.onChange?.();
    newWorld.timeline.wake();
  }

  #observeChanges(): void {
    this.world.transactions.onChange = () => {
      if (this.#hasData) this.#options.onChange?.();
    };
  }
}
