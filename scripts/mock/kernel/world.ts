/** Everything of one tenant: what it keeps, its money, its time and what happens later. It knows no operation. */

import type { Assumptions } from "../plan/assumptions.ts";
import type { Entity, EventAddress, Job, Kinds } from "../plan/data.ts";
import type { Plan, PlanWebhook } from "../plan/plan.ts";
import { Changes, MockFault, UnitRefused } from "./changes.ts";
import type { Clock } from "./clock.ts";
import { Ids } from "./ids.ts";
import { Jobs } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { Outbox } from "./outbox.ts";
import { type NewEntity, Records } from "./records.ts";

/** What the areas add to a world: what a job does, and what the body of an event is. */
export interface Scripts<K extends Kinds> {
  readonly jobs: Readonly<Record<string, (world: World<K>, about: Readonly<Record<string, string>>) => void>>;
  readonly eventOf: (world: World<K>, webhook: PlanWebhook, entity: Entity) => object;
  /** Webhooks that are sent with {@link World.send} only, and not whenever the resource has the state. */
  readonly occasional: readonly string[];
}

export interface WorldOptions {
  readonly clock: Clock;
  /** Everything that looks random follows from it. */
  readonly seed: string;
  /** What is assumed instead of what the plan assumes: the members that differ. */
  readonly assume?: object | undefined;
}

/** What a test demands of what one call makes. */
export interface Demands {
  /** How long its records stay out of the transaction history, in milliseconds. */
  readonly hiddenFor?: number | undefined;
  /** How a resource of a kind that it creates ends. */
  readonly ends?:
    | { readonly resource: string; readonly status: string; readonly reason?: string | undefined }
    | undefined;
}

/** The job that ends a resource as it is demanded. It is due when the resource would end by itself, and comes first. */
export const demandedEnd = "endAsDemanded";

export class World<K extends Kinds = Kinds> {
  readonly plan: Plan;
  readonly clock: Clock;
  readonly changes: Changes = new Changes();
  readonly ids: Ids;
  readonly ledger: Ledger = new Ledger(this.changes);
  readonly records: Records<K>;
  readonly jobs: Jobs = new Jobs(this.changes);
  readonly outbox: Outbox = new Outbox(this.changes);
  readonly #scripts: Scripts<K>;
  /** Those that a step of a state leads to. */
  readonly #webhooks: readonly PlanWebhook[];
  #now: number;
  #demands: Demands = {};
  readonly #initial: Assumptions;
  #assumptions: Assumptions;
  /** The sections of the assumptions that were read since the call began. */
  readonly #read = new Set<string>();
  #assumed: object = {};
  #target: EventAddress | null | undefined;
  /** Called with each step of a resource, for whoever checks it against the contract. */
  onStep: ((step: Step) => void) | undefined;

  constructor(plan: Plan, scripts: Scripts<K>, { clock, seed, assume = {} }: WorldOptions) {
    this.plan = plan;
    this.#initial = merged(plan.assumptions, assume);
    this.#assumptions = this.#noting(this.#initial);
    this.clock = clock;
    clock.onMove = (before) =>
      this.changes.note("clock", "clock", undefined, () => {
        clock.state = before;
      });
    this.ids = new Ids(seed, this.changes);
    this.records = new Records(plan.resources, this.changes);
    this.#scripts = scripts;
    this.#webhooks = plan.webhooks.filter(({ name }) => !scripts.occasional.includes(name));
    this.#now = clock.now;
  }

  /** The time of the call or the job that is running, in milliseconds since 1970. It stays the same while it runs. */
  get now(): number {
    return this.#now;
  }

  /** What a test demands of the call that is running. */
  get demands(): Demands {
    return this.#demands;
  }

  /** The sections of the assumptions that the call has read which is running, or was the last one. */
  get sectionsRead(): readonly string[] {
    return [...this.#read];
  }

  /** What applies where nobody states it. */
  get assumptions(): Assumptions {
    return this.#assumptions;
  }

  /** What of it is assumed instead of what was assumed at the start. */
  get assumed(): object {
    return this.#assumed;
  }

  /** Where events are sent, as it was set while the mock ran; null for nowhere, or a function of the process. */
  get target(): EventAddress | null | undefined {
    return this.#target;
  }

  /** @param undo takes back what else was set with it. @throws {UnitRefused} when it cannot be kept; nothing is changed then. */
  setTarget(target: EventAddress | null | undefined, undo: () => void = () => {}): void {
    const before = this.#target;
    this.changes.atomically(() => {
      this.#target = target;
      const undoBoth = () => {
        this.#target = before;
        undo();
      };
      this.changes.record(undoBoth, "target", target);
    });
  }

  /** Assumes something else from now on. @param changes the members that differ, with those of before in the place of the others. */
  assume(changes: object): void {
    const before = this.#assumed;
    this.#setAssumed(merged(before, changes));
    this.changes.record(() => this.#setAssumed(before), "assumed", changes);
  }

  #setAssumed(assumed: object): void {
    this.#assumed = assumed;
    this.#assumptions = this.#noting(merged(this.#initial, assumed));
  }

  /** The same assumptions, whose sections are noted when they are read. */
  #noting(assumptions: Assumptions): Assumptions {
    const entries = Object.entries(assumptions).map(([name, section]) => {
      const get = () => {
        this.#read.add(name);
        return section;
      };
      return [name, { get, enumerable: true }];
    });
    return Object.defineProperties({}, Object.fromEntries(entries)) as Assumptions;
  }

