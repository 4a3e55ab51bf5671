/** A tenant of the mock: the world of one API key, with its time, its deliveries and its faults. */

import type { Assume, Delivery } from "../../../generated/control/types.ts";
import type { MockWorld } from "../behaviours/behaviour.ts";
import { unitsFields } from "../behaviours/records.ts";
import type { Journal, JournalEntry } from "../journal/journal.ts";
import { type Change, MockFault } from "../kernel/changes.ts";
import { Clock } from "../kernel/clock.ts";
import { loadSnapshot, packedSnapshotOf, snapshotOf, unitOf } from "../kernel/snapshot.ts";
import type { Demands } from "../kernel/world.ts";
import type { ClockState, Counted, Event, Snapshot, Unit } from "../plan/data.ts";
import type { Edition, Plan } from "../plan/plan.ts";
import { Deliveries, type RememberedDelivery } from "../webhooks/deliveries.ts";
import type { Target, UrlTarget } from "../webhooks/target.ts";
import { type AcceptedCall, type Acted, act, actLater, makeWorld } from "./act.ts";
import { Faults } from "./faults.ts";
import { type Bodies, RequestLog } from "./requests.ts";
import { Timeline } from "./timeline.ts";

export interface TenantOptions {
  /** What its world assumes instead of what the plan assumes. */
  readonly assume?: Assume | undefined;
  /** Where its events are sent. */
  readonly webhooks?: Target | undefined;
  /** Called with a problem that no caller is told of. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Called after each attempt to deliver an event. */
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined;
  readonly plan: Plan;
  /** The edition whose operations are answered. */
  readonly edition: Edition;
  /** Everything that looks random follows from it and from the key. */
  readonly seed: string;
  /** When the clock of a new tenant stands still, in milliseconds since 1970; it runs where it is left out. */
  readonly frozenAt?: number | undefined;
  /** What everything that changes is written to; nothing where it is left out. */
  readonly journal?: Journal | undefined;
  /** The bodies of requests that all tenants keep together. */
  readonly bodies: Bodies;
  /** Prepares a world that is new or was reset. */
  readonly prepare?: ((world: MockWorld) => void) | undefined;
}

/** What a journal holds of a tenant: what a call changed, or everything. */
export interface TenantUnit extends Omit<Unit, "events"> {
  /** Whether it begins with this, and all that was before is gone. */
  readonly isNew?: true | undefined;
  readonly clock?: ClockState | undefined;
  /** Where events are sent, as it was set while the mock ran. */
  readonly target?: UrlTarget | null | undefined;
  /** Those that came about while there was nowhere to send them are marked. */
  readonly events?: readonly (Counted<Event> & { readonly isUndelivered?: true })[] | undefined;
  /** What became of events. */
  readonly deliveries?: readonly RememberedDelivery[] | undefined;
}

export class Tenant {
  /** The hash of its key, a SHA-256 in hexadecimal digits. */
  readonly hash: string;
  /** Eight hexadecimal digits of it. */
  readonly name: string;
  readonly clock: Clock = new Clock();
  readonly deliveries: Deliveries;
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly #options: TenantOptions;
  #world: MockWorld;
  /** Whether anything has changed since it began, but for identifiers that were made to be read. */
  #hasData = false;
  #isReading = false;
  /** Whether the journal holds it. */
  #isKept = false;
  /** While it begins, nothing is written: what begins is written as a whole, with its first change. */
  #isBeginning = false;
  /** Where events are sent, as it was set while the mock runs; null for nowhere. */
  #target: UrlTarget | null | undefined;
  /** What the journal has of them. */
  #kept: { readonly clock: ClockState; readonly target: UrlTarget | null | undefined };
  /** What became of events that the journal does not know of yet. */
  #untold = new Map<number, RememberedDelivery>();

  constructor(hash: string, options: TenantOptions) {
    const { plan, edition, webhooks, onNote } = options;
    const { clock } = this;
    this.hash = hash;
    this.name = hash.slice(0, 8);
    this.#options = options;
    this.#world = this.#newWorld();
    const onDelivery = (delivery: Delivery & RememberedDelivery) => {
      this.#keepDelivery(delivery);
      try {
        options.onDelivery?.(delivery);
      } catch (error) {
        onNote?.(`onDelivery failed: ${(error as Error).message}`);
      }
    };
    this.deliveries = new Deliveries({ plan, clock, onDelivery });
    this.requests = new RequestLog(options.bodies, plan.sensitiveNames);
    const ownersOf = (id: string) => this.#world.records.ownersOf(id);
    this.faults = new Faults(plan, edition, { seed: `${options.seed} ${hash}`, ownersOf });
    this.timeline = new Timeline({
      clock,
      world: () => this.#world,
      deliveries: this.deliveries,
      onFailure: (error) => onNote?.(`Tenant ${this.name}: ${describe(error)}`),
      keepClock: () => this.#keepClock(),
    });
    this.#begin();
    this.#forgetPast(webhooks);
    this.#kept = { clock: clock.state, target: undefined };
  }

