/** The whole service in the process, without a port. */

import { compiledEngine } from "./answer/engine.ts";
import { type Happened, happen, type PossibleEvent, possibleEvents, redeliver, setTarget } from "./control/actions.ts";
import { fundsOf as givenFunds, lengthOf, textOf, timeOf } from "./control/fields.ts";
import {
  addFunds,
  exchangeOf,
  fundsOf,
  type MadeUser,
  makeExchangeLock,
  makeUser,
  type UserWishes,
  type WishedExchange,
  wishesOf,
} from "./control/people.ts";
import { restoreState, type State, stateOf } from "./control/state.ts";
import { makeFetch, urls } from "./in-process.ts";
import type { Plan } from "./plan/plan.ts";
import { makeService, type Service } from "./service.ts";
import type { Fault, WaitingFault } from "./tenants/faults.ts";
import type { SeenRequest } from "./tenants/request-log.ts";
import type { Tenant } from "./tenants/tenant.ts";
import type { Delivery } from "./webhooks/delivery.ts";
import type { Target } from "./webhooks/target.ts";

/** A time: milliseconds since 1970, a date, or a text such as "2026-04-01T09:00:00Z". */
export type Time = number | string | Date;

export interface MockSettings {
  /** Everything that looks random follows from it: the same seed gives the same identifiers. */
  readonly seed?: string;
  /** The API key whose world the functions of the mock see and change; "mock-key" by default. */
  readonly key?: string;
  /** The API keys that are accepted, besides `key`; any by default. */
  readonly keys?: readonly string[];
  /** A time at which the clock stands still until it is moved; by default it runs. */
  readonly clock?: Time;
  /** Where events are sent: a URL, or a function that takes a Request, such as a webhook handler. */
  readonly webhooks?: Target;
  /** Each world begins with the scenario of the contract, so that the identifiers of the documentation are found. */
  readonly scenario?: boolean;
  /** Every success is the documented example, and nothing is kept. */
  readonly stateless?: boolean;
  /** The edition whose operations are answered; that of the plan by default. */
  readonly edition?: string;
  /** Told what happens by itself and should not, such as a tenant that had to be forgotten. */
  readonly onNote?: (note: string) => void;
}

export interface MockOptions extends MockSettings {
  /** What the mock knows of the contract. */
  readonly plan: Plan;
}

/** What is seen and changed of the world of one API key. */
export interface MockWorldControl {
  readonly clock: {
    readonly now: Date;
    /**
     * Lets time pass: milliseconds, or a text such as "2 days". Resolves when everything that was due has happened. Do not
     * await it in a webhook handler: it would wait for the handler itself.
     */
    advance(length: number | string): Promise<void>;
    /** Sets the time. What is due until then happens. */
    set(time: Time): Promise<void>;
    /** Lets the clock stand still, at a time or now. */
    freeze(time?: Time): Promise<void>;
    /** Lets the clock run on. */
    run(): Promise<void>;
  };
  readonly users: {
    /** Creates a user, verified, extended and with money as wished. One who exists is changed. */
    create(externalUserId: string, wishes?: UserWishes): MadeUser;
    verify(externalUserId: string): MadeUser;
    extend(externalUserId: string): MadeUser;
    /** @param funds decimal strings by currency, such as `{ eur: "100.00" }`. */
    fund(externalUserId: string, funds: Readonly<Record<string, string>>): MadeUser;
  };
  readonly partner: {
    /** @returns the funds afterwards. */
    fund(funds: Readonly<Record<string, string>>): Record<string, string>;
  };
  /** Creates a lock for an exchange: of a user, or of the partner with null. */
  lockExchange(externalUserId: string | null, exchange: WishedExchange): object;
  /**
   * Lets something happen outside, such as `("sepaDeposit", "depositArrives", { externalUserId, amount: "10.00" })`.
   *
   * @param about what is told about it: the names that `possibleEvents` has in `takes`.
   */
  happen(resource: string, happening: string, about?: Readonly<Record<string, unknown>>): Happened;
  readonly faults: { add(fault: Fault): WaitingFault; clear(): void; readonly list: readonly WaitingFault[] };
  /** The requests that were answered, oldest first; at most 1,000. */
  readonly requests: readonly SeenRequest[];
  /** The events and what became of them, oldest first; at most 1,000. */
  readonly deliveries: readonly Delivery[];
  /** Sends an event once more. @param number of the delivery. */
  redeliver(number: number): Promise<Delivery>;
  /** Where events are sent from now on; undefined for nowhere. */
  sendWebhooksTo(target: Target | undefined): void;
  /**
   * Resolves when nothing is due at the present time, and every event that was sent is answered. Do not await it in a webhook
   * handler: it would wait for the handler itself.
   */
  settle(): Promise<void>;
  /** Makes the world as it was at the start, its clock included. */
  reset(): void;
  /** Everything that is kept, as plain data. */
  state(): State;
  /** Gives the world what {@link state} gave. */
  restore(state: State): void;
}

