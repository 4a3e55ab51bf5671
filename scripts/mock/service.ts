/** The whole mock but for its connections: the answerer with the tenants, the faults and the control interface around it. */

import type { AcceptedCall, Acted } from "./answer/act.ts";
import { type Address, type MockRequest, makeAnswerer } from "./answer/answer.ts";
import { toReply } from "./answer/replies.ts";
import { makeRouter, type Router } from "./answer/router.ts";
import { isControlPath, makeControl, repeatControl } from "./control/index.ts";
import type { JournalEntry } from "./journal/journal.ts";
import type { Recorded, Recording } from "./journal/recording.ts";
import { MockFault } from "./kernel/fault.ts";
import type { Plan } from "./plan/plan.ts";
import { amountsOf } from "./request/json.ts";
import { isDeeperThan } from "./request/json-depth.ts";
import { seedScenario } from "./scenario/seed.ts";
import type { ServedReply } from "./server/server.ts";
import type { MetFault } from "./tenants/faults.ts";
import type { Tenant } from "./tenants/tenant.ts";
import { Tenants, type TenantsOptions } from "./tenants/tenants.ts";

export interface ServiceOptions extends TenantsOptions {
  /** Every success is the documented example, and nothing is kept. */
  readonly isStateless?: boolean | undefined;
  /** Each world begins with the contract's scenario instead of empty. */
  readonly hasScenario?: boolean | undefined;
  /** The URL of an address. */
  readonly urlOf: (address: Address) => string;
}

export interface Service {
  readonly plan: Plan;
  readonly tenants: Tenants;
  /**
   * Does again what a journal holds, each at its time.
   *
   * @throws {JournalError} naming the entry that cannot be repeated.
   */
  replay(recording: Recording, entries: readonly JournalEntry[]): Promise<void>;
  /** Answers a request to an address. */
  handle(address: Address, request: MockRequest): Promise<ServedReply>;
  /** Nothing happens by itself any more. */
  close(): void;
}

/** Makes the mock, without connections. */
export function makeService(options: ServiceOptions): Service {
  const { plan, keys, urlOf, isStateless = false, edition } = options;
  const tenants = new Tenants({
    ...options,
    ...(options.hasScenario && plan.scenario ? { prepare: (session) => seedScenario(session, plan.scenario) } : {}),
  });
  const keyHeader = plan.operations.find((operation) => operation.keyHeader !== undefined)?.keyHeader ?? "";
  const answer = makeAnswerer({
    ...{ plan, edition, urlOf },
    timeOf: (key) => (key ? tenants.of(key)?.timeline.now : undefined) ?? Date.now(),
    ...(isStateless ? {} : { act: (call: AcceptedCall) => act(tenants, call) }),
    ...(keys === undefined ? {} : { isKeyAccepted: (key: string) => tenants.accepts(key) }),
  });
  const controlOptions = { plan, edition, tenants, keyHeader };
  const control = makeControl(controlOptions);
  const route = makeRouter(plan, edition);
  const ids = new Map(plan.operations.map((one) => [`${one.address} ${one.method} ${one.path}`, one.operationId]));
  const operationOf = (address: Address, { method }: MockRequest, { template }: ServedReply) =>
    ids.get(`${address} ${method === "HEAD" ? "GET" : method} ${template}`);

  const recorded: Recorded = {
    forget: (hash) => tenants.forget(hash),
    tenant: (hash) => {
      const tenant = tenants.ofHash(hash);
      return {
        offset: tenant.session.clock.state.offset,
        act: (call) => void tenant.act(call),
        control: (call) => repeatControl(call, { ...controlOptions, tenant }),
        resume: (known) => tenant.resume(known),
      };
    },
  };

  return {
    ...{ plan, tenants },
    replay: (recording, entries) => recording.replay(entries, recorded, plan),
    async handle(address, request) {
      if (isControlPath(request.path)) return control(request);
      const key = request.headers[keyHeader];
      const tenant =
        typeof key !== "string" || key === "" ? undefined : isStateless ? tenants.find(key) : tenants.of(key);
      const reply = served(() => answer(address, request), faultOf(route, address, request, tenant));
      if (tenant !== undefined) note(tenant, request, { reply, operation: operationOf(address, request, reply) });
      return reply;
    },
    close: () => tenants.close(),
  };
}

