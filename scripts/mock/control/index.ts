/** The control interface: what a test can see and change beside the contract, for each tenant. */
import type { MockRequest } from "../answer/answer.ts";
import type { MockReply } from "../answer/replies.ts";
import type { Edition, Plan } from "../plan/plan.ts";
import { isDeeperThan } from "../request/json-depth.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Tenants } from "../tenants/tenants.ts";
import { ControlError } from "./error.ts";
import { type ControlCall, type ControlRoute, controlPath, routes } from "./routes.ts";

export interface ControlOptions {
  readonly plan: Plan;
  readonly edition: Edition;
  readonly tenants: Tenants;
  /** The header of the API key, in lower case. */
  readonly keyHeader: string;
}

/** Whether a path is one of the control interface. */
export function isControlPath(path: string): boolean {
  return path.startsWith(controlPath) && (path.length === controlPath.length || path[controlPath.length] === "/");
}

/**
 * Makes the function that answers the requests to the control interface. It never rejects: what is not possible is answered with
 * JSON that says why, and a failure of the mock with 500.
 */
export function makeControl(options: ControlOptions): (request: MockRequest) => Promise<MockReply> {
  return async (request) => {
    if (request.method === "OPTIONS") return optionsReply();
    try {
      const { route, path } = find(request);
      const given = { path, body: bodyOf(request), ...tenantFor(route, request, options) };
      const body = await runRecorded(route, request, { ...options, ...given });
      return reply(body === undefined ? 204 : 200, body, route);
    } catch (error) {
      if (!(error instanceof ControlError))
        return reply(500, { message: `The mock failed: ${(error as Error).message}` });
      return reply(error.status, { message: error.message });
    }
  };
}

/** Runs a route, and writes the request to the journal when it was carried out. */
async function runRecorded(route: ControlRoute, { path, method }: MockRequest, call: ControlCall): Promise<unknown> {
  if (route.isRecorded === undefined) return route.run(call);
  const at = call.tenant.timeline.now;
  const result = await route.run(call);
  const { recording } = call.tenants;
  recording?.control(call.tenant.hash, at, { method, path: path.slice(controlPath.length), body: call.body });
  return result;
}

/**
 * Repeats a request that a journal holds.
 *
 * @throws {ControlError} when it is not possible.
 */
export async function repeatControl(
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: unknown },
  options: ControlOptions & { readonly tenant: Tenant },
): Promise<void> {
  const found = find({ method, path: `${controlPath}${path}` });
  await found.route.run({ ...options, path: found.path, body });
}

/** Lets a page of another origin use the control interface. */
function optionsReply(): MockReply {
  const methods = [...new Set(routes.map(({ method }) => method)), "HEAD", "OPTIONS"].join(", ");
  const headers = {
    allow: methods,
    "access-control-allow-methods": methods,
    "access-control-allow-headers": "*",
    "access-control-max-age": "600",
  };
  return { status: 204, headers, body: "", template: undefined, code: undefined, notes: [] };
}

function tenantFor({ isOpen }: ControlRoute, { headers }: MockRequest, { tenants, keyHeader }: ControlOptions) {
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

function find({ method, path }: Pick<MockRequest, "method" | "path">): {
  route: ControlRoute;
  path: Record<string, string>;
} {
  const matching = routes.flatMap((route) => {
    const values = match(`${controlPath}${route.path}`, path);
    return values === undefined ? [] : [{ route, path: values }];
  });
  const wanted = method === "HEAD" ? "GET" : method;
  const found = matching.find(({ route }) => route.method === wanted);
  if (found !== undefined) return found;
  if (matching.length === 0) {
    const possible = [...new Set(routes.map((route) => `${controlPath}${route.path}`))];
    throw new ControlError(`The control interface has no such path. Possible are ${possible.join(", ")}.`, 404);
  }
  const methods = matching.map(({ route }) => route.method);
  throw new ControlError(`This path allows these methods only: ${methods.join(", ")}.`, 405);
}

/** The values of the path parameters; undefined when the path does not match. */
function match(template: string, path: string): Record<string, string> | undefined {
  const expected = template.split("/");
  const segments = path.split("/");
  if (expected.length !== segments.length) return undefined;
  const values: [string, string][] = [];
  for (const [index, part] of expected.entries()) {
    const segment = decode(segments[index] ?? "");
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === "") return undefined;
    if (name !== undefined) values.push([name, segment]);
  }
  return Object.fromEntries(values);
}

/** Empty, and with that no value, where the percent-encoding is broken. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
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

function reply(status: number, body: unknown, route?: ControlRoute): MockReply {
  return {
    status,
    headers: status === 204 ? {} : { "content-type": "application/json" },
    body: status === 204 ? "" : JSON.stringify(body),
    template: route && `${controlPath}${route.path}`,
    code: undefined,
    notes: status >= 500 ? [(body as { message: string }).message] : [],
  };
}
