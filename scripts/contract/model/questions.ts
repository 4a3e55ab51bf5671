/** The register of open questions, `openapi/open-questions.yaml`, whose header comment describes its keys. */

/** The kinds of damage that a wrong assumption can do, worst first, each with its heading. */
export const ranks = {
  money: "Money: a wrong assumption can lose or repeat a payment",
  safety: "Safety: a wrong assumption can harm a user, or let somebody in",
  data: "Data: a wrong assumption can break a program, or lose what it reads",
  convenience: "Convenience: a wrong assumption costs time",
} as const;
export type Rank = keyof typeof ranks;

/** The part of the contract from which the rows of a table are derived, where the register does not list them. */
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
  /** The area of a derived row: the tag of its operation or webhook. */
  area?: string;
  assumption: string;
  evidence?: string;
  statedAs?: string;
}

export interface OpenQuestion {
  question: string;
  rank: Rank;
  who: "API team" | "payments team" | "compliance team" | "partner support";
  /** Section of the interface specification that leaves the question open. */
  section: string;
  /** The sentence in which the specification itself says that something is not shown. */
  statedAs?: string;
  assumption: string;
  evidence: string;
  /** The consequence of each answer other than the assumed one. */
  change: Record<string, string>;
  matrix?: MatrixRow[] | DerivedRows;
  /** The evidence of derived rows, by the name of the row. */
  notes?: Record<string, Pick<MatrixRow, "evidence" | "statedAs">>;
}

/** All questions by id, the most important first. */
export type OpenQuestions = Record<string, OpenQuestion>;

/** The data added to a published bundle. */
export interface Publication {
  /** The published `x-` keys, as marked in `extensions.yaml`. */
  keys: readonly string[];
  /** The questions whose texts are added. */
  questions: OpenQuestions;
  /** `support` of `publishing.yaml`: an https or mailto address, or null. */
  support: string | null;
  /** Values that the request examples have in place of those used up by the scenario. */
  samples: readonly SampleValues[];
}

/** Values that samples send in place of those used up by the scenario: an entry of `samples` in `openapi/scenario.yaml`. */
export interface SampleValues {
  operation: string;
  /** The name of a body example; without it, the values apply to all samples of the operation. */
  request?: string;
  /** Replace the examples of the parameters, by name. */
  path?: Record<string, string>;
  /** Replace members of the example's body. */
  body?: Record<string, unknown>;
}

/** The rows of a question that the register lists. */
export function listedRows({ matrix }: OpenQuestion): MatrixRow[] {
  return Array.isArray(matrix) ? matrix : [];
}

/** The sentences of the specification that a question and its rows quote. */
export function quotesOf(entry: OpenQuestion): string[] {
  const rows = [entry, ...listedRows(entry), ...Object.values(entry.notes ?? {})];
  return rows.flatMap(({ statedAs }) => statedAs ?? []);
}
