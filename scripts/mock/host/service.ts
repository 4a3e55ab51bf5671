import { replyInWorld } from "../answers/reply.ts";
import { checkAssumptions } from "../control/assumptions.ts";
import { makeControl } from "../control/index.ts";
import { assertState, loadScenario, loadState } from "../control/state.ts";
import type { Plan, PlanOperation } from "../plan/plan.ts";
import { type DecodedBody, decodeBody, jsonOf, type MockRequest, parseMediaType } from "../request/body.ts";
import { isControlPath } from "../request/control-path.ts";
import { type Address, makeRouter, type Route } from "../request/router.ts";
import { findViolations, parameterValue, type RequestFacts, type Violation } from "../request/violations.ts";
import { choosePreferred, chooseRefusal, firstSuccess } from "../response/choices.ts";
import {
  documentedReply,
  failureReply,
  type MockReply,
  optionsReply,
  outcomeReply,
  preferredReply,
  toReply,
  unroutedReply,
} from "../response/replies.ts";
import type { AcceptedCall } from "../tenants/act.ts";
import type { AppliedFault, RequestValues } from "../tenants/faults.ts";
import type { SentValues } from "../tenants/scripted.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { Tenants, type TenantsOptions } from "../tenants/tenants.ts";
import type { CreateMockOptions } from "./options.ts";

export interface ServiceOptions extends TenantsOptions, Pick<CreateMockOptions, "stateless" | "scenario" | "state"> {
  readonly allowWebhookHost?: readonly string[] | undefined;
  /** Returns the URL of an address for a client. @param host the `Host` header of the client's request. */
  readonly urlOf: (address: Address, host: string | undefined) => string;
}

export interface Service {
  readonly plan: Plan;
  readonly tenants: Tenants;
  /** Returns a promise only for the control interface and for responses set with `respond`. If the mock itself fails, the reply is a 500. */
  handle(address: Address, request: MockRequest): MockReply | Promise<MockReply>;
  close(): void;
}

