/** Everything of one tenant: what it keeps, its money, its time and what happens later. It knows no operation. */

import type { Assumptions } from "../plan/assumptions.ts";
import type { Plan, PlanWebhook } from "../plan/plan.ts";
import { Changes, MockFault, UnitRefused } from "./changes.ts";
import type { Clock } from "./clock.ts";
import type { Entity, Event, Job, Kinds } from "./data.ts";
import { Ids } from "./ids.ts";
import { Jobs } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { Records } from "./records.ts";

/** What the areas add to a world: what a job does, and what the body of an event is. */
export interface Scripts<K extends Kinds> {
  readonly jobs: Readonly<Record<string, (world: World<K>, about: Readonly<Record<string, string>>) => void>>;
  readonly events: Readonly<Record<string, EventScript<K>>>;
}

export interface WorldOptions {
  readonly clock: Clock;
  /** Everything that looks random follows from it. */
  readonly seed: string;
  /** What is assumed instead of what the plan assumes: the members that differ. */
  readonly assume?: object | undefined;
}

/** How an event of a resource is made. */
export interface EventScript<K extends Kinds> {
  /** Its body. */
  readonly body: (world: World<K>, entity: Entity<never>) => object;
  /** It is sent on an occasion that changes nothing ({@link World.send}), and not whenever the resource has the state. */
  readonly isOccasional?: true;
}

export class World<K extends Kinds = Kinds> {
  readonly plan: Plan;
  readonly clock: Clock;
  readonly changes: Changes;
  readonly ids: Ids;
  readonly ledger: Ledger;
  readonly records: Records<K>;
  readonly jobs: Jobs;
  readonly outbox: Outbox;
  readonly #scripts: Scripts<K>;
  readonly #webhooks: ReadonlyMap<string, readonly PlanWebhook[]>;
  #now: number;
  readonly #initial: Assumptions;
  #assumptions: Assumptions;
  #assumed: object = {};
  /** Called with each step of a resource, for whoever checks it against the contract. */
  onStep: ((step: Step) => void) | undefined;

  constructor(plan: Plan, scripts: Scripts<K>, { clock, seed, assume = {} }: WorldOptions) {
    this.plan = plan;
    this.#initial = merged(plan.assumptions, assume);
    this.#assumptions = this.#initial;
    this.clock = clock;
    this.changes = new Changes();
    this.ids = new Ids(seed, this.changes);
    this.ledger = new Ledger(this.changes);
    this.records = new Records(plan.resources, this.changes);
    this.jobs = new Jobs(this.changes);
    this.outbox = new Outbox(this.changes);
    this.#scripts = scripts;
    this.#webhooks = webhooksByState(plan, scripts);
    this.#now = clock.now;
  }

  /** The time of the call or the job that is running, in milliseconds since 1970. It stays the same while it runs. */
  get now(): number {
    return this.#now;
  }

  /** What applies where nobody states it. */
  get assumptions(): Assumptions {
    return this.#assumptions;
  }

  /** What of it is assumed instead of what was assumed at the start. */
  get assumed(): object {
    return this.#assumed;
  }

  /** Assumes something else from now on. @param changes the members that differ, with those of before in the place of the others. */
  assume(changes: object): void {
    const before = this.#assumed;
    this.#setAssumed(merged(before, changes));
    this.changes.record(() => this.#setAssumed(before), "assumed", changes);
  }

  #setAssumed(assumed: object): void {
    this.#assumed = assumed;
    this.#assumptions = merged(this.#initial, assumed);
  }

  /**
   * Runs a call at a time, whole or not at all. The jobs that were due before have to be run first ({@link runJobs}).
   *
   * @throws what the work throws.
   */
  at<T>(time: number, work: () => T): T {
    this.#now = time;
    return this.changes.atomically(work);
  }

  /** Runs every job that is due at a time, in order, each at its own time. */
  runJobs(until: number): void {
    for (;;) {
      const due = this.jobs.nextDue;
      if (due === undefined || due > until) return;
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
  create<R extends keyof K & string>(
    resource: R,
    about: { id: string; owner: string | null; data: K[R]; states?: Readonly<Record<string, string>> },
  ): Entity<K[R]> {
    const entity = this.records.add(resource, { ...about, createdAt: this.#now });
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

  /** Sends an event of a resource that no step of a state leads to, such as a code for a payment. */
  send(webhook: string, entity: Entity, more: object = {}): void {
    const entry = this.plan.webhooks.find(({ name }) => name === webhook);
    const script = this.#scripts.events[webhook];
    if (entry === undefined) throw new MockFault(`There is no webhook ${webhook}.`);
    const own = script === undefined ? exampleOf(entry, entity, this.plan) : script.body(this, entity as Entity<never>);
    const body = { ...own, ...more };
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
    for (const { name, after } of this.#webhooks.get(`${entity.resource} ${state}`) ?? []) {
      if (after.includes(value)) this.send(name, entity);
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

/** The events of a tenant that nobody has taken over, in the order in which they came about. How they are delivered is not known here. */
export class Outbox {
  readonly #changes: Changes;
  #events: Event[] = [];
  #made = 0;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  /** Takes all of them over. */
  take(): readonly Event[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  /** @param number where it is known already. */
  add(webhook: string, at: number, body: string, number: number = this.#made): void {
    const event: Event = { number, webhook, at, body };
    const before = this.#made;
    this.#events.push(event);
    this.#made = Math.max(before, number + 1);
    const undo = () => {
      this.#events.pop();
      this.#made = before;
    };
    this.#changes.record(undo, "events", event);
  }
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

/** The webhooks that a state leads to, by `resource state`. */
function webhooksByState<K extends Kinds>({ webhooks }: Plan, { events }: Scripts<K>): Map<string, PlanWebhook[]> {
  const byState = new Map<string, PlanWebhook[]>();
  for (const webhook of webhooks.filter(({ name }) => events[name]?.isOccasional !== true)) {
    const key = `${webhook.resource} ${webhook.state}`;
    byState.set(key, [...(byState.get(key) ?? []), webhook]);
  }
  return byState;
}

/** The body of a webhook without a script: its example, with the id, the owner and the state of the resource. */
function exampleOf(
  { examples, fields, state }: PlanWebhook,
  { resource, id, owner, states }: Entity,
  plan: Plan,
): object {
  const carrierOf = (field: string) => Object.entries(fields).find(([, carried]) => carried === field)?.[0] ?? field;
  const known = {
    externalUserId: owner,
    [carrierOf(state)]: states[state],
    [carrierOf(plan.resources[resource]?.id ?? "")]: id,
  };
  const bodies = Object.values(examples) as object[];
  const example = bodies.find((body) =>
    Object.entries(body).some(([name, value]) => name === carrierOf(state) && value === states[state]),
  );
  const entries = Object.entries(example ?? bodies[0] ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, known[name] ?? value]));
}
