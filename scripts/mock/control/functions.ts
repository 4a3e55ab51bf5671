/** What a program sees and changes of a mock, beside its answers. */

import type { Edition } from "../plan/plan.ts";
import type { Service } from "../service.ts";
import type { Fault, WaitingFault } from "../tenants/faults.ts";
import type { SeenRequest, Tenant } from "../tenants/tenant.ts";
import type { Delivery } from "../webhooks/deliveries.ts";
import type { Target } from "../webhooks/target.ts";
import {
  type AffectedResource,
  type PossibleEvent,
  possibleEvents,
  redeliver,
  setTarget,
  triggerEvent,
} from "./actions.ts";
import { ControlError } from "./error.ts";
import { lengthOf, textOf, timeOf } from "./fields.ts";
import { judged } from "./judge.ts";
import { restoreState, type State, stateOf } from "./state.ts";
import {
  addFunds,
  type ExchangeOptions,
  type Funds,
  fundsOf,
  makeExchangeLock,
  makeUser,
  type UserOptions,
  type UserState,
} from "./users.ts";

/** A time: milliseconds since 1970, a date, or a text such as "2026-04-01T09:00:00Z". */
export type Time = number | string | Date;

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
    /** Creates a user, verified, extended and with money as the options say. One who exists is changed. */
    create(externalUserId: string, options?: UserOptions): UserState;
    verify(externalUserId: string): UserState;
    extend(externalUserId: string): UserState;
    /** @param funds decimal strings by currency, such as `{ eur: "100.00" }`. */
    fund(externalUserId: string, funds: Readonly<Record<string, string>>): UserState;
  };
  readonly partner: {
    /** @returns the funds afterwards. */
    fund(funds: Readonly<Record<string, string>>): Record<string, string>;
  };
  /** Creates a lock for an exchange: of a user, or of the partner with null. */
  lockExchange(externalUserId: string | null, exchange: ExchangeOptions): object;
  /**
   * Triggers an external event, such as `("sepaDeposit", "depositArrives", { externalUserId, amount: "10.00" })`.
   *
   * @param about what is told about it: the names that `possibleEvents` has in `takes`.
   */
  triggerEvent(resource: string, event: string, about?: Readonly<Record<string, unknown>>): AffectedResource;
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

/** The worlds of a service, wherever it is answered from. */
export interface MockControl extends MockWorldControl {
  /** The API key of this world. */
  readonly apiKey: string;
  /** The world of another API key. */
  tenant(key: string): MockWorldControl;
  /** The external events that are possible. */
  readonly possibleEvents: readonly PossibleEvent[];
}

/**
 * The functions that see and change the worlds of a service.
 *
 * @param service gives the service, which can be replaced by one with another contract.
 * @param key the API key whose world the functions see and change.
 */
export function controlService(
  service: () => Service,
  { edition, key }: { edition: Edition; key: string },
): MockControl {
  const controlOf = (wanted: string): MockWorldControl => {
    const find = () => {
      const tenant = service().tenants.of(wanted);
      if (tenant === undefined) throw new TypeError("The mock does not accept this API key. Name it in keys.");
      return tenant;
    };
    try {
      find();
    } catch (error) {
      // Where there is no room for it, the other worlds go on.
      if (!(error instanceof ControlError && error.status === 503)) throw error;
    }
    return controlOver(find, edition);
  };
  const rest = {
    apiKey: key,
    tenant: controlOf,
    get possibleEvents() {
      return possibleEvents(service().plan);
    },
  };
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
function controlOver(find: () => Tenant, edition: Edition): MockWorldControl {
  const judge = (operationId: string, value: unknown, name: string): never =>
    judged(find().session.world.plan, operationId, value, name) as never;
  const make = (externalUserId: string, options: unknown) => {
    const user = textOf(externalUserId, "externalUserId");
    const wanted: UserOptions = judge("makeUser", options, "The options");
    return find().change((world) => makeUser(world, user, wanted));
  };
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
      create: (externalUserId, options = {}) => make(externalUserId, options),
      verify: (externalUserId) => make(externalUserId, { verified: true }),
      extend: (externalUserId) => make(externalUserId, { extended: true }),
      fund: (externalUserId, funds) => make(externalUserId, { funds: funds ?? null }),
    },
    partner: {
      fund: (funds) => {
        const given: { funds: Funds } = judge("fundPartner", { funds: funds ?? null }, "The body");
        return find().change((world) => {
          addFunds(world, null, given.funds);
          return fundsOf(world, null);
        });
      },
    },
    lockExchange: (externalUserId, exchange) => {
      const owner = externalUserId === null ? null : textOf(externalUserId, "externalUserId");
      const wanted: ExchangeOptions = judge("lockExchange", exchange ?? null, "The exchange");
      return find().change((world) => makeExchangeLock(world, owner, wanted));
    },
    triggerEvent: (resource, event, about = {}) => triggerEvent({ tenant: find() }, resource, event, about),
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
    state: () => structuredClone(stateOf(find(), edition)),
    restore: (state) => restoreState(find(), judge("putState", structuredClone(state), "The state")),
  };
}
