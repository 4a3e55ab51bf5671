/** What a kind of program has to do: its input, the world that it works on, and what counts as done. */
import type { MockWorldControl } from "../mock/control/index.ts";

/** An entity of the world, as `GET /__mock/state` has it. */
export type Entity = ReturnType<MockWorldControl["state"]>["entities"][number];

/** A thing that the program has to bring about exactly once. */
export interface Wanted {
  /** The reference of the row of the input. */
  readonly reference: string;
  /** Equal for things that cannot be told apart by what the service keeps. */
  readonly what: string;
}

/** A thing that the program has brought about, by the books of the mock. */
export interface Effect {
  readonly what: string;
  /** Whether it was accepted and did not succeed in the end. */
  readonly hasFailed: boolean;
}

/** Calls an operation of the contract with a JSON body. @throws {Error} when it is refused. */
export type CallOperation = (operationId: string, body: object) => Promise<void>;

export interface Journey {
  readonly name: string;
  /** What the program does, for the help. */
  readonly text: string;
  /** The columns of the input file, in their order. */
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly wanted: readonly Wanted[];
  /** The operations whose calls meet the conditions. */
  readonly operations: readonly string[];
  /** What the input holds that must not be printed. */
  readonly secrets: readonly { readonly name: string; readonly text: string }[];
  /** Makes the world that the program finds. */
  readonly prepare: (world: MockWorldControl, call: CallOperation) => Promise<void>;
  /** What was brought about. @param entities those that the program's calls have led to. */
  readonly effects: (entities: readonly Entity[]) => readonly Effect[];
  /** In the report: `was paid`. */
  readonly done: string;
}