export function makeService(options: ServiceOptions): Service {
  const { plan, urlOf, allowWebhookHost, stateless: isStateless, state, edition } = options;
  const { scenario } = plan;
  if (options.assume !== undefined) checkAssumptions(plan, options.assume);
  if (state !== undefined) assertState(plan, state);
  const tenants = new Tenants({
    ...options,
    ...(options.scenario && scenario ? { prepare: (world) => loadScenario(world, scenario) } : {}),
    ...(state === undefined ? {} : { prepare: (world) => loadState(world, state) }),
  });
  const keyHeader = plan.operations.find((operation) => operation.keyHeader !== undefined)?.keyHeader ?? "";
  const control = makeControl({ plan, edition, tenants, keyHeader, allowWebhookHost });
  const route = makeRouter(plan, edition);

  function respond(address: Address, request: MockRequest): MockReply | Promise<MockReply> {
    const { method, path, headers } = request;
    const found = route(address, method, path);
    const key = headers[keyHeader];
    const tenant = !key ? undefined : isStateless ? tenants.find(key) : tenants.getOrCreate(key);
    const logReply = (reply: MockReply): MockReply => {
      if (tenant === undefined) return reply;
      const { status, code, notes } = reply;
      const operation = found.kind === "operation" ? found.operation.operationId : undefined;
      const response = status === "drop" ? "" : reply.body;
      const { bytes: body } = request.body;
      tenant.requests.add({ at: tenant.world.clock.now, method, path, operation, status, code, notes, response, body });
      return reply;
    };
    if (found.kind === "operation") {
      const respondByRules = (): MockReply => {
        const reply = respondToOperation(found, request, tenant);
        return tenant === undefined ? reply : replyInWorld(tenant.world, found.operation, reply);
      };
      const readValues = () => scriptValues(found, request);
      const scripted = hasPreference(request) ? undefined : tenant?.scripted.take(found.operation, readValues);
      if (scripted instanceof Promise) return scripted.then((reply) => logReply(reply ?? respondByRules()));
      return logReply(scripted ?? respondByRules());
    }
    if (method === "OPTIONS" && found.kind === "wrongMethod") {
      return logReply(optionsReply(found.template, found.allowed));
    }
    return logReply(
      unroutedReply(found, () => urlOf(address === "base_url" ? "deposit_base_url" : "base_url", headers.host)),
    );
  }

  /** Applies a fault to the response, unless the request chooses a response with `Prefer`. */
  function respondToOperation(found: OperationRoute, request: MockRequest, tenant: Tenant | undefined): MockReply {
    const { path: template } = found.operation;
    try {
      if (tenant === undefined || hasPreference(request)) return decide(found, request);
      const fault = tenant.faults.takeForCall(found.operation, () => requestValues(found, request));
      if (fault === undefined) return decide(found, request);
      const { delay, isLost, isCut } = fault;
      const decided = fault.isCarriedOut ? decide(found, request, fault) : undefined;
      const notes = effectNotes(fault, decided);
      const lost: MockReply = { status: "drop", headers: {}, body: "", template, code: undefined, notes, delay };
      if (isLost) return lost;
      const reply = faultReply(fault, found, request, tenant) ?? decided ?? lost;
      return { ...reply, notes: [...reply.notes, ...notes], delay, isCut };
    } catch (error) {
      return failureReply(error, template);
    }
  }

  /**
   * Decides the reply to a request. `Prefer` is checked first, so that any request can get every documented response; then the API key, the
   * parameters and the body.
   *
   * @param fault if it has an `effectDelay`, the call is scheduled instead of executed, and the client does not get the returned reply.
   */
  function decide(
    { operation, pathParameters }: OperationRoute,
    request: MockRequest,
    fault?: Pick<AppliedFault, "effectDelay" | "overrides">,
  ): MockReply {
    const { query, headers } = request;
    const preferred = headers.prefer === undefined ? undefined : choosePreferred(headers.prefer, operation);
    if (preferred?.response !== undefined) {
      return preferredReply(operation, preferred.response, preferred, Object.values(pathParameters));
    }
    const warnings = preferred?.warnings ?? [];

    const { requestBody, keyHeader: ownKey } = operation;
    const body: DecodedBody = requestBody === undefined ? { kind: "absent" } : decodeBody(requestBody, request);
    const facts: RequestFacts = { pathParameters, query, headers, body };
    const key = (ownKey && headers[ownKey]) || "";
    // A missing API key is reported by findViolations.
    const keyViolations: Violation[] = key !== "" && !tenants.isAccepted(key) ? [{ kind: "security" }] : [];
    const violations = [...keyViolations, ...findViolations(operation, facts)];
    const refusal = chooseRefusal(operation, violations);
    if (refusal !== undefined) {
      const at = (key === "" ? undefined : tenants.getOrCreate(key)?.world.clock.now) ?? Date.now();
      return documentedReply(operation, refusal.response, { message: refusal.message, at, warnings });
    }
    if (violations.length > 0) {
      const warning = "The request violates the contract, which defines no response for that.";
      return toReply(operation, firstSuccess(operation), [...warnings, warning]);
    }

    if (!isStateless) {
      const tenant = tenants.getOrCreate(key);
      if (tenant === undefined) throw new Error("A call with a wrong API key was executed.");
      const call = callOf(operation, facts);
      if (!fault?.effectDelay) return outcomeReply(operation, tenant.execute(call, fault?.overrides), warnings);
      tenant.scheduleCall(call, fault.effectDelay, fault.overrides);
    }
    return toReply(operation, firstSuccess(operation), warnings);
  }

  return {
    ...{ plan, tenants },
    handle(address, request) {
      try {
        return isControlPath(request.path) ? control(request) : respond(address, request);
      } catch (error) {
        return failureReply(error);
      }
    },
    close: () => tenants.close(),
  };
}

