/** A tenant of the mock: the world of one API key, with its faults and the requests that it got. */

import type { MockWorld } from "../behaviours/behaviour.ts";
import type { Journal, JournalEntry } from "../journal/journal.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Demands } from "../kernel/world.ts";
import type { Edition } from "../plan/plan.ts";
import type { Deliveries } from "../webhooks/deliveries.ts";
import type { Target } from "../webhooks/target.ts";
import { type AcceptedCall, type Acted, act, actLater } from "./act.ts";
import { Faults } from "./faults.ts";
import { Keeper, type TenantUnit } from "./keeper.ts";
import { type Bodies, RequestLog } from "./requests.ts";
import { type FateOf, RunningWorld, type RunningWorldOptions } from "./running-world.ts";
import type { Timeline } from "./timeline.ts";

export interface TenantOptions extends RunningWorldOptions {
  /** The edition whose operations are answered. */
  readonly edition: Edition;
  /** What everything that changes is written to; nothing where it is left out. */
  readonly journal?: Journal | undefined;
  /** The bodies of requests that all tenants keep together. */
  readonly bodies: Bodies;
}

export class Tenant {
  /** The hash of its key, a SHA-256 in hexadecimal digits. */
  readonly hash: string;
  /** Eight hexadecimal digits of it. */
  readonly name: string;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly #options: TenantOptions;
  readonly #keeper: Keeper;
  #running: RunningWorld;
  readonly #fateOf: FateOf = ({ webhook, body }) => this.faults.takeEvent(webhook, body);
  #hasData = false;

  constructor(hash: string, options: TenantOptions) {
    const { plan, edition, journal, bodies, seed } = options;
    this.hash = hash;
    this.name = hash.slice(0, 8);
    this.#options = options;
    this.requests = new RequestLog(bodies, plan);
    const ownersOf = (id: string) => this.world.records.ownersOf(id);
    this.faults = new Faults(plan, edition, { seed: `${seed} ${hash}`, ownersOf });
    this.#keeper = new Keeper(journal, hash);
    this.#running = RunningWorld.begun(hash, options, this.#fateOf);
    this.#running.open(options.webhooks);
    this.#keeper.follow(this.world);
  }

  get world(): MockWorld {
    return this.#running.world;
  }

  get clock(): Clock {
    return this.world.clock;
  }

  get deliveries(): Deliveries {
    return this.#running.deliveries;
  }

  get timeline(): Timeline {
    return this.#running.timeline;
  }

  /** Whether somebody has changed its world since it began. */
  get hasData(): boolean {
    return this.#hasData;
  }

  /**
   * Carries a call out, and begins what follows from it.
   *
   * @throws {MockFault} when the response is not as the contract says; nothing is left of the call then.
   * @throws {JournalError} when it cannot be written; nothing is left of the call then, either.
   */
  act(call: AcceptedCall, demands?: Demands): Acted {
    this.#hasData ||= call.operation.method !== "GET";
    try {
      return act(this.world, call, demands);
    } finally {
      this.timeline.wake();
    }
  }

  /** Lets a call take effect later. @param milliseconds from now. @throws {JournalError} when it cannot be written. */
  actLater(call: AcceptedCall, milliseconds: number, demands: Demands): void {
    this.change((world) => actLater(world, call, milliseconds, demands));
  }

  /** Changes the world from outside, whole or not at all, and begins what follows. @throws what the work throws. */
  change<Result>(work: (world: MockWorld) => Result): Result {
    const { world } = this;
    const { now } = this.clock;
    this.#hasData = true;
    world.runJobs(now);
    const result = world.at(now, () => work(world));
    this.timeline.wake();
    return result;
  }

  /**
   * Makes it as it was at the start, its clock included. What is called next gets the same identifiers as then. Where events are
   * sent stays. What still runs in the world before ends.
   */
  reset(): void {
    this.#replace(RunningWorld.begun(this.hash, this.#options, this.#fateOf));
    this.faults.clear();
    this.#hasData = false;
  }

  /**
   * Gives it another world and another time. Deliveries and requests are forgotten, and what still runs in the world before ends.
   *
   * @param begin fills the world, which is empty, and sets its time.
   * @throws what `begin` throws; everything is as before then.
   */
  restore(begin: (world: MockWorld) => void): void {
    const next = new RunningWorld(this.hash, this.#options, this.#fateOf);
    begin(next.world);
    this.#replace(next);
    this.#hasData = true;
  }

  /** Sends events somewhere else from now on. @throws {TypeError} when the target is malformed. */
  set target(target: Target | undefined) {
    this.#running.target = target;
  }

  /** Puts in an entry of a journal. {@link resume} has to be called at the end. @throws {MockFault} when it does not fit the contract. */
  load(unit: TenantUnit): void {
    this.#keeper.leave(this.world);
    this.#hasData = true;
    if (unit.isNew) this.#running = new RunningWorld(this.hash, this.#options, this.#fateOf);
    this.#keeper.load(this.world, unit);
  }

  /** Goes on after {@link load}. */
  resume(): void {
    this.#running.resume(this.#options.webhooks);
    this.#keeper.follow(this.world);
    this.timeline.wake();
  }

  /** Everything, as entries of a journal. */
  entries(): Iterable<JournalEntry> {
    return this.#keeper.entries(this.world);
  }

  /** Ends its world for good. @throws {JournalError} when that cannot be written; it goes on then. */
  end(): void {
    this.#keeper.end();
    this.requests.clear();
    this.close();
  }

  /** Nothing happens by itself any more. */
  close(): void {
    this.#keeper.leave(this.world);
    this.#running.close();
  }

  /** Begins with another world, and writes it whole. @throws {JournalError} when it cannot be written; everything is as before then. */
  #replace(next: RunningWorld): void {
    const { target } = this.deliveries;
    if (this.world.target !== undefined) next.world.setTarget(this.world.target);
    this.#keeper.replace(next.world);
    this.close();
    this.#running = next;
    this.requests.clear();
    next.open(target);
    this.#keeper.follow(next.world);
    next.timeline.wake();
  }
}
