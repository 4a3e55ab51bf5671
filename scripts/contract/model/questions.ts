/** The first lines of `openapi/open-questions.yaml` describe the keys. */

/** The ranks are sorted by the consequences of a wrong assumption, the worst first. */
export const ranks = {
  money: "Money: a wrong assumption can lose or repeat a payment",
  safety: "Safety: a wrong assumption can harm a user, or let somebody in",
  data: "Data: a wrong assumption can break a program, or lose what it reads",
  convenience: "Convenience: a wrong assumption costs time",
} as const;
export type Rank = keyof typeof ranks;
export const rankNames = Object.keys(ranks) as readonly Rank[];

/** The elements of the contract from which the rows of a question's table are derived. */
export type RowSource =
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
  area?: string;
  assumption: string;
  evidence?: string;
  statedAs?: string;
}

export interface OpenQuestion {
  question: string;
  rank: Rank;
  who: "API team" | "payments team" | "compliance team" | "partner support";
  section: string;
  statedAs?: string;
  assumption: string;
  evidence: string;
  change: Record<string, string>;
  matrix?: MatrixRow[] | RowSource;
  notes?: Record<string, Pick<MatrixRow, "evidence" | "statedAs">>;
}

/** Whether no answer can contradict the assumption: its first sentence is then `Nothing.` (open-questions.schema.yaml). */
export function assumesNothing({ assumption }: Pick<OpenQuestion, "assumption">): boolean {
  return assumption.startsWith("Nothing.");
}

/** Questions by id. The twenty most important come first. */
export type OpenQuestions = Record<string, OpenQuestion>;

export function listedRows({ matrix }: OpenQuestion): MatrixRow[] {
  return Array.isArray(matrix) ? matrix : [];
}
