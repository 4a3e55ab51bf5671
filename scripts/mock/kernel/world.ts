/** The state of the simulated service for one API key. */

import { type Answers, changesOfAnswers, defaultAnswer } from "../answers/choice.ts";
import type { Assumptions } from "../plan/assumptions.ts";
import type { DataByResource, Entity, EventAddress, Job } from "../plan/data.ts";
import type { Plan, PlanQuestion, PlanWebhook } from "../plan/plan.ts";
import type { Clock } from "./clock.ts";
import { Ids } from "./ids.ts";
import { Jobs } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { Outbox } from "./outbox.ts";
import { type NewEntity, Records } from "./records.ts";
import { MockError, Transactions } from "./transactions.ts";

export interface WorldHooks<K extends DataByResource> {
  readonly jobs: Readonly<Record<string, (world: World<K>, values: Readonly<Record<string, string>>) => void>>;
  readonly eventOf: (world: World<K>, webhook: PlanWebhook, entity: Entity) => object;
  /** Applies the `shapes` assumptions of a world to the body of an event. */
  readonly shapeBody: (world: World<K>, webhook: PlanWebhook, body: object) => unknown;
  readonly sentOnlyByBehaviours: readonly string[];
}

export interface WorldOptions {
  readonly clock: Clock;
  readonly seed: string;
  readonly assume?: AssumptionChanges | undefined;
}

/**
 * `answers` has the chosen answers to open questions. The other members, which are not declared here, are sections of `openapi/mock.yaml`
 * with changed values; they take precedence over the answers.
 */
type AssumptionChanges = { readonly answers?: Answers };

export interface EffectOverrides {
  /** Milliseconds for which the history hides the records of the call. */
  readonly hiddenFor?: number | undefined;
  readonly ends?:
    | { readonly resource: string; readonly status: string; readonly reason?: string | undefined }
    | undefined;
}

/**
 * Name of the job that gives a resource the final status set by a fault. The usual job has the same due time, but is scheduled later, so it
 * runs after this job.
 */
export const forcedEndJob = "endAsDemanded";

export class World<K extends DataByResource = DataByResource> {
  readonly plan: Plan;
  readonly clock: Clock;
  readonly transactions: Transactions = new Transactions();
  readonly ids: Ids;
  readonly ledger: Ledger = new Ledger(this.transactions);
  readonly records: Records<K>;
  readonly jobs: Jobs = new Jobs(this.transactions);
  readonly outbox: Outbox = new Outbox(this.transactions);
  readonly #hooks: WorldHooks<K>;
  readonly #webhooks: readonly PlanWebhook[];
  #now: number;
  #overrides: EffectOverrides = {};
  readonly #initialChanges: AssumptionChanges;
  #assumptions: Assumptions;
  #answers: Answers = {};
  #hasChangedAssumptions = false;
  readonly #sectionsRead = new Set<string>();
  #changedAssumptions: object = {};
  #target: EventAddress | null | undefined;
  onStep: ((step: Step) => void) | undefined;

  constructor(plan: Plan, hooks: WorldHooks<K>, { clock, seed, assume = {} }: WorldOptions) {
    this.plan = plan;
    this.#initialChanges = assume;
    this.#assumptions = this.#assumptionsWith({});
    this.clock = clock;
    clock.onMove = () => this.transactions.onChange?.();
    this.ids = new Ids(seed, this.transactions);
    this.records = new Records(plan.resources, this.transactions);
    this.#hooks = hooks;
    this.#webhooks = plan.webhooks.filter(({ name }) => !hooks.sentOnlyByBehaviours.includes(name));
    this.#now = clock.now;
  }

  /** The time of the current or last call or job, in milliseconds since 1970. It does not change while a call or job runs. */
  get now(): number {
    return this.#now;
  }

  get overrides(): EffectOverrides {
    return this.#overrides;
  }

  get sectionsRead(): readonly string[] {
    return [...this.#sectionsRead];
  }

  get assumptions(): Assumptions {
    return this.#assumptions;
  }

  get changedAssumptions(): object {
    return this.#changedAssumptions;
  }

  /** The chosen answers that differ from the default answer of their question. */
  get answers(): Answers {
    return this.#answers;
  }

  /** Whether an answer or a change has set any assumption, even to its value in `openapi/mock.yaml`. */
  get hasChangedAssumptions(): boolean {
    return this.#hasChangedAssumptions;
  }

  /**
   * The address set as receiver of events while the mock runs; null if the receiver was removed, or is a function in this process;
   * undefined if none was set.
   */
  get target(): EventAddress | null | undefined {
    return this.#target;
  }

  set target(target: EventAddress | null | undefined) {
    this.#target = target;
    this.transactions.onChange?.();
  }

  assume(changes: object): void {
    const previousChanges = this.#changedAssumptions;
    this.#setChangedAssumptions(mergeDeep(previousChanges, changes));
    this.transactions.record(() => this.#setChangedAssumptions(previousChanges));
  }

  #setChangedAssumptions(changedAssumptions: object): void {
    this.#changedAssumptions = changedAssumptions;
    this.#assumptions = this.#assumptionsWith(changedAssumptions);
  }

  chooseAnswers(chosenAnswers: Answers): void {
    const defaultAnswers = Object.keys(this.#answers).map((id) => [
      id,
      defaultAnswer(this.plan.questions[id] as PlanQuestion),
    ]);
    this.assume({ answers: { ...Object.fromEntries(defaultAnswers), ...chosenAnswers } });
  }

