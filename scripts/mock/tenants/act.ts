import type { AnyCall, MockWorld } from "../behaviours/behaviour.ts";
import { behaviours, eventTriggers, hooks } from "../behaviours/index.ts";
import { timestamp } from "../behaviours/values.ts";
import { ControlError } from "../checks/error.ts";
import { MockError } from "../kernel/transactions.ts";
import { type EffectOverrides, forcedEndJob, World, type WorldOptions } from "../kernel/world.ts";
import type { Plan, PlanOperation, PlanResponse } from "../plan/plan.ts";
import { readJson } from "../request/body.ts";
import { documentedBody, firstSuccess } from "../response/choices.ts";
import type { CallOutcome } from "../response/replies.ts";
import { endingOf } from "./endings.ts";
import { applyImmediateEffects, checkRequirements, Refusal } from "./requirements.ts";

export interface AcceptedCall extends Pick<AnyCall, "path" | "query" | "files"> {
  readonly operation: PlanOperation;
  readonly body: unknown;
  readonly amounts: Readonly<Record<string, string>>;
}

type DecidedResponse = Omit<CallOutcome, "response"> & { readonly status: number };

export function makeWorld(plan: Plan, options: WorldOptions): MockWorld {
  const jobs = { ...hooks.jobs, [delayedCallJob]: runDelayedCall, [forcedEndJob]: forceEnding };
  return new World(plan, { ...hooks, jobs }, options);
}

const delayedCallJob = "takeEffect";

/** @param milliseconds the delay until the call takes effect, by the clock of the world. */
export function scheduleCall(
  world: MockWorld,
  { operation, ...call }: AcceptedCall,
  milliseconds: number,
  overrides: EffectOverrides,
): void {
  const values = {
    operationId: operation.operationId,
    call: JSON.stringify(call),
    overrides: JSON.stringify(overrides),
  };
  world.schedule(milliseconds / 1000, delayedCallJob, values);
}

