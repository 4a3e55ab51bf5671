/** The result of the scenario is the initial state of worlds. */

import type { MockWorld } from "../../behaviours/behaviour.ts";
import { eventTriggers } from "../../behaviours/index.ts";
import { ControlError } from "../../checks/error.ts";
import { Clock } from "../../kernel/clock.ts";
import { snapshotOf } from "../../kernel/snapshot.ts";
import { MockError } from "../../kernel/transactions.ts";
import type { Step as WorldStep } from "../../kernel/world.ts";
import type { Job, Snapshot } from "../../plan/data.ts";
import type { Plan, PlanScenario } from "../../plan/plan.ts";
import type { CallOutcome } from "../../response/replies.ts";
import { executeCall, makeWorld } from "../../tenants/act.ts";
import { Identifiers } from "./identifiers.ts";
import { applyState, createUncoveredTransfer, hasState, leadsTo } from "./outcomes.ts";
import { assertComplete, assertionsIn, type Body, callOf, type StateAssertion, type Step } from "./steps.ts";

export interface ScenarioResult {
  readonly state: Snapshot;
  readonly responses: readonly { readonly step: Step; readonly status: number; readonly body: unknown }[];
}

/**
 * Results and times of the scenario take precedence over the mock's scheduled jobs.
 *
 * @throws {MockError} or {ControlError} when a step is impossible.
 */
export function playScenario(plan: Plan, timeline: readonly Step[]): ScenarioResult {
  assertComplete(timeline);
  return new Player(plan, timeline).play();
}

export function scenarioState(plan: Plan, timeline: readonly Step[] | undefined): PlanScenario | undefined {
  if (timeline === undefined) return undefined;
  try {
    return playScenario(plan, timeline).state;
  } catch (error) {
    if (error instanceof MockError || error instanceof ControlError) return { problem: error.message };
    throw error;
  }
}

class Rollback extends Error {}

class Player {
  readonly #world: MockWorld;
  readonly #timeline: readonly Step[];
  readonly #assertions: readonly StateAssertion[];
  readonly #identifiers = new Identifiers();
  #pendingJobs: Job[] = [];
  #index = 0;

  constructor(plan: Plan, timeline: readonly Step[]) {
    this.#world = makeWorld(plan, { seed: "scenario", clock: new Clock(() => 0) });
    this.#timeline = timeline;
    this.#assertions = assertionsIn(timeline, plan);
  }