/** Whether the request chooses its response with `Prefer`. */
function hasPreference({ headers }: MockRequest): boolean {
  return headers.prefer !== undefined && /\b(code|example)\s*=/i.test(headers.prefer);
}

type OperationRoute = Extract<Route, { kind: "operation" }>;

function callOf(operation: PlanOperation, facts: RequestFacts): AcceptedCall {
  const { pathParameters: path, body } = facts;
  const query: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    const value = parameter.in === "query" ? parameterValue(parameter, facts) : undefined;
    if (value !== undefined) query[parameter.name] = String(value);
  }
  if (body.kind !== "value") return { operation, path, query, body: undefined, amounts: {}, files: {} };
  const files: Record<string, AcceptedCall["files"][string][number][]> = {};
  for (const { name, contentType, content } of body.files) {
    const type = parseMediaType(contentType)?.essence ?? contentType.toLowerCase();
    files[name] = [...(files[name] ?? []), { contentType: type, size: content.length }];
  }
  return { operation, path, query, body: body.value, amounts: body.amounts ?? {}, files };
}

function effectNotes(
  { isLost, isCut, isCarriedOut, response, effectDelay }: AppliedFault,
  decided: MockReply | undefined,
): string[] {
  const change = isLost ? "lost" : isCut ? "cut in its body" : response === undefined ? undefined : "replaced";
  if (change === undefined || (response !== undefined && !isCarriedOut && !isCut)) return [];
  if (isLost && !isCarriedOut) return ["Lost by a fault."];
  if (!isCarriedOut) return [`Not carried out; the response was ${change} by a fault.`];
  const { status, code } = decided ?? {};
  const isRefused = typeof status === "number" && status >= 400;
  const carriedOut = effectDelay > 0 ? `Takes effect after ${effectDelay / 1000} s` : "Carried out";
  const effect = isRefused ? `Refused with ${code ?? status}, without an effect` : carriedOut;
  return [`${effect}; the response was ${change} by a fault.`];
}

/** The response that a fault sets; undefined if it sets none. If the response has a P-code, its message names the identifiers of the request. */
function faultReply(
  { response }: AppliedFault,
  found: OperationRoute,
  request: MockRequest,
  { world }: Tenant,
): MockReply | undefined {
  const { operation } = found;
  if (response === undefined) return undefined;
  const { code } = response;
  const identifiers = requestValues(found, request).fields.flatMap(([name, value]) =>
    /Id$/.test(name) && typeof value === "string" ? `${name} ${value}` : [],
  );
  const message =
    identifiers.length > 0 ? `${world.plan.codes[code ?? ""]?.meaning}: ${identifiers.join(", ")}` : undefined;
  const notes = [`Chosen by a fault${code === undefined ? "" : ` with ${code}`}.`];
  return { ...documentedReply(operation, response, { message, at: world.clock.now }), notes };
}

/** The argument for a function set with `respond`: parameters as texts, and the parsed body or the files of a form. */
function scriptValues({ operation, pathParameters: path }: OperationRoute, request: MockRequest): SentValues {
  const query = Object.fromEntries(request.query);
  const decoded = operation.requestBody === undefined ? undefined : decodeBody(operation.requestBody, request);
  if (decoded?.kind !== "value") return { path, query, body: undefined };
  if (decoded.amounts !== undefined) return { path, query, body: decoded.value };
  const files: Record<string, File | File[]> = {};
  for (const { name, fileName = "", contentType, content } of decoded.files) {
    const file = new File([new Uint8Array(content)], fileName, { type: contentType });
    files[name] =
      name in files
        ? [files[name] ?? [], file].flat()
        : Array.isArray((decoded.value as Record<string, unknown>)[name])
          ? [file]
          : file;
  }
  return { path, query, body: files };
}

function requestValues({ pathParameters }: OperationRoute, { query, body: received }: MockRequest): RequestValues {
  const { value: body } = jsonOf(received);
  const members = typeof body === "object" ? Object.entries(body ?? {}) : [];
  return { fields: [...Object.entries(pathParameters), ...query, ...members], body };
}
