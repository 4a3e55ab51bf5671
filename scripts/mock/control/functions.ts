import type { operations } from "../../client/src/entries/internal/index.ts";
import { readObject, readText, readTime } from "../checks/fields.ts";
import type { Time } from "../checks/time.ts";
import type {
  AffectedResource,
  Answers,
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
} from "../plan/control.ts";
import type { Edition } from "../plan/plan.ts";
import { unknownOperationError } from "../tenants/faults.ts";
import type { RequestFilter } from "../tenants/requests.ts";
import type { ResponsesTo } from "../tenants/scripted.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Target } from "../webhooks/target.ts";
import { type ControlCall, type ControlOperationId, possibleEvents, runControlOperation } from "./operations.ts";
import type { State } from "./state.ts";

type OperationId = keyof operations & string;
type RequestBody<Id extends OperationId> = operations[Id] extends { requestBody?: { content: infer Types } }
  ? Types[keyof Types]
  : undefined;
type DeepPartial<Type> = Type extends { readonly "~decimal": true }
  ? string
  : Type extends object
    ? { readonly [Key in keyof Type]?: DeepPartial<Type[Key]> }
    : Type;

export interface ExpectedCall<Id extends OperationId> {
  readonly operation: Id;
  /** The exact number of expected calls. When left out, at least one call is expected. */
  readonly times?: number | undefined;
  /** Members that the request body must have. The body may have more members. */
  readonly body?: DeepPartial<RequestBody<Id>> | undefined;
}