  get world(): MockWorld {
    return this.#world;
  }

  /** Whether anything has changed since it began, so that it must not be forgotten. */
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
    const world = this.#world;
    // They change something, whatever the call does.
    world.runJobs(this.clock.now);
    this.#isReading = call.operation.method === "GET";
    try {
      return act(world, call, demands);
    } finally {
      this.#isReading = false;
      this.timeline.wake();
    }
  }

  /** Lets a call take effect later. @param milliseconds from now. @throws {JournalError} when it cannot be written. */
  actLater(call: AcceptedCall, milliseconds: number, demands: Demands): void {
    this.#world.runJobs(this.clock.now);
    actLater(this.#world, call, milliseconds, demands);
    this.timeline.wake();
  }

  /** Changes the world from outside, whole or not at all, and begins what follows. @throws what the work throws. */
  change<Result>(work: (world: MockWorld) => Result): Result {
    const world = this.#world;
    const { now } = this.clock;
    world.runJobs(now);
    const result = world.at(now, () => work(world));
    this.timeline.wake();
    return result;
  }

  /**
   * Makes it as it was at the start, its clock included. What is called next gets the same identifiers as then. Where events are
   * sent stays.
   */
  reset(): void {
    this.#renew(() => this.#begin());
    this.faults.clear();
    this.#hasData = false;
    this.timeline.wake();
  }

  /**
   * Gives it another world and another time. Deliveries and requests are forgotten.
   *
   * @param begin fills the world, which is empty, and sets its time.
   * @throws what `begin` throws; everything is as before then.
   */
  restore(begin: (world: MockWorld) => void): void {
    this.#hasData = true;
    this.#renew(begin);
    this.timeline.wake();
  }

  /** Sends events somewhere else from now on. @throws {TypeError} when the target is malformed. */
  set target(target: Target | undefined) {
    const { deliveries } = this;
    const before = { kept: this.#target, target: deliveries.target };
    deliveries.target = target;
    // A function cannot be kept.
    this.#target = target === undefined || target.handler ? null : target;
    this.#keepOrElse(() => {
      this.#target = before.kept;
      deliveries.target = before.target;
    });
  }

  /**
   * Puts in what a journal holds. {@link resume} has to be called at the end.
   *
   * @throws {MockFault} when it does not fit the contract.
   */
  load({ isNew, clock, target, deliveries = [], ...unit }: TenantUnit): void {
    this.#hasData = true;
    this.#isKept = true;
    if (isNew) {
      this.#world = this.#newWorld();
      this.#untold.clear();
    }
    loadSnapshot(this.#world, unit as Unit, unitsFields);
    if (clock !== undefined) this.clock.state = clock;
    for (const { number = 0, isUndelivered } of unit.events ?? []) {
      if (isUndelivered) this.#untold.set(number, { number, attempts: [], state: "undelivered", tries: 0 });
    }
    for (const delivery of deliveries) this.#untold.set(delivery.number, delivery);
    if (target === undefined) return;
    this.#target = target;
    this.deliveries.target = target ?? undefined;
  }

  /** Goes on after {@link load}. */
  resume(): void {
    const known = this.#untold;
    this.#untold = new Map();
    this.#kept = { clock: this.clock.state, target: this.#target };
    this.deliveries.resume(this.#world.outbox, known);
    this.timeline.wake();
  }

  /** Everything, as entries of a journal, whose lists are not too long for a line; none where nothing has changed. */
  *entries(): Iterable<JournalEntry> {
    if (!this.#isKept) return;
    const everything = Object.entries(this.#everything(packedSnapshotOf(this.#world)));
    const tenant = this.hash;
    yield { tenant, ...Object.fromEntries(everything.filter(([, value]) => !Array.isArray(value))) };
    for (const [name, list] of everything) {
      const most = name === "older" ? 1 : 1000;
      for (let from = 0; Array.isArray(list) && from < list.length; from += most) {
        yield { tenant, [name]: list.slice(from, from + most) };
      }
    }
  }

  close(): void {
    this.timeline.close();
  }

  /** Writes what changed before it counts. @throws {JournalError} when it cannot be written. */
  #keep(made: readonly Change[]): void {
    if (this.#isBeginning) return;
    this.#hasData ||= !this.#isReading;
    const { journal } = this.#options;
    if (journal === undefined) return;
    const { state } = this.clock;
    const unit = unitOf(made, this.#world);
    const changed: TenantUnit = {
      ...unit,
      events: unit.events && this.#marked(unit.events),
      clock: isSame(state, this.#kept.clock) ? undefined : state,
      deliveries: this.#untold.size === 0 ? undefined : [...this.#untold.values()],
      target: this.#target === this.#kept.target ? undefined : this.#target,
    };
    journal.append({ tenant: this.hash, ...(this.#isKept ? changed : this.#everything()) });
    this.#isKept = true;
    this.#kept = { clock: state, target: this.#target };
    this.#untold.clear();
  }

  /** @param isPast whether its events were never to be sent. */
  #everything(snapshot: Omit<Snapshot, "postings"> = snapshotOf(this.#world), isPast = false): TenantUnit {
    const { outbox, jobs } = this.#world;
    const remembered = isPast ? [] : this.deliveries.remembered;
    const events = remembered.map(({ number, webhook, at, body }) => ({ number, webhook, at, body }));
    return {
      isNew: true,
      ...snapshot,
      target: this.#target,
      jobs: jobs.waiting,
      events: [...events, ...this.#marked(outbox.events, isPast)],
      deliveries: remembered.map(({ number, attempts, state, tries }) => ({ number, attempts, state, tries })),
    };
  }

  /** Nothing becomes of events for which there is nowhere to be sent to. */
  #marked(events: readonly Counted<Event>[], isPast = false): TenantUnit["events"] & {} {
    const isLost = isPast || this.deliveries.target === undefined;
    return isLost ? events.map((event) => ({ ...event, isUndelivered: true })) : events;
  }

  /** What became of an event is known only afterwards. What cannot be written now is written with the next unit. */
  #keepDelivery({ number, attempts, state, tries }: RememberedDelivery): void {
    if (this.#options.journal === undefined) return;
    this.#untold.set(number, { number, attempts, state, tries });
    try {
      this.#keep([]);
    } catch {
      // The journal has told it.
    }
  }

  /** @throws {JournalError} when it cannot be written; the clock is as the journal has it then. */
  #keepClock(): void {
    const { clock } = this.#kept;
    if (isSame(this.clock.state, clock)) return;
    this.#keepOrElse(() => {
      this.clock.state = clock;
    });
    this.#kept = { ...this.#kept, clock: this.clock.state };
  }

  #keepOrElse(undo: () => void): void {
    try {
      this.#keep([]);
    } catch (error) {
      undo();
      throw error;
    }
  }

  #newWorld(): MockWorld {
    const { plan, seed, assume } = this.#options;
    const world = makeWorld(plan, { clock: this.clock, seed: `${seed} ${this.hash}`, assume });
    world.changes.onUnit = (made) => this.#keep(made);
    return world;
  }

  /** Begins with another world, and writes it whole. @throws what `begin` throws; everything is as before then. */
  #renew(begin: (world: MockWorld) => void): void {
    const before = { world: this.#world, clock: this.clock.state };
    this.#world = this.#newWorld();
    try {
      this.#isBeginning = true;
      begin(this.#world);
      this.#options.journal?.append({ tenant: this.hash, ...this.#everything(snapshotOf(this.#world), true) });
      this.#isKept ||= this.#options.journal !== undefined;
    } catch (error) {
      this.#world = before.world;
      this.clock.state = before.clock;
      throw error;
    } finally {
      this.#isBeginning = false;
    }
    this.#kept = { clock: this.clock.state, target: this.#target };
    this.#forgetPast(this.deliveries.target);
  }

  /** The events of what it is prepared with belong to the past, and are not sent. */
  #forgetPast(target: Target | undefined): void {
    this.#untold.clear();
    this.requests.clear();
    this.deliveries.reset();
    this.deliveries.target = undefined;
    this.deliveries.collect(this.#world.outbox);
    this.deliveries.target = target;
  }

  #begin(): void {
    const { frozenAt = null } = this.#options;
    const { clock } = this;
    const isRenewed = this.#isBeginning;
    this.#isBeginning = true;
    try {
      this.#prepare({ offset: 0, frozenAt });
      if (frozenAt !== null) clock.freeze(Math.max(frozenAt, clock.now));
      this.#world.runJobs(clock.now);
    } finally {
      this.#isBeginning = isRenewed;
    }
  }

  /** A scenario that does not fit the contract, while somebody edits it, leaves the world empty. */
  #prepare(time: ClockState): void {
    this.clock.state = time;
    try {
      this.#options.prepare?.(this.#world);
    } catch (error) {
      if (!(error instanceof MockFault)) throw error;
      this.#world = this.#newWorld();
      this.clock.state = time;
      this.#options.onNote?.(`The scenario cannot be played, so that nothing is there yet: ${error.message}`);
    }
  }
}

function isSame(one: ClockState, other: ClockState): boolean {
  return one.offset === other.offset && one.frozenAt === other.frozenAt;
}

function describe(error: unknown): string {
  return error instanceof MockFault ? error.message : `failed with ${(error as Error).name}`;
}
