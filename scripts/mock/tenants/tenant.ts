/** A tenant of the mock: the world of one API key, with its time, its deliveries and its faults. */

import { unitsFields } from "../behaviours/records.ts";
import type { Journal, JournalEntry } from "../journal/journal.ts";
import { type Change, MockFault, UnitRefused } from "../kernel/changes.ts";
import { Clock, type ClockState } from "../kernel/clock.ts";
import type { Unit } from "../kernel/data.ts";
import { loadSnapshot, snapshotOf, unitOf } from "../kernel/snapshot.ts";
import type { Edition, Plan, PlanOperation, Validator } from "../plan/plan.ts";
import type { RememberedDelivery } from "../webhooks/deliveries.ts";
import { Deliveries } from "../webhooks/deliveries.ts";
import type { Target, UrlTarget } from "../webhooks/target.ts";
import { Faults } from "./faults.ts";
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
  /** What everything that changes is written to; nothing where it is left out. */
  readonly journal?: Journal | undefined;
  /** Prepares a world that is new or was reset. */
  readonly prepare?: ((session: Session) => void) | undefined;
  /** Told what happens by itself and concerns whoever runs the mock: nothing sensitive. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** What a journal holds of a tenant: what a call changed, or everything. */
export interface TenantUnit extends Unit {
  /** Whether it begins with this, and all that was before is gone. */
  readonly isNew?: true;
  /** Whether it has nothing but what was made to be read. */
  readonly isIdle?: true;
  readonly clock?: ClockState;
  /** Where events are sent, as it was set while the mock ran. */
  readonly target?: UrlTarget | null | undefined;
  /** What became of events. */
  readonly deliveries?: readonly NumberedDelivery[];
}

