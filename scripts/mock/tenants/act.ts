/** How a call acts on a world. Everything that it changes takes effect together or not at all. */
import type { AnyCall, MockWorld } from "../behaviours/behaviour.ts";
import { documentedReply } from "../behaviours/documented.ts";
import { behaviours, scripts } from "../behaviours/index.ts";
import { timestamp } from "../behaviours/values.ts";
import { MockFault } from "../kernel/changes.ts";
import { World, type WorldOptions } from "../kernel/world.ts";
import type { Plan, PlanOperation, Validator } from "../plan/plan.ts";
import { checkRequirements, moveAtOnce, Refusal } from "./requirements.ts";

/** A call whose parameters and body fulfil the schemas of its operation. */
export interface AcceptedCall extends Pick<AnyCall, "path" | "query" | "files"> {
  readonly operation: PlanOperation;
  /** The parsed body; undefined where none was sent. */
  readonly body: unknown;
  /** The numbers and decimal strings at the top level of the body, with the digits that were sent. */
  readonly amounts: Readonly<Record<string, string>>;
}

/** What a call led to: an answer that the operation documents. */
export interface Acted {
  readonly status: number;
  readonly body: unknown;
  readonly code?: string | undefined;
  /** For the log. */
  readonly notes: readonly string[];
}

/** A world with what all areas do. */
export function makeWorld(plan: Plan, options: WorldOptions): MockWorld {
  return new World(plan, scripts, options);
}

/**
 * Runs everything that is due, then the call.
 *
 * @throws {MockFault} when the answer is not as the contract says; nothing is left of the call then.
 */
export function act(world: MockWorld, call: AcceptedCall): Acted {
  const { now } = world.clock;
  world.runJobs(now);
  try {
    return world.at(now, () => checked(call.operation, run(world, call)));
  } catch (error) {
    if (error instanceof Refusal) return checked(call.operation, refused(world, call.operation, error));
    throw error;
  }
}

function refuse(code: string, detail: string): never {
  throw new Refusal(code, detail);
}

function refuseNotFound(): never {
  throw new Refusal(undefined, "");
}

/** Does what an operation does. @throws {Refusal} when it refuses the call. */
export function run(world: MockWorld, { operation, path, query, body, amounts, files }: AcceptedCall): Acted {
  const amount = (field: string) => amounts[field] ?? query[field];
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const circumstances = { world, path, query, body: fields, amount };
  checkRequirements(operation, circumstances);
  const behaviour = behaviours[operation.operationId];
  const notice = (code: string, detail: string) => errorBody(world, code, detail);
  const own = behaviour?.({ world, path, query, body, files, amount, notice, refuse, refuseNotFound });
  const isDone = moveAtOnce(operation, circumstances) || behaviour !== undefined;
  const reply = own ?? documentedReply(operation);
  const code = (reply.body as { errorCode?: string } | null)?.errorCode;
  const notes = isDone
    ? done
    : [`The mock has no behaviour of ${operation.operationId}: this is the documented example.`];
  return { status: reply.status, body: reply.body, code, notes };
}

const done: readonly string[] = [];

/** The documented answer, which says what was refused, at the present time. */
function refused(world: MockWorld, operation: PlanOperation, { code, message }: Refusal): Acted {
  if (code !== undefined) {
    const { status } = world.plan.codes[code] ?? { status: 400 };
    return { status, body: errorBody(world, code, message), code, notes: [message] };
  }
  const answer = operation.answers.find(({ status, code: documented }) => status === 404 && documented === undefined);
  if (answer === undefined) throw new MockFault(`${operation.operationId} documents no 404 without a P-code.`);
  return { status: 404, body: { ...JSON.parse(answer.body), timestamp: timestamp(world.now) }, code, notes: [] };
}

function errorBody(world: MockWorld, code: string, detail: string): object {
  const known = world.plan.codes[code];
  if (known === undefined) throw new MockFault(`The contract has no P-code ${code}.`);
  return { ...known.example, errorMessage: `${known.meaning}: ${detail}`, timestamp: timestamp(world.now) };
}

/** The validators of the answers of an operation with a status, once found. */
const judges = new WeakMap<PlanOperation, Map<number, readonly Validator[]>>();

function judgesOf(operation: PlanOperation, status: number): readonly Validator[] {
  const { operationId, answers, answerValidators } = operation;
  const byStatus = judges.get(operation) ?? new Map<number, readonly Validator[]>();
  judges.set(operation, byStatus);
  const known = byStatus.get(status);
  if (known !== undefined) return known;
  const media = answers.filter((answer) => answer.status === status).map(({ mediaType }) => mediaType);
  if (media.length === 0) throw new MockFault(`${operationId} answers ${status}, which it does not document.`);
  const found = [...new Set(media)].flatMap((mediaType) => answerValidators[`${status} ${mediaType}`] ?? []);
  byStatus.set(status, found);
  return found;
}

/** Compares the answer of a behaviour with the contract. */
function checked(operation: PlanOperation, acted: Acted): Acted {
  const { operationId, answers } = operation;
  const { status, body, code } = acted;
  const validators = judgesOf(operation, status);
  // The schema of an open answer accepts any code.
  if (code !== undefined && !answers.some((answer) => answer.code === code)) {
    throw new MockFault(`${operationId} answers ${code}, which it does not document.`);
  }
  if (validators.length === 0 || validators.some((validator) => validator(body))) return acted;
  const problems = validators.flatMap(({ errors }) => errors ?? []);
  const told = problems.map(({ instancePath, message }) => `${instancePath} ${message}`.trim()).join("; ");
  throw new MockFault(`The answer ${status} of ${operationId} is not as the contract says: ${told}.`);
}
