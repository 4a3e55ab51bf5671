/** The register of open questions, `openapi/open-questions.yaml`, whose header comment describes its keys. */

/** The ranks of questions with their headings. The rank with the worst consequences of a wrong assumption is first. */
export const ranks = {
  money: "Money: a wrong assumption can lose or repeat a payment",
  safety: "Safety: a wrong assumption can harm a user, or let somebody in",
  data: "Data: a wrong assumption can break a program, or lose what it reads",
  convenience: "Convenience: a wrong assumption costs time",
} as const;
export type Rank = keyof typeof ranks;

/** What the rows of a question's table are derived from, if the register does not list the rows: elements that refer to the question. */
export type DerivedRows =
  | "operations"
  | "required"
  | "codes"
  | "statuses"
  | "fields"
  | "paths"
  | "events"
  | "transitions";

export interface MatrixRow {
  row: string;
  /** The tag of the operation or webhook from which the row is derived. */
  area?: string;
  assumption: string;
  evidence?: string;
  statedAs?: string;
}

export interface OpenQuestion {
  question: string;
  rank: Rank;
  who: "API team" | "payments team" | "compliance team" | "partner support";
  /** The section of the interface specification that leaves the question open. */
  section: string;
  /** The sentence of the specification that says that the answer is not shown, quoted exactly. */
  statedAs?: string;
  assumption: string;
  evidence: string;
  /** Maps each possible answer except the assumption to the change that it requires in the contract. */
  change: Record<string, string>;
  matrix?: MatrixRow[] | DerivedRows;
  /** The evidence of derived rows, by row name. */
  notes?: Record<string, Pick<MatrixRow, "evidence" | "statedAs">>;
}

/** Questions by id, the most important question first. */
export type OpenQuestions = Record<string, OpenQuestion>;

export interface Publication {
  /** The `x-` keys that `extensions.yaml` marks as `published`. */
  keys: readonly string[];
  questions: OpenQuestions;
  /** `support` of `publishing.yaml`: an https or mailto address, or null. */
  support: string | null;
  samples: readonly SampleValues[];
}

/** An entry of `samples` in `openapi/scenario.yaml`: replacements for values that the scenario has already used. */
export interface SampleValues {
  operation: string;
  /** The name of a body example. Without a name, the values apply to all samples of the operation. */
  request?: string;
  path?: Record<string, string>;
  body?: Record<string, unknown>;
}

export function listedRows({ matrix }: OpenQuestion): MatrixRow[] {
  return Array.isArray(matrix) ? matrix : [];
}

export function quotesOf(entry: OpenQuestion): string[] {
  const rows = [entry, ...listedRows(entry), ...Object.values(entry.notes ?? {})];
  return rows.flatMap(({ statedAs }) => statedAs ?? []);
}
