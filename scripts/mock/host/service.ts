import { replyInWorld } from "../answers/reply.ts";
import { checkAssumptions } from "../control/assumptions.ts";
import { makeControl } from "../control/index.ts";
import { assertState, loadScenario, loadState } from "../control/state.ts";
import type { Plan } from "../plan/plan.ts";
import { type DecodedBody, decodeBody, type MockRequest } from "../request/body.ts";
import { isControlPath } from "../request/control-path.ts";
import { type Address, makeRouter } from "../request/router.ts";
import { findViolations, type RequestFacts, type Violation } from "../request/violations.ts";
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
import type { AppliedFault } from "../tenants/faults.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { Tenants, type TenantsOptions } from "../tenants/tenants.ts";
import { effectNotes, faultReply } from "./faulted-reply.ts";
import type { CreateMockOptions } from "./options.ts";
import { callOf, type OperationRoute, requestValues, scriptValues } from "./request-values.ts";

export interface ServiceOptions extends TenantsOptions, Pick<CreateMockOptions, "stateless" | "scenario" | "state"> {
  readonly allowWebhookHost?: readonly string[] | undefined;
  /** @param host the `Host` header of the client's request. */
  readonly urlOf: (address: Address, host: string | undefined) => string;
}

export interface Service {
  readonly plan: Plan;
  readonly tenants: Tenants;
  /**
   * The result is a promise only for the control interface and for responses set with `respond`. If the mock itself fails, the reply is a
   * 500.
   */
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
    const matchedRoute = route(address, method, path);
    const key = headers[keyHeader];
    const tenant = !key ? undefined : isStateless ? tenants.find(key) : tenants.getOrCreate(key);
    const logReply = (reply: MockReply): MockReply => {
      if (tenant === undefined) return reply;
      const { status, code, notes } = reply;
      const operation = matchedRoute.kind === "operation" ? matchedRoute.operation.operationId : undefined;
      const response = status === "drop" ? "" : reply.body;
      const { bytes: body } = request.body;
      tenant.requests.add({ at: tenant.world.clock.now, method, path, operation, status, code, notes, response, body });
      return reply;
    };
    if (matchedRoute.kind === "operation") {
      const respondByRules = (): MockReply => {
        const reply = respondToOperation(matchedRoute, request, tenant);
        return tenant === undefined ? reply : replyInWorld(tenant.world, matchedRoute.operation, reply);
      };
      const readValues = () => scriptValues(matchedRoute, request);
      const scriptedReply = hasPreference(request)
        ? undefined
        : tenant?.scriptedResponses.take(matchedRoute.operation, readValues);
      if (scriptedReply instanceof Promise) return scriptedReply.then((reply) => logReply(reply ?? respondByRules()));
      return logReply(scriptedReply ?? respondByRules());
    }
    if (method === "OPTIONS" && matchedRoute.kind === "wrongMethod") {
      return logReply(optionsReply(matchedRoute.template, matchedRoute.allowedMethods));
    }
    return logReply(
      unroutedReply(matchedRoute, () => urlOf(address === "base_url" ? "deposit_base_url" : "base_url", headers.host)),
    );
  }

  /** A fault can change the reply, unless the request chooses a response with `Prefer`. */
  function respondToOperation(
    matchedRoute: OperationRoute,
    request: MockRequest,
    tenant: Tenant | undefined,
  ): MockReply {
    const { path: template } = matchedRoute.operation;
    try {
      if (tenant === undefined || hasPreference(request)) return decideReply(matchedRoute, request);
      const fault = tenant.faults.takeForCall(matchedRoute.operation, () => requestValues(matchedRoute, request));
      if (fault === undefined) return decideReply(matchedRoute, request);
      const { delay, isLost, isCut } = fault;
      const decidedReply = fault.isCarriedOut ? decideReply(matchedRoute, request, fault) : undefined;
      const notes = effectNotes(fault, decidedReply);
      const lostReply: MockReply = { status: "drop", headers: {}, body: "", template, code: undefined, notes, delay };
      if (isLost) return lostReply;
      const reply = faultReply(fault, matchedRoute, request, tenant) ?? decidedReply ?? lostReply;
      return { ...reply, notes: [...reply.notes, ...notes], delay, isCut };
    } catch (error) {
      return failureReply(error, template);
    }
  }

  /**
   * Executes an accepted call unless the mock is stateless. `Prefer` is checked first, so that any request can get every documented
   * response; then the API key, the parameters and the body.
   *
   * @param fault if it has an `effectDelay`, the call is scheduled instead of executed, and the client does not get the returned reply.
   */
  function decideReply(
    { operation, pathParameters }: OperationRoute,
    request: MockRequest,
    fault?: Pick<AppliedFault, "effectDelay" | "overrides">,
  ): MockReply {
    const { query, headers } = request;
    const preference = headers.prefer === undefined ? undefined : choosePreferred(headers.prefer, operation);
    if (preference?.response !== undefined) {
      return preferredReply(operation, preference.response, preference, Object.values(pathParameters));
    }
    const warnings = preference?.warnings ?? [];

    const { requestBody, keyHeader: keyHeaderName } = operation;
    const body: DecodedBody = requestBody === undefined ? { kind: "absent" } : decodeBody(requestBody, request);
    const facts: RequestFacts = { pathParameters, query, headers, body };
    const key = (keyHeaderName && headers[keyHeaderName]) || "";
    // A missing API key is reported by findViolations.
    const keyViolations: Violation[] = key !== "" && !tenants.isAccepted(key) ? [{ kind: "security" }] : [];
    const violations = [...keyViolations, ...findViolations(operation, facts)];
    const refusal = chooseRefusal(operation, violations);
    if (refusal !== undefined) {
      const time = (key === "" ? undefined : tenants.getOrCreate(key)?.world.clock.now) ?? Date.now();
      return documentedReply(operation, refusal.response, { message: refusal.message, time, warnings });
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
    plan,
    tenants,
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

function hasPreference({ headers }: MockRequest): boolean {
  return headers.prefer !== undefined && /\b(code|example)\s*=/i.test(headers.prefer);
}
