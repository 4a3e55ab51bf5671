/** One tenant of the mock: its world, and how a call acts on it. Everything that a call changes takes effect together or not at all. */
import type { Acted, AcceptedCall as AnsweredCall } from "../answer/act.ts";
import type { AnyCall, MockWorld } from "../behaviours/behaviour.ts";
import { documentedReply } from "../behaviours/documented.ts";
import { behaviours, scripts } from "../behaviours/index.ts";
import { Clock } from "../kernel/clock.ts";
import { MockFault } from "../kernel/fault.ts";
import { World } from "../kernel/world.ts";
import type { Plan, PlanOperation } from "../plan/plan.ts";
import { Refusal } from "./refusal.ts";
import { checkRequirements } from "./requirements.ts";

export type { Acted };

/** A call whose parameters and body fulfil the schemas of its operation. */
export interface AcceptedCall extends Omit<AnsweredCall, "key" | "text" | "preferences"> {
  /** The numbers and decimal strings at the top level of the body, with the digits that were sent. */
  readonly amounts: Readonly<Record<string, string>>;
}

export interface SessionOptions {
  readonly plan: Plan;
  /** Everything that looks random follows from it. */
  readonly seed: string;
  readonly clock?: Clock;
}

export class Session {
  readonly clock: Clock;
  readonly #plan: Plan;
  readonly #seed: string;
  #world: MockWorld;

  constructor({ plan, seed, clock = new Clock() }: SessionOptions) {
    this.clock = clock;
    this.#plan = plan;
    this.#seed = seed;
    this.#world = this.#makeWorld();
  }

  get world(): MockWorld {
    return this.#world;
  }

  /** Forgets everything but the time. What is called next gets the same identifiers as at the start. */
  reset(): void {
    this.#world = this.#makeWorld();
  }

  /**
   * Begins anew with what it is filled with.
   *
   * @throws what `fill` throws; everything is as before then.
   */
  restore(fill: (world: MockWorld) => void): void {
    const world = this.#makeWorld();
    fill(world);
    this.#world = world;
  }

  /** Runs everything that is due, then the call. */
  act(call: AcceptedCall): Acted {
    const { now } = this.clock;
    this.#world.runJobs(now);
    try {
      return this.#world.at(now, () => this.#run(call));
    } catch (error) {
      if (error instanceof Refusal) return this.#refused(call.operation, error);
      throw error;
    }
  }

  #run(accepted: AcceptedCall): Acted {
    const { operation, path, query, body, amounts, files } = accepted;
    const world = this.#world;
    const amount = (field: string) => amounts[field] ?? query[field];
    const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
    checkRequirements(operation, { world, path, query, body: fields, amount });
    const call: AnyCall = {
      ...{ operation, world, path, query, body, files, amount },
      refuse: (code, detail) => {
        throw new Refusal(code, detail);
      },
      refuseNotFound: () => {
        throw new Refusal(undefined, "");
      },
      notice: (code, detail) => this.#errorBody(code, detail),
    };
    const behaviour = behaviours[operation.operationId];
    if (behaviour === undefined) return documentedReply(operation);
    const reply = behaviour(call);
    const code = (reply.body as { errorCode?: string } | null)?.errorCode;
    return { status: reply.status, body: reply.body, code, notes: [] };
  }

  /** The documented answer, which says what was refused, at the present time. */
  #refused(operation: PlanOperation, { code, message }: Refusal): Acted {
    if (code !== undefined) {
      const { status } = this.#plan.codes[code] ?? { status: 400 };
      return { status, body: this.#errorBody(code, message), code, notes: [message] };
    }
    const answer = operation.answers.find(({ status, code: documented }) => status === 404 && documented === undefined);
    if (answer === undefined) throw new MockFault(`${operation.operationId} documents no 404 without a P-code.`);
    return { status: 404, body: { ...JSON.parse(answer.body), timestamp: this.#timestamp() }, code, notes: [] };
  }

  #errorBody(code: string, detail: string): object {
    const known = this.#plan.codes[code];
    if (known === undefined) throw new MockFault(`The contract has no P-code ${code}.`);
    return { ...known.example, errorMessage: `${known.meaning}: ${detail}`, timestamp: this.#timestamp() };
  }

  #timestamp(): string {
    return new Date(this.#world.now).toISOString();
  }

  #makeWorld(): MockWorld {
    return new World(this.#plan, scripts, { clock: this.clock, seed: this.#seed });
  }
}
