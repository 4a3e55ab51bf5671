/** The questionnaire is for the service's team: Markdown, and CSV for a spreadsheet. */
import {
  type Contract,
  type MatrixRow,
  type OpenQuestion,
  type OpenQuestions,
  type Rank,
  rankNames,
  ranks,
} from "../../contract/model/index.ts";
import { damageOf, howToRun } from "../content/answers.ts";
import { type QuestionLocation, questionLocations, schemasOfQuestion } from "../content/question-locations.ts";
import { nameOf, rowsOf } from "../content/question-rows.ts";

interface QuestionWithContext extends OpenQuestion {
  id: string;
  rows: MatrixRow[];
  usedIn: string;
}

function questionsOfRank(questions: OpenQuestions, contract: Contract, rank?: Rank): QuestionWithContext[] {
  const locations = questionLocations(contract);
  const entries = Object.entries(questions)
    .filter(([, entry]) => rank === undefined || entry.rank === rank)
    .map(([id, entry]) => ({ id, entry, damage: damageOf(id, Object.keys(entry.change)) }))
    .sort((a, b) => {
      const byRank = rankNames.indexOf(a.entry.rank) - rankNames.indexOf(b.entry.rank);
      return byRank || b.damage[0] - a.damage[0] || b.damage[1] - a.damage[1];
    });
  return entries.map(({ id, entry }) => {
    return { ...entry, id, rows: rowsOf(id, entry, contract), usedIn: usesOf(id, locations.get(id) ?? [], contract) };
  });
}

function usesOf(id: string, locations: readonly QuestionLocation[], contract: Contract): string {
  const subjects = locations.map(({ subject }) => subject);
  const groups = [contract.operations, contract.webhooks].map((allSubjects) => {
    const usedSubjects = subjects.filter(({ kind }) => kind === allSubjects[0]?.kind);
    return usedSubjects.length === allSubjects.length && usedSubjects.length > 1
      ? [`all ${allSubjects[0]?.kind}s`]
      : usedSubjects.map(nameOf);
  });
  const names = groups.flat();
  if (names.length > 0) return names.join(", ");
  const schemas = schemasOfQuestion(id, contract);
  return schemas.length === 0 ? "the interface as a whole" : schemas.join(", ");
}

export function questionnaireMarkdown(questions: OpenQuestions, contract: Contract, rank?: Rank): string {
  const allQuestions = questionsOfRank(questions, contract, rank);
  const parts = rankNames.flatMap((name) => {
    const questionsWithRank = allQuestions.filter((entry) => entry.rank === name);
    return questionsWithRank.length === 0 ? [] : [`## ${ranks[name]}\n`, ...questionsWithRank.map(markdownOf)];
  });
  return `# Questions on the interface for partners

${allQuestions.length} questions that the documents of the service leave open. Each says what we assume until it is answered. "Nothing" means that
we advise partners not to rely on it. First of each kind are those with which most breaks here: programs and payments, then the rest.
${parts.length === 0 ? "" : `\n${parts.join("\n")}`}`;
}

function markdownOf({ change, matrix, rows, usedIn, ...entry }: QuestionWithContext): string {
  const { id, question, who, section, statedAs, assumption, evidence } = entry;
  const answers = Object.entries(change).map(([answer, consequence]) =>
    `  - ${answer}: ${consequence} ${howToRun(id, answer)}`.trimEnd(),
  );
  const table =
    rows.length === 0
      ? "**Answer:** ______"
      : ["| | We assume | Because | Answer |", "|---|---|---|---|", ...rowsByArea(rows)].join("\n");
  return `### ${question}

- ${id}, for the ${who}
- Left open in: ${section}${statedAs === undefined ? "" : ` ("${statedAs}")`}
- We assume: ${assumption}
- Because: ${evidence}
- What an answer changes:
${answers.join("\n")}
${typeof matrix === "string" ? "" : `- Used in: ${usedIn}\n`}
${table}
`;
}

function rowsByArea(rows: MatrixRow[]): string[] {
  return rows.flatMap((row, index) => {
    const headings = row.area === undefined || row.area === rows[index - 1]?.area ? [] : [`| **${row.area}** | | | |`];
    return [...headings, markdownRow(row)];
  });
}

function markdownRow({ row, assumption, evidence = "", statedAs }: MatrixRow): string {
  const reasons = [evidence, statedAs === undefined ? "" : `"${statedAs}"`].filter((text) => text !== "").join(" ");
  const cells = [row, assumption, reasons, ""].map((text) => text.replaceAll("|", "\\|"));
  return `| ${cells.join(" | ")} |`;
}

const columns = "id,rank,who,question,area,row,assumed,evidence,left open in,stated as,otherwise,used in,answer".split(
  ",",
);

/** RFC 4180. A question without a table has one record, otherwise one for each row of its table. */
export function questionnaireCsv(questions: OpenQuestions, contract: Contract, rank?: Rank): string {
  const lines = questionsOfRank(questions, contract, rank).flatMap((entry) => {
    const { id, question, who, section, change, rows, usedIn } = entry;
    const otherAnswers = Object.entries(change).map(([answer, consequence]) => `${answer}: ${consequence}`);
    const questionRow: MatrixRow = { ...entry, row: "" };
    return (rows.length === 0 ? [questionRow] : rows).map((row) => {
      const { evidence = entry.evidence, statedAs = entry.statedAs ?? "", assumption } = row;
      const cells = [id, entry.rank, who, question, row.area ?? "", row.row, assumption, evidence, section, statedAs];
      return [...cells, otherAnswers.join("\n"), usedIn, ""];
    });
  });
  return [columns, ...lines].map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

/** A leading character that a spreadsheet would read as a formula is escaped. */
function csvCell(text: string): string {
  const safeText = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}