/** A refusal is ignored, because no client waits for the response. */
function runDelayedCall(world: MockWorld, values: Readonly<Record<string, string>>): void {
  const delayedCall = readDelayedCall(world.plan, values);
  if (delayedCall === undefined) return;
  const { call, overrides } = delayedCall;
  try {
    world.transactions.runAtomically(() =>
      world.withOverrides(overrides, () => validateResponse(call.operation, runBehaviour(world, call))),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** If the external event is refused, the usual job ends the resource. */
function forceEnding(world: MockWorld, values: Readonly<Record<string, string>>): void {
  const { resource = "", id = "", ...ending } = values;
  const field = world.plan.resources[resource]?.id ?? "id";
  const trigger = eventTriggers[`${resource}.${endingOf(world.plan, resource)?.event}`];
  try {
    world.transactions.runAtomically(() => trigger?.(world, { ...ending, [field]: id }));
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
  }
}

/** @returns undefined if the values are malformed, or the contract no longer has such an operation or body. */
function readDelayedCall(
  { operations }: Plan,
  { operationId, call = "", overrides = "" }: Readonly<Record<string, string>>,
): { call: AcceptedCall; overrides: EffectOverrides } | undefined {
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  const storedCall = readJson(call).value as Partial<AcceptedCall> | null | undefined;
  const parsedOverrides = readJson(overrides).value as EffectOverrides | null | undefined;
  if (operation === undefined || !storedCall || !parsedOverrides) return undefined;
  const bodies = operation.requestBody?.bodies ?? [];
  const isValid = bodies.length === 0 || bodies.some(({ validator }) => validator(storedCall.body));
  const defaults = { path: {}, query: {}, amounts: {}, files: {}, body: undefined };
  return isValid ? { call: { ...defaults, ...storedCall, operation }, overrides: parsedOverrides } : undefined;
}

export function executeCall(world: MockWorld, call: AcceptedCall, overrides: EffectOverrides = {}): CallOutcome {
  const { now } = world.clock;
  const work = () => world.withOverrides(overrides, () => validateResponse(call.operation, runBehaviour(world, call)));
  try {
    world.runJobs(now);
    return world.runAt(now, work);
  } catch (error) {
    if (error instanceof Refusal) {
      const questions = questionsOf(world, call.operation);
      const decidedResponse = refusalResponse(world, call.operation, error);
      const response = world.hasChangedAssumptions
        ? undocumentedRefusal(call.operation, decidedResponse, error.code)
        : undefined;
      return response
        ? { ...decidedResponse, response, questions }
        : { ...validateResponse(call.operation, decidedResponse), questions };
    }
    throw error;
  }
}

/**
 * Finds a refusal that the contract does not document; only changed assumptions can cause one.
 *
 * @returns undefined when the refusal has no P-code, or a documented one, or if the operation documents no error.
 */
function undocumentedRefusal({ responses }: PlanOperation, { status }: DecidedResponse, code: string | undefined) {
  if (code === undefined || responses.some((response) => response.code === code)) return undefined;
  const [similarResponse] = responses.filter((response) => response.status === status || response.status >= 400);
  return similarResponse && { ...similarResponse, status, code };
}

function questionsOf({ plan, sectionsRead }: MockWorld, { operationId }: PlanOperation): string[] {
  const sections = Object.entries(plan.assumptions).filter(([name]) => sectionsRead.includes(name));
  return sections.flatMap(([, { questions, responses }]) =>
    (responses ?? [operationId]).includes(operationId) ? questions : [],
  );
}

function refuse(code: string | undefined, detail: string): never {
  throw new Refusal(code, detail);
}

export function runBehaviour(world: MockWorld, call: AcceptedCall): DecidedResponse {
  const { operation, amounts, files } = call;
  const { path, query, body } = normaliseIds(world, { path: call.path, query: call.query, body: call.body });
  const amount = (field: string) => amounts[field] ?? query[field];
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const repeatedResponse = repeatedCallResult(world, operation, fields);
  if (repeatedResponse !== undefined) return repeatedResponse;
  const context = { world, path, query, body: fields, amount };
  checkRequirements(operation, context);
  const behaviour = behaviours[operation.operationId];
  const notice = (code: string, detail: string) => errorResponse(world, code, detail).body;
  const refuseNotFound = () => refuse(undefined, "");
  const reply = behaviour?.({ world, path, query, amount, body, files, notice, refuse, refuseNotFound });
  const hasEffect = applyImmediateEffects(operation, context) || behaviour !== undefined;
  const success = firstSuccess(operation);
  const notes = hasEffect
    ? []
    : [`The mock has no behaviour of ${operation.operationId}: this is the documented example.`];
  const { status, body: responseBody } = reply ?? { status: success.status, body: documentedBody(success) };
  return { status, body: responseBody, notes };
}

/**
 * Has an effect only if user ids ignore case in this world. Each text of the request that is a user id gets the spelling with which the
 * user was created.
 */
function normaliseIds<Request extends Pick<AcceptedCall, "path" | "query" | "body">>(
  world: MockWorld,
  request: Request,
): Request {
  if (!world.assumptions.users.ignoreCase) return request;
  const users = new Map(world.records.list("user").map(({ id }) => [id.toLowerCase(), id]));
  const normalise = (_: string, value: unknown) =>
    (typeof value === "string" ? users.get(value.toLowerCase()) : undefined) ?? value;
  return { ...request, ...(JSON.parse(JSON.stringify(request), normalise) as Request) };
}

function repeatedCallResult(
  world: MockWorld,
  { operationId, creates: [resource = ""] }: PlanOperation,
  fields: Readonly<Record<string, unknown>>,
): DecidedResponse | undefined {
  const field = world.assumptions.repeats.recognisedBy[operationId];
  if (field === undefined) return undefined;
  const earlierRecord = world.records.listAny(resource).find(({ owner, data }) => {
    const isOfCaller = owner === null || Object.values(fields).includes(owner);
    return isOfCaller && (data as Readonly<Record<string, unknown>>)[field] === fields[field];
  });
  const id = world.plan.resources[resource]?.id ?? "id";
  const { status } = firstSuccess(
    world.plan.operations.find((operation) => operation.operationId === operationId) as PlanOperation,
  );
  return earlierRecord && { status, body: { [id]: earlierRecord.id }, notes: ["Recognised as a repeated call."] };
}

function refusalResponse(world: MockWorld, operation: PlanOperation, { code, message }: Refusal): DecidedResponse {
  if (code !== undefined) {
    return { ...errorResponse(world, code, message), notes: [message] };
  }
  const response = responseOf(operation, 404, undefined);
  return { status: 404, body: { ...(documentedBody(response) as object), timestamp: timestamp(world.now) }, notes: [] };
}

function errorResponse(world: MockWorld, code: string, detail: string): { status: number; body: object } {
  const catalogueEntry = world.plan.codes[code];
  if (catalogueEntry === undefined && !world.hasChangedAssumptions)
    throw new MockError(`The contract has no P-code ${code}.`);
  const { status, example, meaning } = catalogueEntry ?? {
    status: 400,
    example: { errorCode: code },
    meaning: "Refused",
  };
  return { status, body: { ...example, errorMessage: `${meaning}: ${detail}`, timestamp: timestamp(world.now) } };
}

function responseOf({ operationId, responses }: PlanOperation, status: number, code: string | undefined): PlanResponse {
  const documentedResponse = responses.find((response) => response.status === status && response.code === code);
  if (documentedResponse !== undefined) return documentedResponse;
  throw new MockError(`${operationId} answers ${code ?? status}, which it does not document.`);
}

function validateResponse(operation: PlanOperation, { status, body, notes }: DecidedResponse): CallOutcome {
  const { operationId, responseValidators } = operation;
  // `responseOf` also checks the P-code, because the schema of a response with an incomplete list of codes accepts any code.
  const response = responseOf(operation, status, (body as { errorCode?: string } | null)?.errorCode);
  const validator = responseValidators[`${status} ${response.mediaType}`];
  if (validator === undefined || validator(body)) return { response, body, notes };
  const problems = validator.errors ?? [];
  const details = problems.map(({ instancePath, message }) => `${instancePath} ${message}`.trim()).join("; ");
  throw new MockError(`The response ${status} of ${operationId} is not as the contract says: ${details}.`);
}
