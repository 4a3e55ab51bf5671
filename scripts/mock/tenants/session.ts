/** One tenant of the mock: its world, and how a call acts on it. Everything that a call changes takes effect together or not at all. */
import type { AnyCall, MockWorld, UploadedFile } from "../behaviours/behaviour.ts";
import { documentedReply } from "../behaviours/documented.ts";
import { behaviours, scripts } from "../behaviours/index.ts";
import { type Change, MockFault } from "../kernel/changes.ts";
import { Clock } from "../kernel/clock.ts";
import { World } from "../kernel/world.ts";
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

export interface SessionOptions {
  readonly plan: Plan;
  /** Everything that looks random follows from it. */
  readonly seed: string;
  readonly clock?: Clock;
  /** Told of what each call and each job changes, before it counts. When it throws, nothing of it is left. */
  readonly onUnit?: (made: readonly Change[]) => void;
}

export class Session {
  readonly clock: Clock;
  readonly #plan: Plan;
  readonly #seed: string;
  readonly #onUnit: SessionOptions["onUnit"];
  #world: MockWorld;

  constructor({ plan, seed, clock = new Clock(), onUnit }: SessionOptions) {
    this.clock = clock;
    this.#plan = plan;
    this.#seed = seed;
    this.#onUnit = onUnit;
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
   * @param begin fills the new world and sets the time.
   * @throws what `begin` throws; everything is as before then.
   */
  restore(begin: () => void): void {
    const before = { world: this.#world, clock: this.clock.state };
    this.reset();
    try {
      begin();
    } catch (error) {
      this.#world = before.world;
      this.clock.state = before.clock;
      throw error;
    }
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
    const world: MockWorld = new World(this.#plan, scripts, { clock: this.clock, seed: this.#seed });
    world.changes.onUnit = this.#onUnit;
    return world;
  }
}