  /**
   * Runs a call at a time, whole or not at all. The jobs that were due before have to be run first ({@link runJobs}).
   *
   * @throws what the work throws.
   */
  at<T>(time: number, work: () => T): T {
    this.#now = time;
    this.#read.clear();
    return this.changes.atomically(work);
  }

  /** Runs a call at a time without consequences: everything that it changes is taken back. @throws what the work throws. */
  peek<T>(time: number, work: () => T): T {
    this.#now = time;
    return this.changes.tentatively(work);
  }

  /** Does some work under demands. @throws what the work throws. */
  under<T>(demands: Demands, work: () => T): T {
    const before = this.#demands;
    this.#demands = demands;
    try {
      return work();
    } finally {
      this.#demands = before;
    }
  }

  /** Runs every job that is due at a time, in order, each at its own time. */
  runJobs(until: number): void {
    for (let due = this.jobs.nextDue; due <= until; due = this.jobs.nextDue) {
      try {
        this.at(due, () => this.#run(this.jobs.take(due)));
      } catch (error) {
        // One that fails is a mistake of the mock; it is taken out, so that it does not fail for ever.
        if (!(error instanceof UnitRefused)) this.at(due, () => this.jobs.take(due));
        throw error;
      }
    }
  }

  /** Lets something happen later. @param seconds from now. */
  later(seconds: number, job: keyof Scripts<K>["jobs"] & string, about: Readonly<Record<string, string>>): void {
    this.jobs.add(job, this.#now + seconds * 1000, about);
  }

  /** Adds a resource at this time, and sends the events that its first state leads to. */
  create<R extends keyof K & string>(resource: R, about: NewEntity<K[R]>): Entity<K[R]> {
    const entity = this.records.add(resource, { ...about, createdAt: this.#now });
    this.#planEnd(resource, about.id);
    this.onStep?.({ kind: "creates", resource, id: about.id, state: undefined, to: undefined });
    for (const state of Object.keys(entity.states)) this.#notify(entity, state);
    return entity;
  }

  /** Moves a resource to another value of a state, and sends the events that it leads to. */
  move(entity: Entity, to: string, state = "status"): void {
    this.records.move(entity, to, state);
    this.onStep?.({ kind: "moves", resource: entity.resource, id: entity.id, state, to });
    this.#notify(entity, state);
  }

  #planEnd(resource: string, id: string): void {
    const { ends } = this.#demands;
    if (ends?.resource !== resource) return;
    const { status, reason } = ends;
    const delays: object = this.assumptions.delays;
    const seconds = Number((delays as Readonly<Record<string, unknown>>)[resource] ?? 0);
    this.later(seconds, demandedEnd, {
      resource,
      id,
      status,
      ...(reason === undefined ? {} : { reason }),
    });
  }

  /** Sends an event of a resource that no step of a state leads to, such as a code for a payment. */
  send(webhook: string, entity: Entity, more: object = {}): void {
    const entry = this.plan.webhooks.find(({ name }) => name === webhook);
    if (entry === undefined) throw new MockFault(`There is no webhook ${webhook}.`);
    const body = { ...this.#scripts.eventOf(this, entry, entity), ...more };
    if (!entry.validator(body)) {
      throw new MockFault(
        `The event ${webhook} is not as the contract says: ${JSON.stringify(entry.validator.errors)}`,
      );
    }
    this.outbox.add(webhook, this.#now, JSON.stringify(body));
  }

  /** Whether there is a job with a name. */
  hasJob(name: string): boolean {
    return Object.hasOwn(this.#scripts.jobs, name);
  }

  #run({ name = "", about = {} }: Partial<Job> = {}): void {
    const job = this.#scripts.jobs[name];
    if (job === undefined) throw new MockFault(`There is no job ${name}.`);
    job(this, about);
  }

  #notify(entity: Entity, state: string): void {
    const value = entity.states[state] ?? "";
    for (const { name, resource, state: told, after } of this.#webhooks) {
      if (resource === entity.resource && told === state && after.includes(value)) this.send(name, entity);
    }
  }
}

/** A resource that was created, or moved. */
export interface Step {
  readonly kind: "creates" | "moves";
  readonly resource: string;
  readonly id: string;
  readonly state: string | undefined;
  readonly to: string | undefined;
}

/** A value with some members of it, and of the objects in it, in the place of its own. Lists are replaced as a whole. */
function merged<Type extends object>(value: Type, changes: object): Type {
  const entries = Object.entries(changes).map(([name, change]) => {
    const own = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return [name, isObject(own) && isObject(change) ? merged(own, change) : change];
  });
  return entries.length === 0 ? value : { ...value, ...Object.fromEntries(entries) };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
