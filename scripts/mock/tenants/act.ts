/** How a call acts on a world. Everything that it changes takes effect together or not at all. */
import type { AnyCall, MockWorld, UploadedFile } from "../behaviours/behaviour.ts";
import { documentedReply } from "../behaviours/documented.ts";
import { behaviours, scripts } from "../behaviours/index.ts";
import { timestamp } from "../behaviours/values.ts";
import { MockFault } from "../kernel/changes.ts";
import { World, type WorldOptions } from "../kernel/world.ts";
import type { Plan, PlanOperation } from "../plan/plan.ts";
import { checkRequirements, Refusal } from "./requirements.ts";

/** A call whose parameters and body fulfil the schemas of its operation. */
export interface AcceptedCall {
  readonly operation: PlanOperation;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed body; undefined where none was sent. */
  readonly body: unknown;
  /** The numbers and decimal strings at the top level of the body, with the digits that were sent. */
  readonly amounts: Readonly<Record<string, string>>;
  /** The files of a form, by the name of the part. */
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>;
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

/** Runs everything that is due, then the call. */
export function act(world: MockWorld, call: AcceptedCall): Acted {
  const { now } = world.clock;
  world.runJobs(now);
  try {
    return world.at(now, () => run(world, call));
  } catch (error) {
    if (error instanceof Refusal) return refused(world, call.operation, error);
    throw error;
  }
}

/** Does what an operation does. @throws {Refusal} when it refuses the call. */
export function run(world: MockWorld, { operation, path, query, body, amounts, files }: AcceptedCall): Acted {
  const amount = (field: string) => amounts[field] ?? query[field];
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  checkRequirements(operation, { world, path, query, body: fields, amount });
  const behaviour = behaviours[operation.operationId];
  if (behaviour === undefined) return documentedReply(operation);
  const call: AnyCall = {
    ...{ operation, world, path, query, body, files, amount },
    refuse: (code, detail) => {
      throw new Refusal(code, detail);
    },
    refuseNotFound: () => {
      throw new Refusal(undefined, "");
    },
    notice: (code, detail) => errorBody(world, code, detail),
  };
  const reply = behaviour(call);
  const code = (reply.body as { errorCode?: string } | null)?.errorCode;
  return { status: reply.status, body: reply.body, code, notes: [] };
}

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