type NumberedDelivery = RememberedDelivery & { readonly number: number };

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
  /** Whether anything has changed since it began, but for identifiers that were made to be read. */
  #hasData = false;
  #isReading = false;
  /** Whether the journal holds it. */
  #isKept = false;
  /** While it begins, nothing is written: what begins is written as a whole, with its first change. */
  #isBeginning = false;
  /** Where events are sent, as it was set while the mock runs; null for nowhere. */
  #target: UrlTarget | null | undefined;
  #keptTarget: UrlTarget | null | undefined;
  /** Of the clock, as the journal has it. */
  #keptClock: ClockState;
  /** What became of events that the journal does not know of yet. */
  #untold = new Map<number, NumberedDelivery>();
  /** Events that nobody is told of, as the journal has it already with what led to them. */
  readonly #told = new Set<number>();

  constructor(hash: string, options: TenantOptions) {
    const { plan, edition, seed, webhooks, onNote } = options;
    this.hash = hash;
    this.name = hash.slice(0, 8);
    this.#options = options;
    const clock = new Clock();
    this.session = new Session({ plan, seed: `${seed} ${hash}`, clock, onUnit: (made) => this.#keep(made) });
    this.deliveries = new Deliveries({ plan, clock, onDelivery: (delivery) => this.#keepDelivery(delivery) });
    this.faults = new Faults(plan, edition);
    const { session, deliveries } = this;
    this.timeline = new Timeline({
      session,
      deliveries,
      onFailure: (error) => onNote?.(`Tenant ${this.name}: ${describe(error)}`),
      keepClock: () => this.#keepClock(),
    });
    this.#begin();
    this.#forgetPast(webhooks);
    this.#keptClock = clock.state;
  }

  /** Whether anything has changed since it began, so that it must not be forgotten. */
  get hasData(): boolean {
    return this.#hasData;
  }

  /**
   * Carries a call out, and begins what follows from it.
   *
   * @throws {MockFault} when the answer is not as the contract says; nothing is left of the call then.
   * @throws {JournalError} when it cannot be written; nothing is left of the call then, either.
   */
  act(call: AcceptedCall): Acted {
    const { world, clock } = this.session;
    // Before the call, so that it is not undone with it.
    world.runJobs(clock.now);
    this.#isReading = call.operation.method.toLowerCase() === "get";
    try {
      return world.changes.atomically(() => checked(call, this.session.act(call)));
    } finally {
      this.#isReading = false;
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
    this.#renew(() => this.#begin());
    this.#forgetPast(this.deliveries.target);
    this.faults.clear();
    this.#hasData = false;
    this.timeline.wake();
  }

  /**
   * Gives it another world and another time. Deliveries and requests are forgotten.
   *
   * @param begin fills the world of the session, which is empty, and sets its time.
   * @throws what `begin` throws; everything is as before then.
   */
  restore(begin: () => void): void {
    this.#hasData = true;
    this.#renew(begin);
    this.#forgetPast(this.deliveries.target);
    this.timeline.wake();
  }

  /** Sends events somewhere else from now on. @throws {TypeError} when the target is malformed. */
  set target(target: Target | undefined) {
    const { deliveries } = this;
    const before = { kept: this.#target, target: deliveries.target };
    deliveries.target = target;
    // A function cannot be kept.
    this.#target = target === undefined || target.handler ? null : target;
    this.#tryOrElse(() => {
      this.#target = before.kept;
      deliveries.target = before.target;
    });
  }

  /**
   * Puts in what a journal holds. {@link resume} has to be called at the end.
   *
   * @throws {MockFault} when it does not fit the contract.
   */
  load({ isNew, isIdle, clock, target, deliveries = [], ...unit }: TenantUnit): void {
    this.#hasData = isIdle !== true;
    this.#isKept = true;
    if (isNew) {
      this.session.reset();
      this.#untold.clear();
    }
    loadSnapshot(this.session.world, unit, unitsFields);
    if (clock !== undefined) this.session.clock.state = clock;
    for (const delivery of deliveries) this.#untold.set(delivery.number, delivery);
    if (target === undefined) return;
    this.#target = target;
    this.#keptTarget = target;
    this.deliveries.target = target ?? undefined;
  }

  /** Goes on after {@link load}. */
  resume(): void {
    const known = this.#untold;
    this.#untold = new Map();
    this.#keptClock = this.session.clock.state;
    this.deliveries.resume(this.session.world.outbox, known);
    this.timeline.wake();
  }

  /** Everything, as entries of a journal; none where nothing has changed. */
  *entries(): Iterable<JournalEntry> {
    if (!this.#isKept) return;
    const lists: [string, readonly unknown[]][] = [];
    const rest: [string, unknown][] = [];
    for (const [name, value] of Object.entries(this.#everything())) {
      if (Array.isArray(value)) lists.push([name, value]);
      else rest.push([name, value]);
    }
    yield { tenant: this.hash, ...Object.fromEntries(rest) };
    for (const [name, list] of lists) {
      for (let from = 0; from < list.length; from += 1000) {
        yield { tenant: this.hash, ...(this.#hasData ? {} : { isIdle: true }), [name]: list.slice(from, from + 1000) };
      }
    }
  }

  close(): void {
    this.timeline.close();
  }

  /** Writes what changed before it counts. @throws {JournalError} when it cannot be written. */
  #keep(made: readonly Change[]): void {
    if (this.#isBeginning) return;
    const { world, clock } = this.session;
    const { journal } = this.#options;
    this.#hasData ||= !this.#isReading;
    if (journal !== undefined) {
      const { state } = clock;
      const fresh = this.#undelivered();
      const deliveries = [...this.#untold.values(), ...fresh];
      const changed: TenantUnit = {
        ...(this.#hasData ? {} : { isIdle: true }),
        ...unitOf(made, world),
        ...(isSame(state, this.#keptClock) ? {} : { clock: state }),
        ...(deliveries.length === 0 ? {} : { deliveries }),
        ...(this.#target === this.#keptTarget ? {} : { target: this.#target }),
      };
      journal.append({ tenant: this.hash, ...(this.#isKept ? changed : this.#everything()) });
      this.#isKept = true;
      this.#keptClock = state;
      this.#keptTarget = this.#target;
      this.#untold.clear();
      for (const { number } of fresh) this.#told.add(number);
    }
  }

  #everything(): TenantUnit {
    const { world } = this.session;
    const deliveries = [...this.deliveries.remembered, ...this.#undelivered()];
    const needed = new Set(deliveries.map(({ number }) => number));
    const next = this.deliveries.collected;
    return {
      isNew: true,
      ...(this.#hasData ? {} : { isIdle: true }),
      ...snapshotOf(world),
      target: this.#target,
      jobs: world.jobs.waiting,
      events: world.outbox.events.filter(({ number }) => number >= next || needed.has(number)),
      deliveries,
    };
  }

  /** The events that nothing has become of yet, while there is nowhere to send them. */
  #undelivered(): NumberedDelivery[] {
    if (this.deliveries.target !== undefined) return [];
    return this.session.world.outbox.since(this.deliveries.collected).map(({ number }) => undelivered(number));
  }

  /** What became of an event is known only afterwards. What cannot be written now is written with the next unit. */
  #keepDelivery({ number, attempts, state, tries }: NumberedDelivery): void {
    if (this.#isBeginning || this.#options.journal === undefined || this.#told.delete(number)) return;
    this.#untold.set(number, { number, attempts, state, tries });
    try {
      this.#keep([]);
    } catch {
      // The journal has told it.
    }
  }

  /** @throws {JournalError} when it cannot be written; the clock is as the journal has it then. */
  #keepClock(): void {
    if (isSame(this.session.clock.state, this.#keptClock)) return;
    this.#tryOrElse(() => {
      this.session.clock.state = this.#keptClock;
    });
    this.#keptClock = this.session.clock.state;
  }

  #tryOrElse(undo: () => void): void {
    try {
      this.#keep([]);
    } catch (error) {
      undo();
      throw error;
    }
  }

  /** Begins with another world, and writes it whole. @throws what `begin` throws; everything is as before then. */
  #renew(begin: () => void): void {
    const { session } = this;
    session.restore(() => {
      begin();
      const { journal } = this.#options;
      if (journal === undefined) return;
      const { world } = session;
      const deliveries = world.outbox.events.map(({ number }) => undelivered(number));
      const everything = { ...this.#everything(), events: world.outbox.events, deliveries };
      journal.append({ tenant: this.hash, ...everything });
      this.#isKept = true;
    });
    this.#keptTarget = this.#target;
    this.#keptClock = session.clock.state;
  }

  /** The events of what it is prepared with belong to the past, and are not sent. */
  #forgetPast(target: Target | undefined): void {
    this.#isBeginning = true;
    this.#untold.clear();
    this.#told.clear();
    this.requests.clear();
    this.deliveries.reset();
    this.deliveries.target = undefined;
    this.deliveries.collect(this.session.world.outbox);
    this.deliveries.target = target;
    this.#isBeginning = false;
  }

  #begin(): void {
    const { frozenAt = null } = this.#options;
    const { clock } = this.session;
    this.#isBeginning = true;
    try {
      clock.state = { offset: 0, frozenAt };
      this.#prepare();
      if (frozenAt !== null && frozenAt > clock.now) clock.freeze(frozenAt);
      this.session.world.runJobs(clock.now);
    } finally {
      this.#isBeginning = false;
    }
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

function undelivered(number: number): NumberedDelivery {
  return { number, attempts: [], state: "undelivered", tries: 0 };
}

function isSame(one: ClockState, other: ClockState): boolean {
  return one.offset === other.offset && one.frozenAt === other.frozenAt;
}

/** The validators of the answers of an operation with a status, once found. */
const judges = new WeakMap<PlanOperation, Map<number, readonly Validator[]>>();

function judgesOf(operation: PlanOperation, status: number): readonly Validator[] {
  const { operationId, answers, answerValidators } = operation;
  const byStatus = judges.get(operation) ?? new Map<number, readonly Validator[]>();
  judges.set(operation, byStatus);
  const known = byStatus.get(status);
  if (known !== undefined) return known;
  const media = answers.filter((answer) => answer.status === status).map(({ mediaType }) => mediaType);
  if (media.length === 0) throw new MockFault(`${operationId} answers ${status}, which it does not document.`);
  const found = [...new Set(media)].flatMap((mediaType) => answerValidators[`${status} ${mediaType}`] ?? []);
  byStatus.set(status, found);
  return found;
}

/** Compares the answer of a behaviour with the contract. */
function checked({ operation }: AcceptedCall, acted: Acted): Acted {
  const { operationId, answers } = operation;
  const { status, body, code } = acted;
  const validators = judgesOf(operation, status);
  // The schema of an open answer accepts any code.
  if (code !== undefined && !answers.some((answer) => answer.code === code)) {
    throw new MockFault(`${operationId} answers ${code}, which it does not document.`);
  }
  if (validators.length === 0 || validators.some((validator) => validator(body))) return acted;
  const problems = validators.flatMap(({ errors }) => errors ?? []);
  const told = problems.map(({ instancePath, message }) => `${instancePath} ${message}`.trim()).join("; ");
  throw new MockFault(`The answer ${status} of ${operationId} is not as the contract says: ${told}.`);
}

function describe(error: unknown): string {
  return error instanceof MockFault || error instanceof UnitRefused
    ? error.message
    : `failed with ${(error as Error).name}`;
}

/** A request that a tenant has sent. No header and no body is kept. */
export interface SeenRequest {
  /** Counts the requests of a tenant. */
  readonly number: number;
  /** When it was answered, in the time of the mock. */
  readonly at: string;
  readonly method: string;
  /** As it was sent, without its query. */
  readonly path: string;
  /** Undefined when no operation matches. */
  readonly operation: string | undefined;
  /** Of the answer; `drop` when the connection was closed without one. */
  readonly status: number | "drop";
  /** The P-code of the answer. */
  readonly code: string | undefined;
  /** Why it was answered so. */
  readonly notes: readonly string[];
}

/** Its time in milliseconds since 1970, which is written out only when somebody asks. */
type Seen = Omit<SeenRequest, "at"> & { readonly at: number };

/** How many requests are kept. */
const mostRequests = 1000;

/** The requests of a tenant, the newest ones only. */
export class RequestLog {
  #seen: Seen[] = [];
  #count = 0;

  /** Oldest first. */
  get list(): readonly SeenRequest[] {
    return this.#seen.slice(-mostRequests).map(({ at, ...seen }) => ({ ...seen, at: new Date(at).toISOString() }));
  }

  add(request: Omit<Seen, "number">): void {
    this.#seen.push({ number: this.#count, ...request });
    this.#count += 1;
    // Not with each request, since it moves all others.
    if (this.#seen.length >= 2 * mostRequests) this.#seen = this.#seen.slice(-mostRequests);
  }

  clear(): void {
    this.#seen = [];
    this.#count = 0;
  }
}
