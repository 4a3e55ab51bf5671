/** The register of open questions, `openapi/open-questions.yaml`, whose head says what its keys mean. */

/** What a wrong assumption costs, worst first, and how a heading says it. */
export const ranks = {
  money: "Money: a wrong assumption can lose or repeat a payment",
  safety: "Safety: a wrong assumption can harm a user, or let somebody in",
  data: "Data: a wrong assumption can break a program, or lose what it reads",
  convenience: "Convenience: a wrong assumption costs time",
} as const;
export type Rank = keyof typeof ranks;

/** What the rows of a table are read from, where the register does not list them. */
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
  /** The area of a row that is read from the contract: the tag of its operation or webhook. */
  area?: string;
  assumption: string;
  evidence?: string;
  statedAs?: string;
}

export interface OpenQuestion {
  question: string;
  rank: Rank;
  who: "API team" | "payments team" | "compliance team" | "partner support";
  /** Section of the interface specification that leaves it open. */
  section: string;
  /** The sentence in which the specification itself says that something is not shown. */
  statedAs?: string;
  assumption: string;
  evidence: string;
  /** What each answer but the assumed one leads to, by the answer. */
  change: Record<string, string>;
  matrix?: MatrixRow[] | DerivedRows;
  /** What rows that are read from the contract rest on, by the name of the row. */
  notes?: Record<string, Pick<MatrixRow, "evidence" | "statedAs">>;
}

/** All of them, by id, those that matter most first. */
export type OpenQuestions = Record<string, OpenQuestion>;

/** What a bundle is published with. */
export interface Publication {
  /** The `x-` keys that it keeps: those that `extensions.yaml` marks as published. */
  keys: readonly string[];
  /** Whose texts it gets. */
  questions: OpenQuestions;
  /** `support` of `publishing.yaml`: an https or mailto address, null until there is one. */
  support: string | null;
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