/** Observes and controls the world of one API key. */
export interface MockWorldControl {
  readonly clock: {
    readonly now: Date;
    /**
     * Lets time pass. Resolves when all jobs and deliveries due by the new time are done. Do not await this promise in a webhook handler,
     * because it would wait for this handler.
     *
     * @param duration milliseconds, or a text such as "2 days".
     */
    advance(duration: number | string): Promise<void>;
    /** Sets the time. Resolves, like {@link advance}, when all jobs and deliveries due by this time are done. */
    set(time: Time): Promise<void>;
    /** Stops the clock. If a time is given, also sets the time, as {@link set} does. */
    freeze(time?: Time): Promise<void>;
    /** Starts the clock again. */
    run(): Promise<void>;
  };
  readonly users: {
    /**
     * Creates a user, or changes an existing one. The options set the verification and the suspension, and add money. `attributes` can be
     * given only for a new user.
     */
    create(externalUserId: string, options?: UserOptions): User;
    verify(externalUserId: string): User;
    extend(externalUserId: string): User;
    /** Adds money to a user. @param funds decimal strings by currency, such as `{ eur: "100.00" }`. */
    fund(externalUserId: string, funds: Readonly<Record<string, string>>): User;
    /** The users that are not deleted, oldest first; if there are more than 1,000, only the newest 1,000. */
    readonly list: readonly User[];
  };
  readonly partner: {
    /** Adds money to the partner. @returns the partner's balances afterwards. */
    fund(funds: Readonly<Record<string, string>>): Balances;
  };
  /**
   * Locks the rate of an exchange. @param externalUserId null for an exchange by the partner. @returns the lock, as the operation returns
   * it.
   */
  lockExchange(externalUserId: string | null, exchange: Omit<ExchangeLock, "externalUserId">): object;
  /**
   * Triggers an external event, such as `("sepaDeposit", "depositArrives", { externalUserId, amount: "10.00" })`.
   *
   * @param about the fields of the event, which `openapi/resources.yaml` lists under `takes`. Without an id, most events apply to the
   * newest suitable resource.
   * @throws {TypeError} when there is no such event, a field is malformed, or the event is not possible now; the message says what is
   * possible.
   */
  triggerEvent<Name extends keyof ExternalEvents, Event extends keyof ExternalEvents[Name]>(
    resource: Name,
    event: Event,
    about?: ExternalEvents[Name][Event],
  ): AffectedResource;
  readonly faults: {
    add(fault: Fault): WaitingFault;
    /** Removes a fault. @param number the number of the fault, as returned by {@link add} and {@link list}. */
    remove(number: number): void;
    clear(): void;
    readonly list: readonly WaitingFault[];
  };
  /** The open questions by id. Each has the answer with which the world runs (`runs`), and all its answers. */
  readonly answers: object;
  /**
   * Chooses answers to open questions, such as `{ "Q-history-window": "Another time zone" }`. They replace all answers that were chosen
   * before.
   *
   * @throws {TypeError} when a question or an answer is unknown, or an answer cannot be run or contradicts another.
   */
  answer(chosenAnswers: Answers): object;
  /**
   * Sets the responses to an operation, in place of the mock's own rules, until a reset. Calls are logged, but change no state. Faults and
   * checks of the request do not apply; a `Prefer` header does.
   *
   * @param responses a response for every call; a list with one response for each call, after which the mock's own rules apply; or a function
   * of the request and the number of the call, which may return undefined for the mock's own response. Undefined restores the mock's own
   * rules. A response is a result of `success` or `failure` of `partner-wallet-api/testing`, or a Response. Over a port, a failure without a
   * response closes the connection, so its outcome is `unknown`.
   * @throws {TypeError} when there is no such operation, or a response is neither a result of a sent call nor a Response.
   * @example mock.respond("createTransfer", [failure("createTransfer", "timeout"), success("createTransfer")])
   */
  respond<Id extends OperationId>(operation: Id, responses: ResponsesTo<Id> | undefined): void;
  /** The current assumptions, described in `openapi/mock.yaml`. */
  readonly assumptions: object;
  /** Changes assumptions, such as a rate, a delay or a limit. @returns all assumptions. */
  assume(changes: Assume): object;
  /** The requests and their responses, oldest first; at most the newest 1,000. Sensitive values are masked. */
  readonly requests: readonly SeenRequest[];
  /** The requests that match a filter. Sensitive values are masked unless the filter asks for them. */
  listRequests(filter?: RequestFilter): readonly SeenRequest[];
  /**
   * Checks that an operation was called. Refused requests count too.
   *
   * @param expected such as `{ operation: "createTransfer", times: 1, body: { amount: "5.00" } }`. The request body may have more members.
   * @returns the number of matching calls.
   * @throws {TypeError} when there is no such operation, or the number of calls is not the expected one or no longer known; the message
   * says what was received.
   */
  verify<Id extends OperationId>(expected: ExpectedCall<Id>): number;
  /** The events with the results of their deliveries, oldest first; at most the newest 1,000. */
  readonly deliveries: readonly Delivery[];
  /** Sends an event once more. @param number the number of the delivery. */
  redeliver(number: number): Promise<Delivery>;
  /** Sets the receiver of events, also for pending retries. @param target undefined to send no events. */
  sendWebhooksTo(target: Target | undefined): void;
  /**
   * Resolves when no job is due and every started delivery has ended. Do not await this promise in a webhook handler, because it would wait
   * for this handler.
   */
  settle(): Promise<void>;
  /**
   * Resets the world to its initial state, including its clock. Faults, requests, events, and responses set with {@link respond} are
   * removed; the receiver of events stays.
   */
  reset(): void;
  /** Removes the world. The next use of its API key creates a new world. */
  end(): void;
  /** Returns the state as plain data, without faults, requests, events and their receiver. */
  state(): State;
  /** Restores the result of {@link state}. */
  restore(state: State): void;
}

type Service = Pick<ControlCall, "plan" | "tenants">;

/** Controls the worlds of a mock. */
export interface MockControl extends MockWorldControl {
  /** The API key of this world. */
  readonly apiKey: string;
  /** Returns the control of the world of another API key. */
  tenant(key: string): MockWorldControl;
  /** All external events that the mock can trigger, including those that the current state does not allow. */
  readonly possibleEvents: readonly PossibleEvent[];
}

