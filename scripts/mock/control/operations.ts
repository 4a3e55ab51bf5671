/** Both HTTP and the functions of a mock call these operations. */

import { didYouMean } from "../../base/index.ts";
import type { Answers } from "../answers/choice.ts";
import { eventTriggers } from "../behaviours/index.ts";
import { ControlError } from "../checks/error.ts";
import { readDuration, readObject, readTime } from "../checks/fields.ts";
import { validateInput, validateQuery } from "../checks/schema.ts";
import type {
  AffectedResource,
  ExchangeLock,
  Expectation,
  Fault,
  Funds,
  PossibleEvent,
  UserOptions,
} from "../plan/control.ts";
import type { Edition, Plan } from "../plan/plan.ts";
import { isLoopback } from "../server/access.ts";
import { unknownOperationError } from "../tenants/faults.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Tenants } from "../tenants/tenants.ts";
import type { Timeline } from "../tenants/timeline.ts";
import type { Target } from "../webhooks/target.ts";
import { answersOf, chooseAnswers } from "./answers.ts";
import { assume, assumptionsOf } from "./assumptions.ts";
import { restoreState, type State, stateOf } from "./state.ts";
import { addFunds, fundsOf, makeExchangeLock, makeUser, usersOf } from "./users.ts";

export function possibleEvents(plan: Plan): PossibleEvent[] {
  return Object.values(plan.resources).flatMap(({ name, externalEvents }) =>
    Object.entries(externalEvents)
      .filter(([event]) => Object.hasOwn(eventTriggers, `${name}.${event}`))
      .map(([event, { meaning, to, takes }]) => ({ resource: name, event, meaning, to, takes })),
  );
}

export interface ControlCall {
  readonly plan: Plan;
  readonly edition: Edition;
  readonly tenants: Tenants;
  readonly tenant: Tenant;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The words for the body in error messages. */
  readonly bodyName: string;
  /** Hosts besides this machine to which events may be sent; undefined for any host. */
  readonly allowWebhookHost?: readonly string[] | undefined;
}

export const operations = {
  getHealth: ({ plan, edition, tenants: { size, maxWorlds } }) => ({
    version: plan.version,
    edition,
    worlds: size,
    maxWorlds,
  }),
  settle: ({ tenant }) => tenant.timeline.settle(),
  getState: ({ tenant, edition }) => stateOf(tenant, edition),
  getAnswers: ({ tenant }) => answersOf(tenant),
  chooseAnswers: ({ tenant, body }) => chooseAnswers(tenant, body as Answers),
  getAssumptions: ({ tenant }) => assumptionsOf(tenant),
  changeAssumptions: ({ tenant, body }) => assume(tenant, body),
  getClock: ({ tenant }) => clockOf(tenant),
  listFaults: ({ tenant }) => tenant.faults.list,
  addFault: ({ tenant, body }) => {
    const fault = body as Fault;
    const { neverAfter } = tenant.world.assumptions.effects;
    if ((fault.carriedOut || fault.effectAfter !== undefined) && neverAfter.includes(fault.code ?? "")) {
      throw new ControlError(`In this world a call has no effect after ${fault.code} (Q-effect-after-error).`);
    }
    return tenant.faults.add(fault);
  },
  removeFault: ({ tenant, path }) => tenant.faults.remove(Number(path.number)),
  clearFaults: ({ tenant }) => tenant.faults.clear(),
  listPossibleEvents: ({ plan }) => possibleEvents(plan),
  listRequests: ({ tenant, query }) => tenant.requests.list(query),
  verify: ({ tenant, plan, body }) => {
    const expected = body as Expectation;
    if (!plan.operations.some(({ operationId }) => operationId === expected.operation)) {
      throw unknownOperationError(expected.operation, plan.operations);
    }
    return { count: tenant.requests.verify(expected) };
  },
  listDeliveries: ({ tenant, query: { after = -1, limit = 1000 } }) =>
    tenant.deliveries.list.slice(-Number(limit)).filter(({ number }) => number > Number(after)),
  redeliver: ({ tenant, path }) =>
    tenant.deliveries.redeliver(Number(path.number)).finally(() => tenant.timeline.wake()),
  getWebhookTarget: ({ tenant }) => targetOf(tenant),
  reset: ({ tenants, tenant }) => tenants.reset(tenant),
  endWorld: ({ tenants, tenant }) => tenants.end(tenant),
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
    const { externalUserId = null, ...exchange } = body as ExchangeLock;
    return tenant.change((world) => makeExchangeLock(world, externalUserId, exchange));
  },
  setClock: ({ tenant, body }) => setClock(tenant, body as Record<string, unknown>),
  triggerEvent: ({ tenant, body, bodyName }) =>
    triggerEvent(tenant, body as { resource: string; event: string }, bodyName),
  setWebhookTarget: ({ tenant, body, allowWebhookHost }) => {
    const target = body as Target & { url: string };
    assertAllowedHost(target.url, allowWebhookHost);
    tenant.target = target;
    return targetOf(tenant);
  },
  clearWebhookTarget: ({ tenant }) => {
    tenant.target = undefined;
  },
} satisfies Record<string, (call: ControlCall) => unknown>;

