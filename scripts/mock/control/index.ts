import { ControlError } from "../checks/error.ts";
import type { Plan, PlanControl } from "../plan/plan.ts";
import { jsonOf, type MockRequest } from "../request/body.ts";
import { controlPath } from "../request/control-path.ts";
import { makeRouter, type Router } from "../request/router.ts";
import { jsonReply, type MockReply, optionsReply, textReply } from "../response/replies.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { type ControlCall, type ControlOperationId, runControlOperation } from "./operations.ts";

export interface ControlOptions extends Pick<ControlCall, "plan" | "edition" | "tenants" | "allowWebhookHost"> {
  /** The name of the API key header, in lower case. */
  readonly keyHeader: string;
}

export function makeControl(options: ControlOptions): (request: MockRequest) => Promise<MockReply> {
  const { plan } = options;
  const methods = [...new Set(plan.control.map(({ method }) => method)), "HEAD", "OPTIONS"];
  const operations = plan.control.map(
    (operation) => ({ ...operation, address: "base_url", editions: ["latest"] }) as const,
  );
  let router: Router<PlanControl> | undefined;
  return async (request) => {
    const { method, path } = request;
    if (method === "OPTIONS") return optionsReply(undefined, methods);
    const page = pageReply(request, plan);
    if (page !== undefined) return page;
    router ??= makeRouter({ operations }, "latest");
    const matchedRoute = router("base_url", method, path);
    const template = matchedRoute.kind === "operation" ? matchedRoute.operation.path : undefined;
    try {
      if (matchedRoute.kind === "wrongMethod") {
        throw new ControlError(`This path allows these methods only: ${matchedRoute.allowedMethods.join(", ")}.`, 405);
      }
      if (matchedRoute.kind !== "operation") {
        const possiblePaths = [...new Set(plan.control.map((item) => item.path))].join(", ");
        throw new ControlError(`The control interface has no such path. Possible are ${possiblePaths}.`, 404);
      }
      const { operation } = matchedRoute;
      const input = { path: matchedRoute.pathParameters, query: queryOf(request), body: bodyOf(request) };
      const call = { ...options, ...input, bodyName: "The body", tenant: tenantFor(operation, request, options) };
      const body = await runControlOperation(operation.operationId as ControlOperationId, call);
      if (body !== undefined) return jsonReply(200, body, template);
      return { ...textReply(204, ""), headers: {}, body: "", template };
    } catch (error) {
      const isRefusal = error instanceof ControlError;
      const message = isRefusal ? error.message : `The mock failed: ${(error as Error).message}`;
      const status = isRefusal ? error.status : 500;
      return { ...jsonReply(status, { message }, template), notes: status >= 500 ? [message] : [] };
    }
  };
}

const pageHeaders: Readonly<Record<string, string>> = {
  // The browser loads files only from the page's own origin.
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

function pageReply({ method, path }: MockRequest, { pages }: Plan): MockReply | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  // The location is relative, like all URLs of the page, so that it also works if a proxy serves the mock below a path.
  if (path === controlPath)
    return { ...textReply(307, ""), headers: { location: `${controlPath.slice(1)}/` }, template: path };
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined) return undefined;
  const headers = { ...pageHeaders, "content-type": page.mediaType };
  return { ...textReply(200, ""), headers, body: page.text, template: path };
}

function tenantFor(
  { isPublic }: PlanControl,
  { headers }: MockRequest,
  { tenants, keyHeader }: ControlOptions,
): Tenant {
  // An operation that needs no API key does not read the tenant.
  if (isPublic) return undefined as never;
  const key = headers[keyHeader];
  if (!key) {
    throw new ControlError(`The header ${keyHeader} is missing: each API key has a world of its own.`, 401);
  }
  const tenant = tenants.getOrCreate(key);
  if (tenant === undefined) throw new ControlError("The mock does not accept this API key. See --key.", 401);
  return tenant;
}

function queryOf({ query }: MockRequest): Record<string, unknown> {
  const parse = (text: string) =>
    /^\d+$/.test(text) ? Number(text) : /^(true|false)$/.test(text) ? text === "true" : text;
  return Object.fromEntries([...query].map(([name, text]) => [name, parse(text)]));
}

function bodyOf({ body }: MockRequest): unknown {
  if (body.isTooLarge) throw new ControlError("The body is too large.", 413);
  if (body.bytes.length === 0) return undefined;
  const { value, problem } = jsonOf(body);
  if (problem !== undefined) throw new ControlError(`The body ${problem}.`);
  return value;
}

export type { MockWorldControl } from "./functions.ts";
export { possibleEvents } from "./operations.ts";
