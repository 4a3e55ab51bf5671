/** What the page of an edition says about an operation or webhook besides its own description. */
import {
  type Contract,
  type ErrorAdvice,
  type ErrorCode,
  hasAnyCode,
  type Operation,
  type Provenance,
  provenances,
  type Webhook,
} from "../contract/index.ts";
import { linkText } from "./links.ts";
import { deliveryNote, effectNotes, eventNote, requirementNotes, triggerNotes } from "./machine-notes.ts";
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

/** The description: provenance, prose, preconditions, effects, webhooks, P-codes, and what is uncertain. */
export function describeOperation(subject: Operation | Webhook, contract: Contract, context: NoteContext): string {
  const { node, description, provenance = "proposed", openQuestions, stated } = subject;
  const parts = markedParts(subject);
  return blocks(
    provenanceMark(provenance) + statedNote(stated),
    linkText(description, context.links),
    irregularityNote(node["x-irregularity"]),
    ...(subject.kind === "operation"
      ? operationFacts(subject, contract, context)
      : webhookFacts(subject, contract, context)),
    codeTable(subject, contract.errorCodes, context),
    otherProvenances(provenance, parts),
    questionList(openQuestions, parts, context),
  );
}

/** What the specification states of something that it does not state as a whole. */
function statedNote(parts: string[]): string {
  return parts.length === 0 ? "" : ` The specification states its ${parts.join(" and ")}.`;
}

function operationFacts(operation: Operation, contract: Contract, context: NoteContext): string[] {
  return [
    operation.sideEffects ? `${mark("irregular", "Irregular")} Each call has a side effect.` : "",
    section("Preconditions", requirementNotes(operation, context)),
    section("Effects", effectNotes(operation)),
    section("Webhooks that it triggers", triggerNotes(operation, contract, context)),
  ];
}

function webhookFacts(webhook: Webhook, contract: Contract, context: NoteContext): string[] {
  const { path, pathProvenance, dedupeKey } = webhook;
  const pathMark = pathProvenance === undefined ? "" : ` ${provenanceMark(pathProvenance)}`;
  const key = dedupeKey.map(code).join(" and ");
  return [
    path === ""
      ? "The path on the server of the partner is not known."
      : `Sent to ${code(path)} on a server of the partner.${pathMark}`,
    eventNote(webhook, contract, context),
    deliveryNote(contract),
    key === "" ? "" : `Treat a delivery with the same ${key} as a repetition. _Advice of this contract._`,
  ];
}

function codeTable({ answers }: Operation | Webhook, errorCodes: ErrorCode[], { links }: NoteContext): string {
  let hasProvenances = false;
  const rows = answers.flatMap(({ key, codeRefs }) =>
    codeRefs.map(({ code: errorCode, provenance }) => {
      const entry = errorCodes.find((candidate) => candidate.code === errorCode);
      if (entry === undefined) throw new Error(`The document has no schema for the error ${errorCode}.`);
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
  const anyCode = answers.filter(hasAnyCode).map(({ key }) => `Nobody has stated the P-codes of the answer ${key}.`);
  if (rows.length === 0) return anyCode.length === 0 ? "" : blocks("##### P-codes", ...anyCode);
  return blocks(
    "##### P-codes",
    table(["Code", "Status", "Meaning", "Retry", "What to do"], rows),
    adviceNote,
    ...anyCode,
    hasProvenances ? "_A mark beside a code is its provenance, where it differs from that of the operation._" : "",
  );
}

/** The parts that do not have the provenance of the operation itself. */
function otherProvenances(own: Provenance, parts: MarkedPart[]): string {
  const items = provenances.flatMap((provenance) => {
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

const badgeColours: Record<Exclude<Provenance, "specification">, string> = {
  reference: "blue",
  observed: "teal",
  proposed: "orange",
};

/** The badge beside the name in the side bar, in the search and above the operation. What is stated has none. */
export function provenanceBadges({ provenance = "proposed" }: Operation | Webhook): { name: string; color: string }[] {
  if (provenance === "specification") return [];
  return [{ name: shortProvenanceWords[provenance], color: badgeColours[provenance] }];
}
