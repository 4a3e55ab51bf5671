/** A tenant: the world of one API key, with its faults and its request log. */

import type { MockWorld } from "../behaviours/behaviour.ts";
import type { Journal, JournalEntry } from "../journal/journal.ts";
import type { Demands } from "../kernel/world.ts";
import type { Edition } from "../plan/plan.ts";
import type { CallOutcome } from "../response/replies.ts";
import type { Deliveries } from "../webhooks/deliveries.ts";
import type { Target } from "../webhooks/target.ts";
import { type AcceptedCall, act, scheduleCall } from "./act.ts";
import { Faults } from "./faults.ts";
import { JournalWriter, type TenantUnit } from "./journal-writer.ts";
import { type Bodies, RequestLog } from "./requests.ts";
import { type FaultOfEvent, RunningWorld, type RunningWorldOptions } from "./running-world.ts";
import type { Timeline } from "./timeline.ts";

export interface TenantOptions extends RunningWorldOptions {
  readonly edition: Edition;
  readonly journal?: Journal | undefined;
  readonly bodies: Bodies;
}

export class Tenant {
  /** SHA-256 of the API key in hexadecimal digits. */
  readonly hash: string;
  readonly name: string;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly #options: TenantOptions;
  readonly #journalWriter: JournalWriter;
  #running: RunningWorld;
  readonly #faultOf: FaultOfEvent = ({ webhook, body }) => this.faults.takeEvent(webhook, body);
  /** Whether a call or the control interface may have changed the world since its creation. */
  hasData = false;

  constructor(hash: string, options: TenantOptions) {
    const { plan, edition, journal, bodies, seed } = options;
    this.hash = hash;
    this.name = hash.slice(0, 8);
    this.#options = options;
    this.requests = new RequestLog(bodies, plan);
    const ownersOf = (id: string) => this.world.records.ownersOf(id);
    this.faults = new Faults(plan, edition, { seed: `${seed} ${hash}`, ownersOf });
    this.#journalWriter = new JournalWriter(journal, hash);
    this.#running = RunningWorld.inInitialState(hash, options, this.#faultOf);
    this.#running.open(options.webhooks);
    this.#journalWriter.follow(this.world);
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
  load(unit: TenantUnit): void {
    this.#journalWriter.leave(this.world);
    this.hasData = true;
    if (unit.isNew) this.#running = new RunningWorld(this.hash, this.#options, this.#faultOf);
    this.#journalWriter.load(this.world, unit);
  }

  resume(): void {
    this.#running.resume(this.#options.webhooks);
    this.#journalWriter.follow(this.world);
    this.timeline.wake();
  }

  entries(): Iterable<JournalEntry> {
    return this.#journalWriter.entries(this.world);
  }

  /** If the journal cannot store the removal, the world is kept. */
  end(): void {
    this.#journalWriter.end();
    this.requests.clear();
    this.close();
  }

  close(): void {
    this.#journalWriter.leave(this.world);
    this.#running.close();
  }

  /** If the journal cannot store the new world, nothing changes. */
  #replace(next: RunningWorld): void {
    const { target } = this.deliveries;
    if (this.world.target !== undefined) next.world.setTarget(this.world.target);
    this.#journalWriter.replace(next.world);
    this.close();
    this.#running = next;
    this.requests.clear();
    next.open(target);
    this.#journalWriter.follow(next.world);
    next.timeline.wake();
  }
}
