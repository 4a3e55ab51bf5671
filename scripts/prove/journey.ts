/** A journey is a kind of program: its input, the initial state of the mock, and the effects that the program must cause. */
import type { MockWorldControl } from "../mock/control/index.ts";
import type { CallOperation, Condition } from "./conditions.ts";

export type Entity = ReturnType<MockWorldControl["state"]>["entities"][number];

/** A row of the input asks for the effect exactly once. `reference` is the value in the column `reference` of this row. */
export interface ExpectedEffect {
  readonly reference: string;
  /** Effects that the records of the mock do not distinguish have the same description. */
  readonly description: string;
  /** Whether the effect is impossible; the program must then report the row as failed. */
  readonly cannotSucceed?: boolean;
}

export interface Effect {
  readonly description: string;
  readonly hasFailed: boolean;
}

export interface Journey {
  readonly name: string;
  readonly text: string;
  readonly columns: readonly string[];
  /** The input rows. A value such as `@front.png` names one of {@link files}; the program's input contains the path of the file instead. */
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly files?: Readonly<Record<string, string>>;
  readonly expectedEffects: readonly ExpectedEffect[];
  readonly operations: readonly string[];
  readonly conditions: readonly Condition[];
  readonly secrets: readonly { readonly name: string; readonly text: string }[];
  readonly prepare: (world: MockWorldControl, call: CallOperation) => Promise<void>;
  readonly findEffects: (entities: readonly Entity[], hasFailed: (entity: Entity) => boolean) => readonly Effect[];
  readonly successWord: string;
}

export function inputLines({ columns, rows }: Journey, pathOf = (file: string): string => file): readonly string[] {
  const textOf = (value = "") => (value.startsWith("@") ? pathOf(value.slice(1)) : value);
  return [columns.join(","), ...rows.map((row) => columns.map((column) => textOf(row[column])).join(","))];
}

/** Reports show only the last four characters of a secret. */
export function maskSecret(secret: string): string {
  return `…${secret.slice(-4)}`;
}

export function maskedInput(journey: Journey): readonly string[] {
  return inputLines(journey).map((line) =>
    journey.secrets.reduce((text, { text: secret }) => text.replaceAll(secret, maskSecret(secret)), line),
  );
}
