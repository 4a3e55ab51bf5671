/** What the control interface can do, by method and path. `openapi/mock-control.yaml` describes it. */

import type { Edition, Plan } from "../plan/plan.ts";
import type { Fault } from "../tenants/faults.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Tenants } from "../tenants/tenants.ts";
import type { Target } from "../webhooks/target.ts";
import { clockOf, happen, possibleEvents, redeliver, setClock, setTarget, webhooksOf } from "./actions.ts";
import { type Fields, fundsOf, objectOf, textOf } from "./fields.ts";
import { addFunds, exchangeOf, makeExchangeLock, makeUser, fundsOf as presentFunds, wishesOf } from "./people.ts";
import { restoreState, stateOf } from "./state.ts";

/** What a route is given. */
export interface ControlCall {
  readonly plan: Plan;
  readonly edition: Edition;
  readonly tenants: Tenants;
  readonly tenant: Tenant;
  /** The values of the path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** The parsed body; undefined where none was sent. */
  readonly body: unknown;
}

export interface ControlRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** A path template below {@link controlPath}. */
  readonly path: string;
  /** No API key is needed, and `tenant` must not be used. */
  readonly isOpen?: true;
  /** It changes what a journal keeps. */
  readonly isRecorded?: true;
  /** @returns the body of the answer; undefined for none. */
  readonly run: (call: ControlCall) => unknown;
}

/** Where the control interface begins; no path of the contract does. */
export const controlPath = "/__mock";

export const routes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/health",
    isOpen: true,
    run: ({ plan, edition, tenants }) => ({ version: plan.version, edition, tenants: tenants.size }),
  },
  { method: "POST", path: "/reset", isRecorded: true, run: ({ tenant }) => tenant.reset() },
  { method: "POST", path: "/settle", run: ({ tenant }) => tenant.timeline.settle() },

  { method: "GET", path: "/state", run: ({ tenant, edition }) => stateOf(tenant, edition) },
  { method: "PUT", path: "/state", isRecorded: true, run: ({ tenant, body }) => restoreState(tenant, body) },

  {
    method: "POST",
    path: "/users/{externalUserId}",
    isRecorded: true,
    run: ({ tenant, path, body = {} }) => {
      const wishes = wishesOf(body, "The body");
      return tenant.change((world) => makeUser(world, path.externalUserId ?? "", wishes));
    },
  },
  {
    method: "POST",
    path: "/partner",
    isRecorded: true,
    run: ({ tenant, body }) => {
      const { funds } = objectOf(body, "The body", ["funds"]);
      return tenant.change((world) => {
        addFunds(world, null, fundsOf(funds ?? {}, "funds"));
        return { funds: presentFunds(world, null) };
      });
    },
  },
  {
    method: "POST",
    path: "/exchange-locks",
    isRecorded: true,
    run: ({ tenant, body }) => {
      const query = exchangeOf(body, "The body", ["externalUserId"]);
      const { externalUserId } = body as Fields;
      const owner = externalUserId == null ? null : textOf(externalUserId, "externalUserId");
      return tenant.change((world) => makeExchangeLock(world, owner, query));
    },
  },

  { method: "GET", path: "/clock", run: ({ tenant }) => clockOf(tenant) },
  { method: "POST", path: "/clock", isRecorded: true, run: ({ tenant, body }) => setClock(tenant, body) },

  { method: "GET", path: "/faults", run: ({ tenant }) => tenant.faults.list },
  { method: "POST", path: "/faults", run: ({ tenant, body }) => tenant.faults.add(body as Fault) },
  { method: "DELETE", path: "/faults", run: ({ tenant }) => tenant.faults.clear() },

  { method: "GET", path: "/events", run: ({ plan }) => possibleEvents(plan) },
  {
    method: "POST",
    path: "/events",
    isRecorded: true,
    run: ({ tenant, body }) => {
      const { resource, happening, ...about } = objectOf(body, "The body");
      const what = { tenant, given: "The body", others: ["resource", "happening"] };
      return happen(what, textOf(resource, "resource"), textOf(happening, "happening"), about);
    },
  },

  { method: "GET", path: "/requests", run: ({ tenant }) => tenant.requests.list },

  { method: "GET", path: "/deliveries", run: ({ tenant }) => tenant.deliveries.list },
  {
    method: "POST",
    path: "/deliveries/{number}/redeliver",
    run: ({ tenant, path }) => redeliver(tenant, Number(path.number)),
  },

  { method: "GET", path: "/webhooks", run: ({ tenant }) => webhooksOf(tenant) },
  {
    method: "PUT",
    path: "/webhooks",
    isRecorded: true,
    run: ({ tenant, body }) => {
      const { url, token, paths } = objectOf(body, "The body", ["url", "token", "paths"]);
      const target = {
        url: textOf(url, "url"),
        ...(token === undefined ? {} : { token }),
        ...(paths === undefined ? {} : { paths }),
      };
      setTarget(tenant, target as Target);
      return webhooksOf(tenant);
    },
  },
  { method: "DELETE", path: "/webhooks", isRecorded: true, run: ({ tenant }) => setTarget(tenant, undefined) },
];
