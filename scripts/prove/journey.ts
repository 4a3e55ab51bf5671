/** A journey describes a kind of program: its input, the world that it works on, and the expected effects. */
import type { MockWorldControl } from "../mock/control/index.ts";
import type { Condition } from "./conditions.ts";

/** An entity of the world, as in `GET /__mock/state`. */
export type Entity = ReturnType<MockWorldControl["state"]>["entities"][number];

/** An effect that the program must cause exactly once. */
export interface ExpectedEffect {
  readonly reference: string;
  /** Description of the effect; equal for effects that the service's records cannot distinguish. */
  readonly what: string;
  /** Whether the effect is impossible, for example because the country is not served: the program must report the row as failed. */
  readonly cannotSucceed?: boolean;
}

export interface Effect {
  readonly what: string;
  /** Whether the effect was accepted and failed later. */
  readonly hasFailed: boolean;
}

/** Calls an operation of the contract with a JSON body. @throws {Error} when it is refused. */
export type CallOperation = (operationId: string, body: object) => Promise<void>;

export interface Journey {
  readonly name: string;
  readonly text: string;
  /** The columns of the input file, in order. */
  readonly columns: readonly string[];
  /** The rows; a value such as `@front.png` names one of {@link files}, and the program gets its path. */
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly files?: Readonly<Record<string, string>>;
  readonly wanted: readonly ExpectedEffect[];
  /** The operations to which conditions are applied. */
  readonly operations: readonly string[];
  readonly conditions: readonly Condition[];
  /** Whether every call can be repeated safely, so that no row may stay unclear. */
  readonly isRepeatable?: boolean;
  /** Input values that must not be printed. */
  readonly secrets: readonly { readonly name: string; readonly text: string }[];
  readonly prepare: (world: MockWorldControl, call: CallOperation) => Promise<void>;
  /** The effects in the world. @param entities the entities that the program's calls created. */
  readonly effects: (entities: readonly Entity[]) => readonly Effect[];
  /** The word for success in the report, such as `paid`. */
  readonly done: string;
}

/** The lines of the input file. @param pathOf returns the path of a file named in a row. */
export function inputLines({ columns, rows }: Journey, pathOf = (file: string): string => file): readonly string[] {
  const textOf = (value = "") => (value.startsWith("@") ? pathOf(value.slice(1)) : value);
  return [columns.join(","), ...rows.map((row) => columns.map((column) => textOf(row[column])).join(","))];
}

/** The form in which a secret of the input may be printed: its last characters. */
export function ending(secret: string): string {
  return `…${secret.slice(-4)}`;
}

export function shownInput(journey: Journey): readonly string[] {
  return inputLines(journey).map((line) =>
    journey.secrets.reduce((text, { text: secret }) => text.replaceAll(secret, ending(secret)), line),
  );
}