/** @param getService returns the current service, which changes when the contract is replaced. */
export function makeMockControl(
  getService: () => Service,
  { edition, key }: { edition: Edition; key: string },
): MockControl {
  const controlOf = (apiKey: string): MockWorldControl => {
    const getTenant = () => {
      const tenant = getService().tenants.getOrCreate(apiKey);
      if (tenant === undefined) throw new TypeError("The mock does not accept this API key. Name it in keys.");
      return tenant;
    };
    getTenant();
    return makeWorldControl(getService, getTenant, edition);
  };
  const topLevel = {
    apiKey: key,
    tenant: controlOf,
    get possibleEvents() {
      return possibleEvents(getService().plan);
    },
  };
  return withProperties(topLevel, controlOf(key));
}

/** Getters are copied as getters, not as values. */
export function withProperties<First extends object, Second extends object>(
  base: First,
  extension: Second,
): First & Second {
  return Object.defineProperties(base, Object.getOwnPropertyDescriptors(extension)) as First & Second;
}

function makeWorldControl(getService: () => Service, getTenant: () => Tenant, edition: Edition): MockWorldControl {
  const run = <Id extends ControlOperationId>(
    id: Id,
    body?: unknown,
    bodyName = "The body",
    overrides: Partial<ControlCall> = {},
  ) => {
    const { plan, tenants } = getService();
    const call = { plan, edition, tenants, tenant: getTenant(), path: {}, query: {}, body, bodyName };
    return runControlOperation(id, { ...call, ...overrides });
  };
  const makeUser = (externalUserId: string, options: unknown) =>
    run("makeUser", options, "The options", { path: { externalUserId: readText(externalUserId, "externalUserId") } });
  const setClock = async (change: object) => void (await run("setClock", change));
  return {
    clock: {
      get now() {
        return new Date(getTenant().world.clock.now);
      },
      advance: (duration) => setClock({ advance: duration }),
      set: async (time) => setClock({ set: readTime(time, "set") }),
      freeze: async (time) => setClock({ freeze: time === undefined ? true : readTime(time, "freeze") }),
      run: () => setClock({ run: true }),
    },
    users: {
      create: (externalUserId, options = {}) => makeUser(externalUserId, options),
      verify: (externalUserId) => makeUser(externalUserId, { verified: true }),
      extend: (externalUserId) => makeUser(externalUserId, { extended: true }),
      fund: (externalUserId, funds) => makeUser(externalUserId, { funds: funds ?? null }),
      get list() {
        return run("listUsers");
      },
    },
    partner: { fund: (funds) => run("fundPartner", { funds: funds ?? null }).funds },
    lockExchange: (externalUserId, exchange) => {
      const owner = externalUserId === null ? null : readText(externalUserId, "externalUserId");
      return run("lockExchange", { ...exchange, externalUserId: owner }, "The exchange");
    },
    triggerEvent: (resource, event, about?: unknown) =>
      run("triggerEvent", { ...readObject(about ?? {}, "about"), resource, event }, "about"),
    faults: {
      add: (fault) => run("addFault", fault ?? null, "The fault"),
      remove: (number) => run("removeFault", undefined, "", { path: { number: String(number) } }),
      clear: () => run("clearFaults"),
      get list() {
        return run("listFaults");
      },
    },
    get answers() {
      return run("getAnswers");
    },
    answer: (chosenAnswers) => run("chooseAnswers", { ...chosenAnswers }, "The answers"),
    // There is no control operation for `respond`, because its responses can be a function, which cannot be sent over HTTP.
    respond: (operationId, responses) => {
      const tenant = getTenant();
      const { operations } = getService().plan;
      const operation = operations.find(
        (candidate) => candidate.operationId === operationId && candidate.editions.includes(edition),
      );
      if (operation === undefined) throw unknownOperationError(operationId, operations);
      tenant.ensureAdmitted();
      tenant.scriptedResponses.set(operation, responses);
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
      return getTenant().deliveries.list;
    },
    redeliver: async (number) => run("redeliver", undefined, "", { path: { number: String(number) } }),
    // Does not run the control operation `setWebhookTarget`, which takes only a URL: here, the target can also be a function.
    sendWebhooksTo: (target) => {
      getTenant().target = target;
    },
    settle: async () => run("settle"),
    reset: () => run("reset"),
    end: () => run("endWorld"),
    state: () => structuredClone(run("getState")),
    restore: (state) => run("putState", state, "The state"),
  };
}
