/** Attempts are due by the mock's clock; timeouts are in real time. */

import { ControlError } from "../checks/error.ts";
import type { Clock } from "../kernel/clock.ts";
import { maxEvents as maxRemembered, type Outbox } from "../kernel/outbox.ts";
import type { Assumptions } from "../plan/assumptions.ts";
import type { Delivery } from "../plan/control.ts";
import type { DeliveryRecord, Event } from "../plan/data.ts";
import type { Plan } from "../plan/plan.ts";
import { AttemptSchedule, type StartedAttempt } from "./attempt-schedule.ts";
import { initialDelivery, type OpenDelivery, snapshotOf } from "./open-delivery.ts";
import { orderAmongReversed, ReversedEvents } from "./reversed-events.ts";
import { acknowledgedStatus, attempt, type Outcome, responseTimeoutMs, type Send } from "./send.ts";
import { checkTarget, type Target } from "./target.ts";

export interface DeliveriesOptions {
  readonly plan: Pick<Plan, "webhooks" | "delivery">;
  /** When left out, the rules of the contract apply. */
  readonly getRules?: (() => Assumptions["webhooks"]) | undefined;
  readonly clock: Clock;
  readonly target?: Target | undefined;
  readonly timeoutMs?: number | undefined;
  readonly send?: Send | undefined;
  readonly faultOf?: ((event: Event) => EventFault | undefined) | undefined;
  readonly onDelivery?: ((delivery: OpenDelivery) => void) | undefined;
}

