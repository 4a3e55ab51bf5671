/** A tenant of the mock: the world of one API key, with its time, its deliveries and its faults. */

import type { Recording } from "../journal/recording.ts";
import { Clock, type ClockState } from "../kernel/clock.ts";
import { MockFault } from "../kernel/fault.ts";
import type { Edition, Plan } from "../plan/plan.ts";
import { Deliveries } from "../webhooks/deliveries.ts";
import type { RememberedDelivery } from "../webhooks/delivery.ts";
import type { Target } from "../webhooks/target.ts";
import { Faults } from "./faults.ts";
import { RequestLog } from "./request-log.ts";
import { type AcceptedCall, type Acted, Session } from "./session.ts";
import { Timeline } from "./timeline.ts";

type World = Session["world"];

export interface TenantOptions {
  readonly plan: Plan;
  /** The edition whose operations are answered. */
  readonly edition: Edition;
  /** Everything that looks random follows from it and from the key. */
  readonly seed: string;
  /** When the clock of a new tenant stands still, in milliseconds since 1970; it runs where it is left out. */
  readonly frozenAt?: number | undefined;
  /** Where a new tenant's events are sent; nowhere where it is left out. */
  readonly webhooks?: Target | undefined;
  /** What everything that is accepted is written to; nothing where it is left out. */
  readonly recording?: Recording | undefined;
  /** Prepares a world that is new or was reset. */
  readonly prepare?: ((session: Session) => void) | undefined;
  /** Told what happens by itself and concerns whoever runs the mock: nothing sensitive. */
  readonly onNote?: ((note: string) => void) | undefined;
}

export class Tenant {
  /** The hash of its key, a SHA-256 in hexadecimal digits. */
  readonly hash: string;
  /** Eight hexadecimal digits of it. */
  readonly name: string;
  readonly session: Session;
  readonly deliveries: Deliveries;
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly requests: RequestLog = new RequestLog();
  readonly #options: TenantOptions;
  /** How many events it was prepared with. */
  #preparedEvents = 0;

  constructor(hash: string, options: TenantOptions) {
    const { plan, edition, seed, webhooks, recording, onNote } = options;
    this.hash = hash;
    this.name = hash.slice(0, 8);
    this.#options = options;
    const clock = new Clock(recording?.machine);
    this.session = new Session({ plan, seed: `${seed} ${hash}`, clock });
    this.deliveries = new Deliveries({
      ...{ plan, clock },
      onDelivery: (delivery) => recording?.delivery(hash, clock.now, delivery),
    });
    if (recording?.isReplaying) this.deliveries.pause();
    this.faults = new Faults(plan, edition);
    const { session, deliveries } = this;
    this.timeline = new Timeline({
      session,
      deliveries,
      onFailure: (error) => onNote?.(`Tenant ${this.name}: ${describe(error)}`),
    });
    this.#begin(webhooks);
  }

  /**
   * Carries a call out, and begins what follows from it.
   *
   * @throws {MockFault} when the answer is not as the contract says; nothing is left of the call then.
   */
  act(call: AcceptedCall): Acted {
    const { world, clock } = this.session;
    // Before the call, so that it is not undone with it.
    world.runJobs(clock.now);
    try {
      return world.changes.atomically(() => {
        const acted = checked(call, this.session.act(call));
        if (world.changes.isAny) this.#options.recording?.call(this.hash, world.now, call);
        return acted;
      });
    } finally {
      this.timeline.wake();
    }
  }

  /** Changes the world from outside, whole or not at all, and begins what follows. @throws what the work throws. */
  change<Result>(work: (world: World) => Result): Result {
    const { world, clock } = this.session;
    const { now } = clock;
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
    this.session.reset();
    this.deliveries.reset();
    this.faults.clear();
    this.requests.clear();
    this.#begin(this.deliveries.target);
    this.timeline.wake();
  }

  /**
   * Gives it another world and another time. Deliveries and requests are forgotten.
   *
   * @param fill fills the world, which is empty.
   * @throws what `fill` throws; everything is as before then.
   */
  restore(fill: (world: World) => void, clock: ClockState): void {
    this.session.restore(fill);
    this.session.clock.state = clock;
    this.deliveries.reset();
    this.requests.clear();
    this.timeline.wake();
  }

  /** Goes on with deliveries after a replay, from what is known of them. */
  resume(known: ReadonlyMap<number, RememberedDelivery>): void {
    const untold: RememberedDelivery = { attempts: [], state: "undelivered", tries: 0 };
    const prepared = Array.from({ length: this.#preparedEvents }, (_, number) => [number, untold] as const);
    this.deliveries.resume(this.session.world.outbox, new Map([...prepared, ...known]));
    this.timeline.wake();
  }

  close(): void {
    this.timeline.close();
  }

  /** The events of what it is prepared with belong to the past, and are not sent. */
  #begin(target: Target | undefined): void {
    const { frozenAt = null } = this.#options;
    const { clock } = this.session;
    clock.state = { offset: 0, frozenAt };
    this.deliveries.target = undefined;
    this.#prepare();
    if (frozenAt !== null && frozenAt > clock.now) clock.freeze(frozenAt);
    this.session.world.runJobs(clock.now);
    this.deliveries.collect(this.session.world.outbox);
    this.#preparedEvents = this.session.world.outbox.events.length;
    this.deliveries.target = target;
  }

  /** A scenario that does not fit the contract, while somebody edits it, leaves the world empty. */
  #prepare(): void {
    try {
      this.#options.prepare?.(this.session);
    } catch (error) {
      if (!(error instanceof MockFault)) throw error;
      this.session.reset();
      this.session.clock.state = { offset: 0, frozenAt: this.#options.frozenAt ?? null };
      this.#options.onNote?.(`The scenario cannot be played, so that nothing is there yet: ${error.message}`);
    }
  }
}

/** Compares the answer of a behaviour with the contract. */
function checked({ operation }: AcceptedCall, acted: Acted): Acted {
  const { operationId, answers, answerValidators } = operation;
  const { status, body, code } = acted;
  const media = answers.filter((answer) => answer.status === status).map(({ mediaType }) => mediaType);
  if (media.length === 0) throw new MockFault(`${operationId} answers ${status}, which it does not document.`);
  // The schema of an open answer accepts any code.
  if (code !== undefined && !answers.some((answer) => answer.code === code)) {
    throw new MockFault(`${operationId} answers ${code}, which it does not document.`);
  }
  const validators = [...new Set(media)].flatMap((mediaType) => answerValidators[`${status} ${mediaType}`] ?? []);
  if (validators.length === 0 || validators.some((validator) => validator(body))) return acted;
  const problems = validators.flatMap(({ errors }) => errors ?? []);
  const told = problems.map(({ instancePath, message }) => `${instancePath} ${message}`.trim()).join("; ");
  throw new MockFault(`The answer ${status} of ${operationId} is not as the contract says: ${told}.`);
}

function describe(error: unknown): string {
  return error instanceof MockFault ? error.message : `failed with ${(error as Error).name}`;
}
