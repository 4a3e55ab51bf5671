/** What the page of an edition says about an operation or webhook besides its own description. */
import type { ErrorAdvice, ErrorCode, Operation, Provenance, Webhook } from "../contract/index.ts";
import { linkText } from "./links.ts";
import {
  blocks,
  code,
  details,
  inline,
  list,
  mark,
  provenanceMark,
  sentence,
  shortProvenanceMark,
  shortProvenanceWords,
  table,
} from "./markdown.ts";
import { type MarkedPart, markedParts } from "./marked-parts.ts";
import { irregularityNote, type NoteContext, questionText } from "./notes.ts";

/** The values of `retry` in a word or two, for the narrow column of a table. */
const retryWords: Record<ErrorAdvice["retry"], string> = {
  none: "no error",
  never: "never",
  "after-change": "after a change",
  later: "later",
  unknown: "unknown",
};

/** Shown wherever "Retry" and "What to do" are. */
export const adviceNote = "_Retry and What to do are advice of this contract; the service does not state them._";

const requirementWords: Record<string, string> = {
  user: "The user exists",
  verified: "The user is verified",
  extended: "The user is extended",
  kycFiles: "The files that the document type requires are uploaded",
};

/** The description: provenance, prose, preconditions, webhooks, P-codes, and what is uncertain. */
export function describeOperation(subject: Operation | Webhook, errorCodes: ErrorCode[], context: NoteContext): string {
  const { node, description, provenance = "proposed", openQuestions } = subject;
  const parts = markedParts(subject);
  return blocks(
    provenanceMark(provenance),
    linkText(description, context.links),
    irregularityNote(node["x-irregularity"]),
    ...(subject.kind === "operation" ? operationFacts(subject, context) : webhookFacts(subject)),
    codeTable(subject, errorCodes, context),
    otherProvenances(provenance, parts),
    questionList(openQuestions, parts, context),
  );
}

function operationFacts({ sideEffects, requires, triggers }: Operation, { links, states }: NoteContext): string[] {
  const preconditions = requires.map((state) => {
    const words = requirementWords[state] ?? code(state);
    const errorCode = states[state];
    return errorCode === undefined ? `${words}.` : `${words}; ${links.error(errorCode)} otherwise.`;
  });
  return [
    sideEffects ? `${mark("irregular", "Irregular")} Each call has a side effect.` : "",
    section("Preconditions", preconditions),
    section(
      "Webhooks that it triggers",
      triggers.map((name) => links.webhook(name)),
    ),
  ];
}

function webhookFacts({ path, dedupeKey }: Webhook): string[] {
  const key = dedupeKey.map(code).join(" and ");
  return [
    path === "" ? "" : `Sent to ${code(path)} on a server of the partner.`,
    key === "" ? "" : `Treat a delivery with the same ${key} as a repetition. _Advice of this contract._`,
  ];
}

function codeTable({ answers }: Operation | Webhook, errorCodes: ErrorCode[], { links }: NoteContext): string {
  let hasProvenances = false;
  const rows = answers.flatMap(({ key, codes, bodies }) =>
    codes.map((errorCode) => {
      const entry = errorCodes.find((candidate) => candidate.code === errorCode);
      if (entry === undefined) throw new Error(`The document has no schema for the error ${errorCode}.`);
      // Where the provenance of a code differs from that of the operation, the example of the code states it.
      const example = bodies.flatMap(({ examples }) => examples).find(({ name }) => name === errorCode);
      const provenance = example?.place.at("x-provenance").value as Provenance | undefined;
      hasProvenances ||= provenance !== undefined;
      return [
        links.error(errorCode) + (provenance === undefined ? "" : ` ${shortProvenanceMark(provenance)}`),
        key,
        inline(entry.meaning),
        retryWords[entry.retry],
        inline(entry.resolution),
      ];
    }),
  );
  if (rows.length === 0) return "";
  return blocks(
    "##### P-codes",
    table(["Code", "Status", "Meaning", "Retry", "What to do"], rows),
    adviceNote,
    hasProvenances ? "_A mark beside a code is its provenance, where it differs from that of the operation._" : "",
  );
}

/** The parts that do not have the provenance of the operation itself. */
function otherProvenances(own: Provenance, parts: MarkedPart[]): string {
  const items = (["specification", "reference", "proposed"] as const).flatMap((provenance) => {
    const wheres = distinct(parts.filter((part) => part.provenance === provenance).map(({ where }) => where));
    return provenance === own || wheres.length === 0 ? [] : [`${provenanceMark(provenance)} ${wheres.join(", ")}`];
  });
  return section("Provenance of its parts", items);
}

/** The questions of the operation and of all of its parts, each with the parts that it concerns. */
function questionList(own: string[], parts: MarkedPart[], context: NoteContext): string {
  const ids = distinct([...own, ...parts.flatMap(({ questions }) => questions)]);
  const items = ids.map((id) => {
    const wheres = distinct(parts.filter(({ questions }) => questions.includes(id)).map(({ where }) => where));
    const text = questionText(id, context);
    return wheres.length === 0 ? text : `${text} _Concerns:_ ${sentence(wheres.join(", "))}`;
  });
  return items.length === 0 ? "" : details(mark("question", `Open questions: ${items.length}`), list(items));
}

function section(heading: string, items: string[]): string {
  return items.length === 0 ? "" : blocks(`##### ${heading}`, list(items));
}

function distinct(values: string[]): string[] {
  return [...new Set(values)];
}

/** The badge beside the name in the side bar, in the search and above the operation. What is stated has none. */
export function provenanceBadges({ provenance = "proposed" }: Operation | Webhook): { name: string; color: string }[] {
  if (provenance === "specification") return [];
  return [{ name: shortProvenanceWords[provenance], color: provenance === "reference" ? "blue" : "orange" }];
}
