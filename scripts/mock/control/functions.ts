/** What a program sees and changes of a mock, beside its responses. */

import type { operations } from "../../../generated/client/types.ts";
import type {
  AffectedResource,
  Assume,
  Balances,
  Delivery,
  ExchangeLock,
  ExternalEvents,
  Fault,
  PossibleEvent,
  SeenRequest,
  User,
  UserOptions,
  WaitingFault,
} from "../../../generated/control/types.ts";
import { objectOf, textOf, timeOf } from "../checks/fields.ts";
import type { Time } from "../checks/time.ts";
import type { Edition, Plan } from "../plan/plan.ts";
import type { RequestFilter } from "../tenants/requests.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Tenants } from "../tenants/tenants.ts";
import type { Target } from "../webhooks/target.ts";
import { type ControlCall, type ControlOperationId, carryOut, possibleEvents } from "./operations.ts";
import type { State } from "./state.ts";

type OperationId = keyof operations & string;
type SentBody<Id extends OperationId> = operations[Id] extends { requestBody?: { content: infer Types } }
  ? Types[keyof Types]
  : undefined;
/** Some of the members of a value. */
type PartOf<Type> = Type extends { readonly "~decimal": true }
  ? string
  : Type extends object
    ? { readonly [Key in keyof Type]?: PartOf<Type[Key]> }
    : Type;

/** A call that is expected. */
export interface ExpectedCall<Id extends OperationId> {
  readonly operation: Id;
  /** At least one where it is left out. */
  readonly times?: number | undefined;
  /** The members that the body must have. */
  readonly body?: PartOf<SentBody<Id>> | undefined;
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
    /** Creates a user, verified, extended and with money as the options say. One who exists is changed. */
    create(externalUserId: string, options?: UserOptions): User;
    verify(externalUserId: string): User;
    extend(externalUserId: string): User;
    /** @param funds decimal strings by currency, such as `{ eur: "100.00" }`. */
    fund(externalUserId: string, funds: Readonly<Record<string, string>>): User;
    /** The users who are present, the newest 1,000, oldest first. */
    readonly list: readonly User[];
  };
  readonly partner: {
    /** @returns the funds afterwards. */
    fund(funds: Readonly<Record<string, string>>): Balances;
  };
  /** Creates a lock for an exchange: of a user, or of the partner with null. */
  lockExchange(externalUserId: string | null, exchange: Omit<ExchangeLock, "externalUserId">): object;
  /**
   * Triggers an external event, such as `("sepaDeposit", "depositArrives", { externalUserId, amount: "10.00" })`.
   *
   * @param about fields of the event, which `openapi/resources.yaml` lists as `takes`. Without an id it is about the newest resource.
   * @throws {TypeError} when the event is not possible now; the message says what is.
   */
  triggerEvent<Name extends keyof ExternalEvents, Event extends keyof ExternalEvents[Name]>(
    resource: Name,
    event: Event,
    about?: ExternalEvents[Name][Event],
  ): AffectedResource;
  readonly faults: {
    add(fault: Fault): WaitingFault;
    /** @param number of the fault, as {@link add} and {@link list} have it. */
    remove(number: number): void;
    clear(): void;
    readonly list: readonly WaitingFault[];
  };
  /** What the mock assumes where nobody states it, as `openapi/mock.yaml` says it. */
  readonly assumptions: object;
  /** Assumes something else from now on: a rate, a delay, a limit. @returns all assumptions. */
  assume(changes: Assume): object;
  /** The requests that were answered with their bodies, oldest first; at most 1,000. What is sensitive is masked. */
  readonly requests: readonly SeenRequest[];
  /** Some of them, and what is sensitive where it is asked for. */
  listRequests(filter?: RequestFilter): readonly SeenRequest[];
  /**
   * Checks that an operation was called, such as `{ operation: "createTransfer", times: 1, body: { amount: "5.00" } }`. A body can
   * have more members than those that are given. Requests that were refused count too.
   *
   * @returns how often it was called.
   * @throws {TypeError} when it was not called as often as expected; the message says what came instead.
   */
  verify<Id extends OperationId>(expected: ExpectedCall<Id>): number;
  /** The events with the results of their deliveries, oldest first; at most 1,000. */
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
  /** Ends the world. With its next use the key begins a new one. */
  end(): void;
  /** Everything that is kept, as plain data. */
  state(): State;
  /** Gives the world what {@link state} gave. */
  restore(state: State): void;
}

/** A running service, as far as its worlds are concerned. */
interface Service {
  readonly plan: Plan;
  readonly tenants: Tenants;
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
    find();
    return controlOver(service, find, edition);
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
function controlOver(service: () => Service, find: () => Tenant, edition: Edition): MockWorldControl {
  /** @param name what the body is called in a message. */
  const run = <Id extends ControlOperationId>(
    id: Id,
    body?: unknown,
    name = "The body",
    rest: Partial<ControlCall> = {},
  ) => {
    const { plan, tenants } = service();
    return carryOut(id, { plan, edition, tenants, tenant: find(), path: {}, query: {}, body, name, ...rest });
  };
  const make = (externalUserId: string, options: unknown) =>
    run("makeUser", options, "The options", { path: { externalUserId: textOf(externalUserId, "externalUserId") } });
  const setClock = async (change: object) => void (await run("setClock", change));
  return {
    clock: {
      get now() {
        return new Date(find().clock.now);
      },
      advance: (length) => setClock({ advance: length }),
      set: async (time) => setClock({ set: timeOf(time, "set") }),
      freeze: async (time) => setClock({ freeze: time === undefined ? true : timeOf(time, "freeze") }),
      run: () => setClock({ run: true }),
    },
    users: {
      create: (externalUserId, options = {}) => make(externalUserId, options),
      verify: (externalUserId) => make(externalUserId, { verified: true }),
      extend: (externalUserId) => make(externalUserId, { extended: true }),
      fund: (externalUserId, funds) => make(externalUserId, { funds: funds ?? null }),
      get list() {
        return run("listUsers");
      },
    },
    partner: { fund: (funds) => run("fundPartner", { funds: funds ?? null }).funds },
    lockExchange: (externalUserId, exchange) => {
      const owner = externalUserId === null ? null : textOf(externalUserId, "externalUserId");
      return run("lockExchange", exchange && { ...exchange, externalUserId: owner }, "The exchange");
    },
    triggerEvent: (resource, event, about?: unknown) =>
      run("triggerEvent", { ...objectOf(about ?? {}, "about"), resource, event }, "about"),
    faults: {
      add: (fault) => run("addFault", fault ?? null, "The fault"),
      remove: (number) => run("removeFault", undefined, "", { path: { number: String(number) } }),
      clear: () => run("clearFaults"),
      get list() {
        return run("listFaults");
      },
    },
    get assumptions() {
      return run("getAssumptions");
    },
    assume: (changes) => run("changeAssumptions", structuredClone(changes), "The assumptions"),
    get requests() {
      return run("listRequests");
    },
    listRequests: (filter = {}) => run("listRequests", undefined, "", { query: { ...filter } }),
    verify: (expected) => run("verify", expected ?? null, "The expectation").count,
    get deliveries() {
      return find().deliveries.list;
    },
    redeliver: async (number) => run("redeliver", undefined, "", { path: { number: String(number) } }),
    // A function can be given here, and no document describes one.
    sendWebhooksTo: (target) => {
      find().target = target;
    },
    settle: async () => run("settle"),
    reset: () => run("reset"),
    end: () => run("endWorld"),
    state: () => structuredClone(run("getState")),
    restore: (state) => run("putState", state, "The state"),
  };
}