/** A mistake of the mock is answered with 500, which no operation documents, so that nobody takes it for the service's. */
function act(tenants: Tenants, { key, text, ...call }: AcceptedCall): Acted {
  const tenant = tenants.of(key);
  if (tenant === undefined) throw new Error("A call with a key that is not accepted was carried out.");
  try {
    return tenant.act({ ...call, amounts: text === undefined ? {} : amountsOf(text) });
  } catch (error) {
    if (!(error instanceof MockFault)) throw error;
    const told = `The mock failed: ${error.message}`;
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return { status: 500, headers, body: `${told}\n`, notes: [told] };
  }
}

/** A reply that takes a fault's place, or the way in which it meets the answer. */
interface Meeting {
  readonly fault: MetFault;
  /** The path template of the operation. */
  readonly template: string;
  readonly reply: ServedReply | undefined;
}

/** What a request meets. One that chooses its answer with `Prefer` meets nothing. */
function faultOf(
  route: Router,
  address: Address,
  request: MockRequest,
  tenant: Tenant | undefined,
): Meeting | undefined {
  if (tenant === undefined || tenant.faults.isEmpty || /\b(code|example)\s*=/i.test(String(request.headers.prefer))) {
    return undefined;
  }
  const found = route(address, request.method, request.path);
  const fault = found.kind === "operation" ? tenant.faults.take(found.operation) : undefined;
  if (fault === undefined || found.kind !== "operation") return undefined;
  if (fault.answer === undefined) return { fault, template: found.template, reply: undefined };
  const { code, mediaType } = fault.answer;
  const isJson = /[/+]json$/.test(mediaType ?? "");
  const body = isJson
    ? specific(JSON.parse(fault.answer.body), code, sentBy(found.pathParameters, request), tenant)
    : undefined;
  const answer = body === undefined ? fault.answer : { ...fault.answer, body: JSON.stringify(body) };
  const reply = toReply(found.operation, answer, []);
  const notes = [`Chosen by a fault${code === undefined ? "" : ` with ${code}`}.`];
  return { fault, template: found.template, reply: { ...reply, notes } };
}

/** The documented body, at the present time of the tenant and, with a P-code, with what was sent in its message. */
function specific(body: Record<string, unknown>, code: string | undefined, sent: string[], tenant: Tenant): object {
  const { errorMessage } = body;
  const isNamed = code !== undefined && typeof errorMessage === "string" && sent.length > 0;
  const { meaning } = tenant.session.world.plan.codes[code ?? ""] ?? {};
  return {
    ...body,
    ...(isNamed ? { errorMessage: `${meaning}: ${sent.join(", ")}` } : {}),
    ...("timestamp" in body ? { timestamp: new Date(tenant.timeline.now).toISOString() } : {}),
  };
}

/** Identifiers that were sent, by their names. */
function sentBy(path: Readonly<Record<string, string>>, { query, body }: MockRequest): string[] {
  const fields: [string, unknown][] = [...Object.entries(path), ...query, ...Object.entries(objectIn(body.bytes))];
  return fields
    .filter(([name]) => /Id$/.test(name))
    .flatMap(([name, value]) => (typeof value === "string" ? `${name} ${value}` : []));
}

/** The members of a JSON object; none of anything else. */
function objectIn(bytes: Buffer): object {
  const text = bytes[0] === 0x7b ? bytes.toString("utf8") : "{}";
  try {
    return isDeeperThan(text, 64) ? {} : (JSON.parse(text) as object);
  } catch {
    return {};
  }
}

/** Answers as the fault says, or as nothing had happened. */
function served(answer: () => ServedReply, meeting: Meeting | undefined): ServedReply {
  if (meeting === undefined) return answer();
  const { fault, template, reply } = meeting;
  const dropped: ServedReply = {
    ...{ status: "drop", headers: {}, body: "", template, code: undefined },
    notes: [fault.lose === "request" ? "Lost by a fault." : "Carried out; the answer was lost by a fault."],
  };
  if (fault.lose === "request") return { ...dropped, delay: fault.delay };
  const answered = reply ?? answer();
  if (fault.lose === "answer") return { ...dropped, delay: fault.delay };
  return { ...answered, delay: fault.delay };
}

function note(
  { requests, timeline }: Tenant,
  { method, path }: MockRequest,
  { reply: { status, code, notes }, operation }: { reply: ServedReply; operation: string | undefined },
): void {
  requests.add({ at: timeline.now, method, path, operation, status, code, notes });
}
