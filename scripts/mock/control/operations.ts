/** What the control interface does, by the operationId of `openapi/mock-control.yaml`. Bodies are judged before. */
import type { Edition, Plan } from "../plan/plan.ts";
import type { Fault } from "../tenants/faults.ts";
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
import { restoreState, type State, stateOf } from "./state.ts";
import {
  addFunds,
  type ExchangeOptions,
  type Funds,
  fundsOf,
  makeExchangeLock,
  makeUser,
  type UserOptions,
} from "./users.ts";

/** What an operation is given. */
export interface ControlCall {
  readonly plan: Plan;
  readonly edition: Edition;
  readonly tenants: Tenants;
  readonly tenant: Tenant;
  /** The values of the path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** The parsed body, as the document describes it; undefined where none was sent. */
  readonly body: unknown;
  /** Where else than to this machine events may be sent; undefined for anywhere. */
  readonly allowWebhookHost?: readonly string[] | undefined;
}

/** @returns the body of the answer; undefined for none. */
type Operation = (call: ControlCall) => unknown;

export const operations: Readonly<Record<string, Operation>> = {
  getHealth: ({ plan, edition, tenants }) => ({ version: plan.version, edition, tenants: tenants.size }),
  settle: ({ tenant }) => tenant.timeline.settle(),
  getState: ({ tenant, edition }) => stateOf(tenant, edition),
  getClock: ({ tenant }) => clockOf(tenant),
  listFaults: ({ tenant }) => tenant.faults.list,
  addFault: ({ tenant, body }) => tenant.faults.add(body as Fault),
  clearFaults: ({ tenant }) => tenant.faults.clear(),
  listPossibleEvents: ({ plan }) => possibleEvents(plan),
  listRequests: ({ tenant }) => tenant.requests.list,
  listDeliveries: ({ tenant }) => tenant.deliveries.list,
  redeliver: ({ tenant, path }) => redeliver(tenant, Number(path.number)),
  getWebhookTarget: ({ tenant }) => webhooksOf(tenant),
  reset: ({ tenant }) => tenant.reset(),
  putState: ({ tenant, body }) => restoreState(tenant, body as State),
  makeUser: ({ tenant, path, body = {} }) =>
    tenant.change((world) => makeUser(world, path.externalUserId ?? "", body as UserOptions)),
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
  triggerEvent: ({ tenant, body }) => {
    const { resource, event, ...about } = body as { resource: string; event: string };
    return triggerEvent({ tenant, given: "The body", others: ["resource", "event"] }, resource, event, about);
  },
  setWebhookTarget: ({ tenant, body, allowWebhookHost }) => {
    const target = body as { url: string };
    assertAllowed(target, allowWebhookHost);
    setTarget(tenant, target);
    return webhooksOf(tenant);
  },
  clearWebhookTarget: ({ tenant }) => setTarget(tenant, undefined),
};
