/** The control interface: what a test can see and change beside the contract, for each tenant. */
import type { MockReply } from "../answer/replies.ts";
import type { Edition, Plan, PlanControl } from "../plan/plan.ts";
import { isDeeperThan, type MockRequest } from "../request/body.ts";
import { makeRouter, type Router } from "../request/router.ts";
import type { Tenants } from "../tenants/tenants.ts";
import { ControlError } from "./error.ts";
import { objectOf } from "./fields.ts";
import { controlPath } from "./judge.ts";
import { type ControlOperationId, carryOut } from "./operations.ts";

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
    const page = pageReply(request, options.plan);
    if (page !== undefined) return page;
    let route: PlanControl | undefined;
    try {
      const found = find(request, options.plan);
      const { path } = found;
      route = found.route;
      const given = { path, query: queryOf(route, request), body: bodyOf(request), name: "The body" };
      const call = { ...options, ...given, ...tenantFor(route, request, options) };
      const body = await carryOut(route.operationId as ControlOperationId, call);
      return reply(body === undefined ? 204 : 200, body, route);
    } catch (error) {
      if (!(error instanceof ControlError))
        return reply(500, { message: `The mock failed: ${(error as Error).message}` }, route);
      return reply(error.status, { message: error.message }, route);
    }
  };
}

const pageHeaders: Readonly<Record<string, string>> = {
  // Its own files, and nothing of another origin.
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

/** The page that shows a world, its files, and the document of the control interface; undefined for anything else. */
function pageReply({ method, path }: MockRequest, { pages }: Plan): MockReply | undefined {
  const name = path === controlPath ? `${controlPath}/` : path;
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page === undefined || (method !== "GET" && method !== "HEAD")) return undefined;
  const headers = { ...pageHeaders, "content-type": page.mediaType };
  return { status: 200, headers, body: page.text, template: name, code: undefined, notes: [] };
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

/** @throws {ControlError} when a parameter is unknown, or not of the type that the document has. */
function queryOf({ query }: PlanControl, request: MockRequest): Record<string, unknown> {
  const names = Object.keys(query);
  objectOf(Object.fromEntries(request.query), "The query", names);
  return Object.fromEntries(
    [...request.query].map(([name, text]) => {
      const isBoolean = query[name] === "boolean";
      if (isBoolean ? text === "true" || text === "false" : /^\d{1,15}$/.test(text)) return [name, JSON.parse(text)];
      throw new ControlError(`${name} must be ${isBoolean ? "true or false" : "a whole number from 0"}.`);
    }),
  );
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