  #assumptionsWith(changedAssumptions: AssumptionChanges): Assumptions {
    const { answers = {}, ...values } = mergeDeep(this.#initialChanges, changedAssumptions);
    const changes = changesOfAnswers(this.plan, answers);
    this.#answers = Object.fromEntries(changes.map(([id]) => [id, answers[id] as string]));
    this.#hasChangedAssumptions = changes.length > 0 || Object.keys(values).length > 0;
    const parts = [...changes.map(([, change]) => change), values];
    return this.#recordReads(
      parts.reduce((assumptions: Assumptions, part) => mergeDeep(assumptions, part), this.plan.assumptions),
    );
  }

  /** The getters of the returned copy record which sections are read. */
  #recordReads(assumptions: Assumptions): Assumptions {
    const entries = Object.entries(assumptions).map(([name, section]) => {
      const getSection = () => {
        this.#sectionsRead.add(name);
        return section;
      };
      return [name, { get: getSection, enumerable: true }];
    });
    return Object.defineProperties({}, Object.fromEntries(entries)) as Assumptions;
  }

  /**
   * Runs `work` as one transaction. The caller must first run all jobs that are due by `time` ({@link runJobs}).
   *
   * @param time the value of {@link now} during the work, in milliseconds since 1970.
   */
  runAt<T>(time: number, work: () => T): T {
    this.#now = time;
    this.#sectionsRead.clear();
    return this.transactions.runAtomically(work);
  }

  withOverrides<T>(overrides: EffectOverrides, work: () => T): T {
    const previousOverrides = this.#overrides;
    this.#overrides = overrides;
    try {
      return work();
    } finally {
      this.#overrides = previousOverrides;
    }
  }

  runJobs(time: number): void {
    for (let due = this.jobs.nextDue; due <= time; due = this.jobs.nextDue) {
      try {
        this.runAt(due, () => this.#runJob(this.jobs.takeDue(due)));
      } catch (error) {
        // A failing job is a bug of the mock. The job is removed so that it does not fail again.
        this.runAt(due, () => this.jobs.takeDue(due));
        throw error;
      }
    }
  }

  schedule(seconds: number, job: keyof WorldHooks<K>["jobs"] & string, values: Readonly<Record<string, string>>): void {
    this.jobs.add(job, this.#now + seconds * 1000, values);
  }

  create<R extends keyof K & string>(resource: R, values: NewEntity<K[R]>): Entity<K[R]> {
    const entity = this.records.add(resource, { createdAt: this.#now, ...values });
    this.#scheduleForcedEnd(resource, values.id);
    this.onStep?.({ kind: "creates", resource, id: values.id, state: undefined, to: undefined });
    for (const state of Object.keys(entity.states)) this.#notify(entity, state);
    return entity;
  }

  move(entity: Entity, newValue: string, state = "status"): void {
    this.records.move(entity, newValue, state);
    this.onStep?.({ kind: "moves", resource: entity.resource, id: entity.id, state, to: newValue });
    this.#notify(entity, state);
  }

  #scheduleForcedEnd(resource: string, id: string): void {
    const { ends } = this.#overrides;
    if (ends?.resource !== resource) return;
    const { status, reason } = ends;
    const delays: object = this.assumptions.delays;
    const seconds = Number((delays as Readonly<Record<string, unknown>>)[resource] ?? 0);
    this.schedule(seconds, forcedEndJob, {
      resource,
      id,
      status,
      ...(reason === undefined ? {} : { reason }),
    });
  }

  send(webhook: string, entity: Entity, extraFields: object = {}): void {
    const planWebhook = this.plan.webhooks.find(({ name }) => name === webhook);
    if (planWebhook === undefined) throw new MockError(`There is no webhook ${webhook}.`);
    const body = { ...this.#hooks.eventOf(this, planWebhook, entity), ...extraFields };
    if (!planWebhook.validator(body)) {
      throw new MockError(
        `The event ${webhook} is not as the contract says: ${JSON.stringify(planWebhook.validator.errors)}`,
      );
    }
    this.outbox.add(
      webhook,
      this.#now,
      JSON.stringify(this.#hasChangedAssumptions ? this.#hooks.shapeBody(this, planWebhook, body) : body),
    );
  }

  hasJob(name: string): boolean {
    return Object.hasOwn(this.#hooks.jobs, name);
  }

  #runJob({ name = "", about: values = {} }: Partial<Job> = {}): void {
    const job = this.#hooks.jobs[name];
    if (job === undefined) throw new MockError(`There is no job ${name}.`);
    job(this, values);
  }

  #notify(entity: Entity, state: string): void {
    const value = entity.states[state] ?? "";
    const { everyChange, never } = this.assumptions.webhooks;
    for (const { name, resource, state: webhookState, after } of this.#webhooks) {
      if (resource !== entity.resource || webhookState !== state) continue;
      const isSent = (after.includes(value) || everyChange.includes(name)) && !never.includes(name);
      if (isSent) this.send(name, entity);
    }
  }
}

export interface Step {
  readonly kind: "creates" | "moves";
  readonly resource: string;
  readonly id: string;
  readonly state: string | undefined;
  readonly to: string | undefined;
}

/** A list is replaced as a whole. */
function mergeDeep<Type extends object>(value: Type, changes: object): Type {
  const entries = Object.entries(changes).map(([name, change]) => {
    const currentValue = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return [name, isObject(currentValue) && isObject(change) ? mergeDeep(currentValue, change) : change];
  });
  return entries.length === 0 ? value : { ...value, ...Object.fromEntries(entries) };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