export interface EventFault {
  readonly deliver: "never" | "twice" | "late" | "reversed";
  /** The delay of a late event, or the maximum waiting time of a reversed event, in milliseconds by the clock of the world. */
  readonly delay: number;
  /** The webhook of the event that a reversed event waits for; undefined for an event of any webhook. */
  readonly webhook: string | undefined;
}

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #clock: Clock;
  readonly #schedule: AttemptSchedule = new AttemptSchedule((record, due) => this.#start(record, due));
  #target: Target | undefined;
  #outbox: Outbox | undefined;
  #records: OpenDelivery[] = [];
  #reversedEvents = new ReversedEvents();
  #abortController = new AbortController();

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.target = options.target;
  }

  get target(): Target | undefined {
    return this.#target;
  }

  set target(target: Target | undefined) {
    if (target !== undefined) checkTarget(target, this.#options.plan);
    this.#target = target;
  }

  get list(): readonly Delivery[] {
    return this.#records.slice(-maxRemembered).map(snapshotOf);
  }

  get nextDue(): number | undefined {
    return this.#schedule.nextDue;
  }

  get inProgress(): readonly Delivery[] {
    return this.#schedule.inProgress.map(snapshotOf);
  }

  resume(outbox: Outbox): void {
    this.reset();
    this.#outbox = outbox;
    for (const { isUndelivered, ...event } of outbox.takeNew()) {
      const initialState = isUndelivered ? { ...initialDelivery, state: "undelivered" as const } : initialDelivery;
      const storedDelivery: DeliveryRecord = outbox.deliveryOf(event.number) ?? {
        ...initialState,
        number: event.number,
      };
      const { attempts, state, tries, due: firstDue = event.at, repeats = 0 } = storedDelivery;
      const record: OpenDelivery = { ...event, path: this.#pathOf(event.webhook), attempts, state, tries, repeats };
      this.#records.push(record);
      const lastAttempt = attempts.at(-1);
      const due = lastAttempt === undefined ? firstDue : lastAttempt.at + (this.#delayAfter(tries) ?? 0);
      if (state === "pending") this.#schedule.set(record, due);
      else if (state === "delivered" && repeats > 0 && lastAttempt !== undefined)
        this.#schedule.set(record, lastAttempt.at);
    }
    this.#records = this.#records.slice(-maxRemembered);
  }

  collect(outbox: Outbox): void {
    this.#outbox = outbox;
    for (const { isUndelivered, ...event } of outbox.takeNew()) {
      const record: OpenDelivery = { ...event, path: this.#pathOf(event.webhook), ...initialDelivery };
      this.#records.push(record);
      if (isUndelivered || this.#target === undefined) record.state = "undelivered";
      else this.#scheduleFirst(record, this.#options.faultOf?.(event));
    }
    // The list is shortened only at twice the limit, because removing its first items moves all others.
    if (this.#records.length >= 2 * maxRemembered) this.#records = this.#records.slice(-maxRemembered);
  }

  deliverDue(time: number): Promise<void> {
    return this.#schedule.runUntil(time);
  }

  /**
   * Delivers an event again immediately, whatever its state. Scheduled attempts remain, unless the receiver acknowledges the event.
   *
   * @throws {ControlError} when there is no such delivery, or no receiver.
   */
  async redeliver(number: number): Promise<Delivery> {
    const record = this.#records.slice(-maxRemembered).find((candidate) => candidate.number === number);
    if (record === undefined) throw new ControlError(`There is no delivery ${number} among the last ${maxRemembered}.`);
    record.path = this.#pathOf(record.webhook);
    if (this.#target === undefined) throw new ControlError(`Delivery ${number} cannot be made: set a target first.`);
    const { now } = this.#clock;
    const signal = this.#abortController.signal;
    const outcome = await this.#attempt(record, this.#target);
    if (signal.aborted) return snapshotOf(record);
    this.#append(record, now, outcome);
    if (outcome.status === acknowledgedStatus) this.#schedule.remove(record);
    // A failed redelivery changes only the states `undelivered` and `lost`.
    const failedState = ["undelivered", "lost"].includes(record.state) ? "failed" : record.state;
    this.#setState(record, outcome.status === acknowledgedStatus ? "delivered" : failedState);
    return snapshotOf(record);
  }

  reset(): void {
    this.#abortController.abort();
    this.#abortController = new AbortController();
    this.#records = [];
    this.#reversedEvents = new ReversedEvents();
    this.#schedule.reset();
  }

  #scheduleFirst(record: OpenDelivery, fault: EventFault | undefined): void {
    const { at, webhook } = record;
    if (fault?.deliver === "never") {
      this.#setState(record, "lost");
      return;
    }
    if (fault?.deliver === "reversed") {
      const due = this.#reversedEvents.add(record, fault.delay, fault.webhook);
      this.#store(Object.assign(record, { due }));
      this.#schedule.set(record, due, orderAmongReversed(record));
      return;
    }
    const reversedEvents = this.#reversedEvents.take(webhook);
    for (const reversedRecord of reversedEvents)
      this.#schedule.set(reversedRecord, at, orderAmongReversed(reversedRecord));
    const due = fault?.deliver === "late" ? at + fault.delay : at;
    if (fault !== undefined) this.#store(Object.assign(record, { due, repeats: fault.deliver === "twice" ? 1 : 0 }));
    this.#schedule.set(record, due, reversedEvents.length > 0 ? orderAmongReversed(record) : record.number);
  }

  #start(record: OpenDelivery, due: number): StartedAttempt | undefined {
    record.path = this.#pathOf(record.webhook);
    if (this.#target === undefined) {
      this.#setState(record, "undelivered");
      return undefined;
    }
    record.tries += 1;
    const startedAt = this.#clock.now;
    return {
      nextDue: due + (this.#delayAfter(record.tries) ?? Infinity),
      outcome: this.#attempt(record, this.#target),
      finish: (outcome) => {
        // The elapsed time is at most the timeout, even if a test moves the clock during the attempt.
        const { timeoutMs = responseTimeoutMs } = this.#options;
        const elapsed = Math.min(Math.max(0, this.#clock.now - startedAt), timeoutMs);
        this.#finish(record, due, elapsed, outcome);
      },
    };
  }

  #finish(record: OpenDelivery, due: number, elapsed: number, outcome: Outcome): void {
    this.#append(record, due, outcome);
    const isDelivered = record.state === "delivered" || outcome.status === acknowledgedStatus;
    const isGivenUp = this.#options.getRules?.().giveUpAfter.includes(outcome.status ?? 0) === true;
    const delay = isDelivered || isGivenUp ? undefined : this.#delayAfter(record.tries);
    if (delay !== undefined) this.#schedule.set(record, due + elapsed + delay);
    else if (outcome.status === acknowledgedStatus && record.repeats) {
      record.repeats -= 1;
      this.#schedule.set(record, due + elapsed);
    }
    this.#setState(record, isDelivered ? "delivered" : delay === undefined ? "failed" : "pending");
  }

  #attempt({ path, body }: OpenDelivery, target: Target): Promise<Outcome> {
    const { send, timeoutMs = responseTimeoutMs } = this.#options;
    const { authentication } = this.#options.getRules?.() ?? {};
    return attempt(
      { target, path, body, authentication },
      { stopSignal: this.#abortController.signal, send, timeoutMs },
    );
  }

  #append(record: OpenDelivery, time: number, outcome: Outcome): void {
    record.attempts = [...record.attempts, { at: time, ...outcome }];
  }

  #pathOf(name: string): string {
    const documentedWebhook = this.#options.plan.webhooks.find((webhook) => webhook.name === name);
    return this.#target?.paths?.[name] || this.#options.getRules?.().paths[name] || (documentedWebhook?.path ?? "");
  }

  #setState(record: OpenDelivery, state: Delivery["state"]): void {
    record.state = state;
    this.#store(record);
    this.#options.onDelivery?.({ ...record });
  }

  #store({ number, attempts, state, tries, due, repeats }: OpenDelivery): void {
    this.#outbox?.storeDelivery({ number, attempts, state, tries, ...(due && { due }), ...(repeats && { repeats }) });
  }

  /** Milliseconds; undefined after the last attempt. @param attempts the number of attempts so far. */
  #delayAfter(attempts: number): number | undefined {
    const { attempts: documentedAttempts, delays } = this.#options.plan.delivery;
    const maxAttempts = this.#options.getRules?.().attempts ?? documentedAttempts;
    const seconds = delays[attempts - 1] ?? delays.at(-1);
    return attempts >= maxAttempts || seconds === undefined ? undefined : seconds * 1000;
  }
}
