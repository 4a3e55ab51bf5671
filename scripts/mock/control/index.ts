/** The control interface: what a test can see and change beside the contract, for each tenant. */
import type { MockReply } from "../answer/replies.ts";
import type { Edition, Plan, PlanControl } from "../plan/plan.ts";
import { isDeeperThan, type MockRequest } from "../request/body.ts";
import { makeRouter, type Router } from "../request/router.ts";
import type { Tenants } from "../tenants/tenants.ts";
import { ControlError } from "./error.ts";
import { judged } from "./judge.ts";
import { type ControlCall, operations } from "./operations.ts";

export interface ControlOptions {
  readonly plan: Plan;
  readonly edition: Edition;
  readonly tenants: Tenants;
  /** The header of the API key, in lower case. */
  readonly keyHeader: string;
  /** Where else than to this machine events may be sent; undefined for anywhere. */
  readonly allowWebhookHost?: readonly string[] | undefined;
}

/**
 * Makes the function that answers the requests to the control interface. It never rejects: what is not possible is answered with
 * JSON that says why, and a failure of the mock with 500.
 */
export function makeControl(options: ControlOptions): (request: MockRequest) => Promise<MockReply> {
  return async (request) => {
    if (request.method === "OPTIONS") return optionsReply(options.plan);
    try {
      const { route, path } = find(request, options.plan);
      const given = { path, body: bodyOf(request), ...tenantFor(route, request, options) };
      const body = await run(route, { ...options, ...given });
      return reply(body === undefined ? 204 : 200, body, route);
    } catch (error) {
      if (!(error instanceof ControlError))
        return reply(500, { message: `The mock failed: ${(error as Error).message}` });
      return reply(error.status, { message: error.message });
    }
  };
}

/** Carries out what the document describes. @throws {ControlError} when the body is not as it says. */
function run({ operationId }: PlanControl, call: ControlCall): unknown {
  judged(call.plan, operationId, call.body, "The body");
  return operations[operationId]?.(call);
}

/** Lets a page of another origin use the control interface. */
function optionsReply({ control }: Plan): MockReply {
  const methods = [...new Set(control.map(({ method }) => method)), "HEAD", "OPTIONS"].join(", ");
  const headers = {
    allow: methods,
    "access-control-allow-methods": methods,
    "access-control-allow-headers": "*",
    "access-control-max-age": "600",
  };
  return { status: 204, headers, body: "", template: undefined, code: undefined, notes: [] };
}

function tenantFor({ isOpen }: PlanControl, { headers }: MockRequest, { tenants, keyHeader }: ControlOptions) {
  // An open route does not look at it.
  if (isOpen) return { tenant: undefined as never };
  const key = headers[keyHeader];
  if (typeof key !== "string" || key === "") {
    throw new ControlError(`The header ${keyHeader} is missing: each API key has a world of its own.`, 401);
  }
  const tenant = tenants.of(key);
  if (tenant === undefined) throw new ControlError("The mock does not accept this API key. See --key.", 401);
  return { tenant };
}

/** The routers of the control interface, by their plans. */
const routers = new WeakMap<Plan, Router<PlanControl>>();

function routerOf(plan: Plan): Router<PlanControl> {
  const known = routers.get(plan);
  if (known !== undefined) return known;
  // Every edition and both addresses have the same one.
  const operations = plan.control.map((route) => ({ ...route, address: "base_url", editions: ["latest"] }) as const);
  const router = makeRouter({ operations }, "latest");
  routers.set(plan, router);
  return router;
}

/** @throws {ControlError} when there is no such operation. */
function find(
  { method, path }: Pick<MockRequest, "method" | "path">,
  plan: Plan,
): { route: PlanControl; path: Record<string, string> } {
  const found = routerOf(plan)("base_url", method, path);
  if (found.kind === "operation") return { route: found.operation, path: found.pathParameters };
  if (found.kind === "wrongMethod") {
    throw new ControlError(`This path allows these methods only: ${found.allowed.join(", ")}.`, 405);
  }
  const possible = [...new Set(plan.control.map((route) => route.path))];
  throw new ControlError(`The control interface has no such path. Possible are ${possible.join(", ")}.`, 404);
}

/** How many levels of lists and objects a body may have. */
const depthLimit = 64;

function bodyOf({ body: { bytes, tooLarge } }: MockRequest): unknown {
  if (tooLarge) throw new ControlError("The body is too large.", 413);
  if (bytes.length === 0) return undefined;
  const text = bytes.toString("utf8");
  if (isDeeperThan(text, depthLimit)) throw new ControlError(`The body must not have more than ${depthLimit} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlError("The body must be well-formed JSON.");
  }
}

function reply(status: number, body: unknown, route?: PlanControl): MockReply {
  return {
    status,
    headers: status === 204 ? {} : { "content-type": "application/json" },
    body: status === 204 ? "" : JSON.stringify(body),
    template: route?.path,
    code: undefined,
    notes: status >= 500 ? [(body as { message: string }).message] : [],
  };
}
