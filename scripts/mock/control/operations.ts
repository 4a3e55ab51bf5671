/** What the control interface does, by the operationId of `openapi/mock-control.yaml`: over HTTP and by the functions of a mock. */
import type { Edition, Plan } from "../plan/plan.ts";
import { type Fault, noOperation } from "../tenants/faults.ts";
import type { Expectation } from "../tenants/requests.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Tenants } from "../tenants/tenants.ts";
import {
  assertAllowed,
  clockOf,
  possibleEvents,
  redeliver,
  setClock,
  setTarget,
  triggerEvent,
  webhooksOf,
} from "./actions.ts";
import { assume, assumptionsOf } from "./assumptions.ts";
import { judged } from "./judge.ts";
import { restoreState, type State, stateOf } from "./state.ts";
import type { UserOptions } from "./users.ts";
import { addFunds, type ExchangeOptions, type Funds, fundsOf, makeExchangeLock, makeUser, usersOf } from "./users.ts";

/** What an operation is given. */
export interface ControlCall {
  readonly plan: Plan;
  readonly edition: Edition;
  readonly tenants: Tenants;
  readonly tenant: Tenant;
  /** The values of the path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** The values of the query parameters, with the types that the document has. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The body, as the document describes it; undefined where there is none. */
  readonly body: unknown;
  /** What the body is called in a message. */
  readonly name: string;
  /** Where else than to this machine events may be sent; undefined for anywhere. */
  readonly allowWebhookHost?: readonly string[] | undefined;
}

/** Each gives the body of the answer; undefined for none. */
export const operations = {
  getHealth: ({ plan, edition, tenants }) => ({ version: plan.version, edition, tenants: tenants.size }),
  settle: ({ tenant }) => tenant.timeline.settle(),
  getState: ({ tenant, edition }) => stateOf(tenant, edition),
  getAssumptions: ({ tenant }) => assumptionsOf(tenant),
  changeAssumptions: ({ tenant, body }) => assume(tenant, body),
  getClock: ({ tenant }) => clockOf(tenant),
  listFaults: ({ tenant }) => tenant.faults.list,
  addFault: ({ tenant, body }) => tenant.faults.add(body as Fault),
  removeFault: ({ tenant, path }) => tenant.faults.remove(Number(path.number)),
  clearFaults: ({ tenant }) => tenant.faults.clear(),
  listPossibleEvents: ({ plan }) => possibleEvents(plan),
  listRequests: ({ tenant, query }) => tenant.requests.list(query),
  verify: ({ tenant, plan, body }) => {
    const expected = body as Expectation;
    if (!plan.operations.some(({ operationId }) => operationId === expected.operation)) {
      throw noOperation(expected.operation, plan.operations);
    }
    return { count: tenant.requests.verify(expected) };
  },
  listDeliveries: ({ tenant, query: { after = -1, limit = 1000 } }) =>
    tenant.deliveries.list.slice(-Number(limit)).filter(({ number }) => number > Number(after)),
  redeliver: ({ tenant, path }) => redeliver(tenant, Number(path.number)),
  getWebhookTarget: ({ tenant }) => webhooksOf(tenant),
  reset: ({ tenant }) => tenant.reset(),
  putState: ({ tenant, body }) => restoreState(tenant, body as State),
  listUsers: ({ tenant }) => usersOf(tenant.world),
  makeUser: ({ tenant, path, body = {} }) =>
    tenant.change((world) => makeUser(world, path.externalUserId ?? "", body as UserOptions)),
  getPartner: ({ tenant }) => ({ funds: fundsOf(tenant.world, null) }),
  fundPartner: ({ tenant, body }) =>
    tenant.change((world) => {
      addFunds(world, null, (body as { funds: Funds }).funds);
      return { funds: fundsOf(world, null) };
    }),
  lockExchange: ({ tenant, body }) => {
    const { externalUserId = null, ...exchange } = body as ExchangeOptions & { externalUserId?: string | null };
    return tenant.change((world) => makeExchangeLock(world, externalUserId, exchange));
  },
  setClock: ({ tenant, body }) => setClock(tenant, body as Record<string, unknown>),
  triggerEvent: ({ tenant, body, name }) => triggerEvent(tenant, body as { resource: string; event: string }, name),
  setWebhookTarget: ({ tenant, body, allowWebhookHost }) => {
    const target = body as { url: string };
    assertAllowed(target, allowWebhookHost);
    setTarget(tenant, target);
    return webhooksOf(tenant);
  },
  clearWebhookTarget: ({ tenant }) => setTarget(tenant, undefined),
} satisfies Record<string, (call: ControlCall) => unknown>;

type Operations = typeof operations;
export type ControlOperationId = keyof Operations;

/**
 * Carries out an operation.
 *
 * @throws {ControlError} when the body is not as the document describes it, or the operation is not possible.
 */
export function carryOut<Id extends ControlOperationId>(id: Id, call: ControlCall): ReturnType<Operations[Id]> {
  judged(call.plan, id, call.body, call.name);
  return operations[id](call) as ReturnType<Operations[Id]>;
}