type Operations = typeof operations;
export type ControlOperationId = keyof Operations;

export function runControlOperation<Id extends ControlOperationId>(
  id: Id,
  call: ControlCall,
): ReturnType<Operations[Id]> {
  validateQuery(call.plan, id, call.query);
  validateInput(call.plan, id, call.body, call.bodyName);
  return operations[id](call) as ReturnType<Operations[Id]>;
}

function triggerEvent(
  tenant: Tenant,
  { resource, event, ...fields }: { readonly resource: string; readonly event: string },
  bodyName: string,
): AffectedResource {
  const allEvents = possibleEvents(tenant.world.plan);
  const eventName = `${resource}.${event}`;
  const possibleEvent = allEvents.find((candidate) => candidate.resource === resource && candidate.event === event);
  const trigger = eventTriggers[eventName];
  if (trigger === undefined || possibleEvent === undefined) {
    const names = allEvents.map((candidate) => `${candidate.resource}.${candidate.event}`);
    throw new ControlError(
      `${eventName} cannot be triggered.${didYouMean(eventName, names)} Possible are ${names.join(", ")}.`,
    );
  }
  readObject(fields, bodyName, possibleEvent.takes);
  const { id, owner, states } = tenant.change((world) => trigger(world, fields));
  return { resource, id, externalUserId: owner, states };
}

function assertAllowedHost(url: string, hosts: readonly string[] | undefined): void {
  const hostname = URL.canParse(url) ? new URL(url).hostname : undefined;
  if (hosts === undefined || !hostname || isLoopback(hostname) || hosts.includes(hostname)) return;
  throw new ControlError(
    `Events can be sent to this machine only. To send them to another host, start the mock with --allow-webhook-host ${hostname}`,
    403,
  );
}

/** The receiver of events, without its token and the credentials in its URL. */
function targetOf({ deliveries: { target } }: Tenant): object {
  if (target === undefined) return { url: null };
  const { url = "(a function of the process)", token, paths } = target;
  const shownUrl = String(url).replace(/\/\/[^/@]*@/, "//");
  return { url: shownUrl, hasToken: token !== undefined, ...(paths === undefined ? {} : { paths }) };
}

function clockOf({ world: { clock }, deliveries }: Tenant): object {
  const awaitedEvents = deliveries.inProgress.map(({ number, webhook }) => ({ number, webhook }));
  return {
    now: new Date(clock.now).toISOString(),
    isFrozen: clock.isFrozen,
    ...(awaitedEvents.length > 0 && { waitsFor: awaitedEvents }),
  };
}

async function setClock(tenant: Tenant, body: Readonly<Record<string, unknown>>): Promise<object> {
  const { timeline } = tenant;
  const changeClock = readClockChange(body);
  tenant.ensureAdmitted();
  await changeClock(timeline);
  return clockOf(tenant);
}

/** @returns a function that makes the change. @throws {ControlError} when a duration or time is malformed. */
function readClockChange({
  advance,
  set,
  run,
  freeze,
}: Readonly<Record<string, unknown>>): (timeline: Timeline) => Promise<void> {
  if (run !== undefined) return (timeline) => timeline.run();
  if (advance !== undefined) {
    const duration = readDuration(advance, "advance");
    return (timeline) => timeline.advance(duration);
  }
  if (set !== undefined) {
    const time = readTime(set, "set");
    return (timeline) => timeline.set(time);
  }
  const frozenAt = freeze === true ? undefined : readTime(freeze, "freeze");
  return (timeline) => timeline.freeze(frozenAt);
}
