/** What the page says about an operation or a webhook besides its description. */
import type { Contract, ErrorCode } from "../contract/contract.ts";
import {
  type OpenApiDocument,
  type OperationObject,
  type Provenance,
  type ResponseObject,
  resolve,
} from "../contract/document.ts";
import { linkText } from "./links.ts";
import {
  blocks,
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
import { markedPlaces, type Place } from "./places.ts";
import { irregularityNote, type NoteContext, questionText } from "./schema-notes.ts";
import type { Subject } from "./subjects.ts";

/** The values of `retry` in a word or two, for the narrow column of a table. */
const retryWords: Record<ErrorCode["retry"], string> = {
  none: "no error",
  never: "never",
  "after-change": "after a change",
  later: "later",
  unknown: "unknown",
};

/** What has to stand wherever the two are shown. */
export const adviceNote = "_Retry and what to do are advice of this contract; the service does not state them._";

const requirementWords: Record<string, string> = {
  user: "The user exists",
  verified: "The user is verified",
  extended: "The user is extended",
  kycFiles: "The files that the document type requires are uploaded",
};

/** The description of an operation or webhook: origin, prose, preconditions, events, P-codes and what is uncertain. */
export function describeOperation(
  { operation, answers }: Pick<Subject, "operation" | "answers">,
  { document, errorCodes }: Contract,
  context: NoteContext,
): string {
  const provenance = operation["x-provenance"] ?? "proposed";
  const places = markedPlaces(document, operation);
  return blocks(
    provenanceMark(provenance),
    linkText(operation.description ?? "", context.links),
    irregularityNote((operation as { "x-irregularity"?: string })["x-irregularity"]),
    sideEffects(operation),
    webhookPath(operation),
    dedupeKey(operation),
    preconditions(operation, context),
    triggers(operation, context),
    codeTable({ operation, answers }, document, errorCodes, context),
    otherOrigins(provenance, places),
    openQuestions(operation["x-open-questions"] ?? [], places, context),
  );
}

function webhookPath(operation: OperationObject): string {
  const path = operation["x-webhook-path"];
  return path === undefined ? "" : `Sent to \`${path}\` on a server of the partner.`;
}

function sideEffects(operation: OperationObject): string {
  return operation["x-side-effects"] ? `${mark("irregular", "Irregular")} Each call changes something.` : "";
}

function dedupeKey(operation: OperationObject): string {
  const fields = (operation["x-dedupe-key"] ?? []).map((field) => `\`${field}\``);
  if (fields.length === 0) return "";
  return `Take a delivery with the same ${fields.join(" and ")} for a repetition. _Advice of this contract._`;
}

function preconditions(operation: OperationObject, { links, states }: NoteContext): string {
  const requirements = (operation["x-requires"] ?? []).map((state) => {
    const words = requirementWords[state] ?? `\`${state}\``;
    const code = states[state];
    return code === undefined ? `${words}.` : `${words}; ${links.error(code)} otherwise.`;
  });
  return requirements.length === 0 ? "" : blocks("##### Preconditions", list(requirements));
}

function triggers(operation: OperationObject, { links }: NoteContext): string {
  const webhooks = (operation["x-triggers"] ?? []).map((name) => links.webhook(name));
  return webhooks.length === 0 ? "" : blocks("##### Webhooks it leads to", list(webhooks));
}

function codeTable(
  { operation, answers }: Pick<Subject, "operation" | "answers">,
  document: OpenApiDocument,
  catalogue: ErrorCode[],
  { links }: NoteContext,
): string {
  const rows = answers.flatMap(({ status, codes }) =>
    codes.map((code) => {
      const entry = catalogue.find((candidate) => candidate.code === code);
      if (entry === undefined) throw new Error(`${code} has no entry in the catalogue.`);
      const provenance = exampleProvenance(document, operation, status, code);
      const origin = provenance === undefined ? "" : ` ${shortProvenanceMark(provenance)}`;
      const advice = [retryWords[entry.retry], inline(entry.resolution)];
      return [links.error(code) + origin, String(status), inline(entry.meaning), ...advice];
    }),
  );
  if (rows.length === 0) return "";
  const hasOrigins = rows.some(([code]) => code?.includes("<span"));
  return blocks(
    "##### P-codes",
    table(["Code", "Status", "Meaning", "Retry", "What to do"], rows),
    adviceNote,
    hasOrigins ? "_A mark beside a code says where it is known from that this operation answers with it._" : "",
  );
}

/** The provenance of a code where it differs from that of the operation: it stands on the code's example. */
function exampleProvenance(
  document: OpenApiDocument,
  operation: OperationObject,
  status: number,
  code: string,
): Provenance | undefined {
  const response = resolve<ResponseObject>(document, operation.responses[String(status)] as ResponseObject);
  const examples = Object.values(response.content ?? {}).flatMap(({ examples = {} }) => examples[code] ?? []);
  return examples.map((example) => (example as { "x-provenance"?: Provenance })["x-provenance"])[0];
}

/** The places that come from somewhere else than the operation itself. */
function otherOrigins(provenance: Provenance, places: Place[]): string {
  const items = (["specification", "reference", "proposed"] as const).flatMap((origin) => {
    const wheres = distinct(places.filter((place) => place.provenance === origin).map(({ where }) => where));
    return origin === provenance || wheres.length === 0 ? [] : [`${provenanceMark(origin)} ${wheres.join(", ")}`];
  });
  return items.length === 0 ? "" : blocks("##### Where parts of it come from", list(items));
}

/** The questions of the operation and of every part of it, each with the places that it concerns. */
function openQuestions(own: string[], places: Place[], context: NoteContext): string {
  const ids = distinct([...own, ...places.flatMap(({ questions }) => questions)]);
  const items = ids.map((id) => {
    const wheres = distinct(places.filter(({ questions }) => questions.includes(id)).map(({ where }) => where));
    const text = questionText(id, context);
    return wheres.length === 0 ? text : `${text} _Concerns:_ ${sentence(wheres.join(", "))}`;
  });
  return items.length === 0 ? "" : details(mark("question", `Open questions: ${items.length}`), list(items));
}

function distinct(values: string[]): string[] {
  return [...new Set(values)];
}

/** The badge that stands beside the name in the side bar, in search and above the operation. Stated ones have none. */
export function provenanceBadges(operation: OperationObject): { name: string; color: string }[] {
  const provenance = operation["x-provenance"] ?? "proposed";
  if (provenance === "specification") return [];
  return [{ name: shortProvenanceWords[provenance], color: provenance === "reference" ? "blue" : "orange" }];
}