export interface InProcessMock extends MockControl {
  /** Answers as the service would: give it to the client, with the two URLs. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  readonly baseUrl: string;
  readonly depositBaseUrl: string;
  /** All that the client needs: `createPartnerClient(mock.clientOptions)`. */
  readonly clientOptions: Readonly<Pick<InProcessMock, "fetch" | "baseUrl" | "depositBaseUrl" | "apiKey">>;
  /** Nothing happens by itself any more. */
  close(): void;
}

/**
 * Makes the service in the process.
 *
 * @throws {ControlError} when `clock` is no time.
 * @throws {TypeError} when `webhooks` is malformed.
 */
export function createMock(options: MockOptions): InProcessMock {
  const {
    plan,
    seed = "mock",
    key = "mock-key",
    keys,
    clock,
    webhooks,
    scenario,
    stateless,
    edition = plan.edition,
    onNote,
  } = options;
  const service = makeService({
    ...{ plan, seed, edition, webhooks, onNote, engine: compiledEngine, isStateless: stateless, hasScenario: scenario },
    keys: keys && [key, ...keys],
    frozenAt: clock === undefined ? undefined : timeOf(clock, "clock"),
    urlOf: (address) => urls[address],
  });
  const clientOptions = {
    fetch: makeFetch(service.handle),
    baseUrl: urls.base_url,
    depositBaseUrl: urls.deposit_base_url,
    apiKey: key,
  };
  const about = { ...clientOptions, clientOptions, close: service.close };
  return withProperties(about, controlService(service, { plan, edition, key }));
}

/** The worlds of a service, wherever it is answered from. */
export interface MockControl extends MockWorldControl {
  /** The API key of this world. */
  readonly apiKey: string;
  /** The world of another API key. */
  tenant(key: string): MockWorldControl;
  /** Everything that can happen outside. */
  readonly possibleEvents: readonly PossibleEvent[];
}

/** @param key the API key whose world the functions see and change. */
export function controlService(
  service: Service,
  { plan, edition, key }: { plan: Plan; edition: string; key: string },
): MockControl {
  const controlOf = (wanted: string): MockWorldControl => {
    const find = () => {
      const tenant = service.tenants.of(wanted);
      if (tenant === undefined) throw new TypeError("The mock does not accept this API key. Name it in keys.");
      return tenant;
    };
    find();
    return controlOver(find, plan, edition);
  };
  const rest = { apiKey: key, tenant: controlOf, possibleEvents: possibleEvents(plan) };
  return withProperties(rest, controlOf(key));
}

/** Adds the properties of another object, those that are calculated each time as well. */
export function withProperties<First extends object, Second extends object>(
  first: First,
  second: Second,
): First & Second {
  return Object.defineProperties(first, Object.getOwnPropertyDescriptors(second)) as First & Second;
}

/** @param find gives the tenant, which is looked up each time: one that was forgotten begins anew. */
function controlOver(find: () => Tenant, plan: Plan, edition: string): MockWorldControl {
  const make = (externalUserId: string, wishes: UserWishes) =>
    find().change((world) => makeUser(world, textOf(externalUserId, "externalUserId"), wishes));
  return {
    clock: {
      get now() {
        return new Date(find().timeline.now);
      },
      advance: async (length) => find().timeline.advance(lengthOf(length, "advance")),
      set: async (time) => find().timeline.set(timeOf(time, "set")),
      freeze: async (time) => find().timeline.freeze(time === undefined ? undefined : timeOf(time, "freeze")),
      run: async () => find().timeline.run(),
    },
    users: {
      create: (externalUserId, wishes = {}) => make(externalUserId, wishesOf(wishes, "The wishes")),
      verify: (externalUserId) => make(externalUserId, { verified: true }),
      extend: (externalUserId) => make(externalUserId, { extended: true }),
      fund: (externalUserId, funds) => make(externalUserId, { funds: givenFunds(funds, "funds") }),
    },
    partner: {
      fund: (funds) =>
        find().change((world) => {
          addFunds(world, null, givenFunds(funds, "funds"));
          return fundsOf(world, null);
        }),
    },
    lockExchange: (externalUserId, exchange) => {
      const owner = externalUserId === null ? null : textOf(externalUserId, "externalUserId");
      return find().change((world) => makeExchangeLock(world, owner, exchangeOf(exchange, "The exchange")));
    },
    happen: (resource, happening, about = {}) => happen({ plan, tenant: find() }, resource, happening, about),
    faults: {
      add: (fault) => find().faults.add(fault),
      clear: () => find().faults.clear(),
      get list() {
        return find().faults.list;
      },
    },
    get requests() {
      return find().requests.list;
    },
    get deliveries() {
      return find().deliveries.list;
    },
    redeliver: (number) => redeliver(find(), number),
    sendWebhooksTo: (target) => setTarget(find(), target),
    settle: () => find().timeline.settle(),
    reset: () => find().reset(),
    state: () => stateOf(find(), edition),
    restore: (state) => restoreState(find(), structuredClone(state)),
  };
}
