/** A kind of program: its input, the world it works on, and the expected effects. */
import type { MockWorldControl } from "../mock/control/index.ts";

/** An entity of the world, as in `GET /__mock/state`. */
export type Entity = ReturnType<MockWorldControl["state"]>["entities"][number];

/** An effect that the program must cause exactly once. */
export interface Wanted {
  /** The reference in the row of the input. */
  readonly reference: string;
  /** Equal for effects that the service's records cannot distinguish. */
  readonly what: string;
}

/** An effect of the program, by the records of the mock. */
export interface Effect {
  readonly what: string;
  /** Whether it was accepted and failed later. */
  readonly hasFailed: boolean;
}

/** Calls an operation of the contract with a JSON body. @throws {Error} when it is refused. */
export type CallOperation = (operationId: string, body: object) => Promise<void>;

export interface Journey {
  readonly name: string;
  /** What the program does, for the help. */
  readonly text: string;
  /** The columns of the input file, in order. */
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly wanted: readonly Wanted[];
  /** The operations to which conditions are applied. */
  readonly operations: readonly string[];
  /** Input values that must not be printed. */
  readonly secrets: readonly { readonly name: string; readonly text: string }[];
  /** Prepares the world for the program. */
  readonly prepare: (world: MockWorldControl, call: CallOperation) => Promise<void>;
  /** The effects in the world. @param entities those created by the program's calls. */
  readonly effects: (entities: readonly Entity[]) => readonly Effect[];
  /** The verb in the report: `was paid`. */
  readonly done: string;
}