  play(): ScenarioResult {
    const responses = this.#timeline.flatMap((step, index) => {
      const outcome = this.#playStep(step, index);
      return outcome === undefined ? [] : [{ step, status: outcome.response.status, body: outcome.body }];
    });
    for (const { name, due, about } of this.#pendingJobs) this.#world.jobs.add(name, due, about);
    const state = snapshotOf(this.#world);
    return {
      state: this.#identifiers.toDocumented(state),
      responses: responses.map(({ body, ...response }) => ({
        ...response,
        body: this.#identifiers.toDocumented(body),
      })),
    };
  }

  #playStep(step: Step, index: number): CallOutcome | undefined {
    const time = Date.parse(step.at);
    this.#index = index;
    this.#runUntil(time);
    this.#world.clock.freeze(time);
    for (const assertion of this.#assertions) if (assertion.index === index) this.#ensureState(assertion, time);
    const outcome = this.#executeCall(step, time);
    if (step.event !== undefined) this.#triggerEvent(step, time);
    if (step.webhook !== undefined) this.#learnFromEvent(step);
    if (step.lasting) this.#keepOpen(outcome?.body);
    this.#collectJobs();
    return outcome;
  }

  #executeCall(step: Step, time: number): CallOutcome | undefined {
    const { operations } = this.#world.plan;
    const operation = operations.find(({ operationId }) => operationId === step.operation);
    if (operation === undefined) return undefined;
    const request = this.#identifiers.toGenerated({ path: step.path, query: step.query, body: step.body });
    const outcome = executeCall(this.#world, callOf(operation, request));
    const documentedBody = step.response as { transferId?: string } | undefined;
    if (outcome.response.code === "P433" && documentedBody?.transferId !== undefined) {
      const { transferId } = documentedBody;
      this.#world.runAt(time, () => createUncoveredTransfer(this.#world, request.body ?? {}, transferId));
      return { ...outcome, response: { ...outcome.response, status: step.status ?? 0 }, body: documentedBody };
    }
    this.#identifiers.learn(outcome.body, documentedBody);
    this.#copyCardDetails(outcome.body, documentedBody);
    return outcome;
  }

  /** Removes the scheduled jobs of a step, and sets the expiry of the resource that the step has created to the year 9999. */
  #keepOpen(generatedBody: unknown): void {
    const { jobs, plan, records } = this.#world;
    while (jobs.takeDue(Number.POSITIVE_INFINITY) !== undefined);
    for (const id of Object.values((generatedBody ?? {}) as Body)) {
      for (const resource of Object.keys(plan.resources)) {
        const record = records.findAny(resource, String(id));
        if (record && "expiresAt" in record.data) records.change(record, { expiresAt: Date.UTC(9999, 0) });
      }
    }
  }

  /** The CVV and the expiry date are too short to be replaced as identifiers. */
  #copyCardDetails(generatedBody: unknown, documentedBody: unknown): void {
    const { cardId } = (generatedBody ?? {}) as { cardId?: string };
    const card = cardId === undefined ? undefined : this.#world.records.find("card", cardId);
    if (card === undefined) return;
    const { cardNumber, cvv, exp } = { ...card.data, ...(documentedBody as object) };
    this.#world.records.change(card, { cardNumber, cvv, exp });
  }

  /** Missing fields are taken from the first body that reports a state of the resource. */
  #triggerEvent({ event = "", resource = "", id = "", body }: Step, time: number): void {
    const { externalEvents, id: idField = "" } = this.#world.plan.resources[resource] ?? {};
    const firstAssertion = this.#assertions.find((assertion) => assertion.resource === resource && assertion.id === id);
    const { status: _, amount, ...reportedFields } = firstAssertion?.body ?? {};
    const { to = [] } = externalEvents?.[event] ?? {};
    const fields = {
      externalUserId: null,
      ...reportedFields,
      ...(amount === undefined ? {} : { amount: String(amount).replace("-", "") }),
      ...(to.length > 1 && to.includes(firstAssertion?.value ?? "") ? { status: firstAssertion?.value } : {}),
      ...body,
      [idField]: id,
    };
    const trigger = eventTriggers[`${resource}.${event}`];
    const entity = this.#world.runAt(time, () => trigger?.(this.#world, this.#identifiers.toGenerated(fields)));
    this.#identifiers.learn(entity?.id, id);
  }

  #learnFromEvent({ webhook, body }: Step): void {
    const bodies = this.#world.outbox.events
      .filter((event) => event.webhook === webhook)
      .map((event) => JSON.parse(event.body) as Record<string, unknown>);
    const expectedBody = this.#identifiers.toGenerated(body ?? {});
    const eventBody = bodies.findLast((generatedBody) => {
      return ["id", "externalUserId", "currency", "status"].every((name) => generatedBody[name] === expectedBody[name]);
    });
    this.#identifiers.learn(eventBody, body);
  }

  #ensureState(assertionInScenario: StateAssertion, time: number): void {
    const assertion = this.#identifiers.toGenerated(assertionInScenario);
    if (hasState(this.#world, assertion)) return;
    this.#collectJobs();
    const overdueJobs = this.#pendingJobs
      .filter((job) => job.due <= time)
      .map((job) => ({ job, steps: this.#stepsOf(job, time).filter((step) => isChangeOf(step, assertion)) }))
      .filter(({ steps }) => steps.length > 0);
    this.#pendingJobs = this.#pendingJobs.filter((job) => !overdueJobs.some((candidate) => candidate.job === job));
    // An external event is tried before a job, because the event can use data of the scenario.
    if (this.#world.runAt(time, () => applyState(this.#world, assertion))) return;
    const { value } = assertion;
    const overdueJob = overdueJobs.find(({ steps }) => steps.some(({ to = value }) => to === value));
    if (overdueJob === undefined)
      throw new MockError(
        `Nothing makes ${assertionInScenario.resource} ${assertionInScenario.id} ${assertionInScenario.value}.`,
      );
    this.#runJob(overdueJob.job, time);
  }

  #runUntil(time: number): void {
    for (;;) {
      this.#collectJobs();
      const job = this.#pendingJobs.find((pendingJob) => pendingJob.due <= time && !this.#isHeldBack(pendingJob));
      if (job === undefined) return;
      this.#pendingJobs = this.#pendingJobs.filter((candidate) => candidate !== job);
      this.#runJob(job, job.due);
    }
  }

  /** A job must wait if a later step of the scenario reports another change of the same state. */
  #isHeldBack(job: Job): boolean {
    return this.#stepsOf(job, job.due).some((step) => {
      const nextAssertion = this.#assertions
        .filter(({ index, resource }) => index >= this.#index && resource === step.resource)
        .map((assertion) => this.#identifiers.toGenerated(assertion))
        .find((assertion) => isChangeOf(step, assertion) && !hasState(this.#world, assertion));
      return nextAssertion !== undefined && !leadsTo(this.#world, step, nextAssertion);
    });
  }

  #runJob({ name, about }: Job, time: number): void {
    this.#world.jobs.add(name, time, about);
    this.#world.runJobs(time);
  }

  /** Empty if the job fails. The job is run, and then rolled back. */
  #stepsOf(job: Job, time: number): readonly WorldStep[] {
    const steps: WorldStep[] = [];
    this.#world.onStep = (step) => steps.push(step);
    try {
      this.#world.transactions.runAtomically(() => {
        this.#runJob(job, time);
        throw new Rollback();
      });
    } catch (error) {
      if (error instanceof MockError) return [];
      if (!(error instanceof Rollback)) throw error;
    } finally {
      this.#world.onStep = undefined;
    }
    return steps;
  }

  #collectJobs(): void {
    const { jobs } = this.#world;
    for (
      let job = jobs.takeDue(Number.POSITIVE_INFINITY);
      job !== undefined;
      job = jobs.takeDue(Number.POSITIVE_INFINITY)
    ) {
      this.#pendingJobs.push(job);
    }
    this.#pendingJobs.sort((a, b) => a.due - b.due || a.number - b.number);
  }
}

function isChangeOf({ resource, id, state }: WorldStep, assertion: StateAssertion): boolean {
  return resource === assertion.resource && id === assertion.id && (state ?? assertion.state) === assertion.state;
}
