/** Writes what the `x-` keys of a document say into its descriptions, where Redoc shows it. */
import { type Contract, readContract } from "../contract/contract.ts";
import {
  type ExampleObject,
  isRef,
  type JsonSchema,
  type MediaTypeObject,
  type OpenApiDocument,
  type ParameterObject,
  type Ref,
  type RequestBodyObject,
  type ResponseObject,
  resolve,
} from "../contract/document.ts";
import type { OpenQuestions } from "../contract/open-questions.ts";
import { describeErrors } from "./errors-section.ts";
import { createLinks, errorsSection, linkText, questionsSection, usedQuestions } from "./links.ts";
import { blocks, details, list, mark, shortProvenanceWords } from "./markdown.ts";
import { mergeNull, orNull } from "./nullable.ts";
import { describeOperation, provenanceBadges } from "./operation-notes.ts";
import { describeQuestions } from "./questions-section.ts";
import type { RequiredStates } from "./required-states.ts";
import { describeKeys, describeOrigin, type NoteContext, type Notes, questionText } from "./schema-notes.ts";
import { walkSchema } from "./schemas.ts";
import { subjectsOf } from "./subjects.ts";

/** From an edition's page to the rest of the site. */
const siteLinks = "[All editions](../index.html) · [openapi.yaml](openapi.yaml) · [openapi.json](openapi.json)";

/** What of a document the notes are written into. */
type Described = { description?: string };
type ContentHolder = Described & { content?: Record<string, MediaTypeObject> };

/** What is written into a document besides its own keys. */
export interface AnnotationSources {
  questions: OpenQuestions;
  states: RequiredStates;
  /** The text of the guides; see `readGuides`. */
  guides: string;
}

/**
 * A copy of a bundle with everything in its descriptions that a reader of the page has to know: where each thing comes
 * from, its P-codes, preconditions, known values and open questions; with the guides in front and the sections "Errors"
 * and "Open questions" at the end. The bundle stays as it is.
 */
export function annotateDocument(
  document: OpenApiDocument,
  { questions, states, guides }: AnnotationSources,
): OpenApiDocument {
  const contract = readContract(document);
  const questionIds = usedQuestions(document, questions);
  const context = { links: createLinks(contract, questionIds), questions, states };
  const copy = structuredClone(document);
  annotateOperations(copy, contract, context);
  annotateComponents(copy, contract, context);
  // Redoc's own key: the headings between the entries of the side bar.
  const sideBarHeadings = {
    "x-tagGroups": [
      { name: "Operations and webhooks", tags: (document.tags ?? []).map(({ name }) => name) },
      { name: "Reference", tags: [errorsSection, questionsSection] },
    ],
  };
  return {
    ...copy,
    info: {
      ...copy.info,
      description: blocks(
        siteLinks,
        document.info.description,
        generalQuestions((document.info["x-open-questions"] ?? []) as string[], context),
        linkText(guides, context.links),
      ),
    },
    tags: [
      ...(copy.tags ?? []),
      { name: errorsSection, description: describeErrors(contract, context) },
      { name: questionsSection, description: describeQuestions(questionIds, contract, context) },
    ],
    ...sideBarHeadings,
  };
}

/** The questions that concern the interface as a whole. */
function generalQuestions(ids: string[], context: NoteContext): string {
  if (ids.length === 0) return "";
  const summary = `${mark("question", `Open questions: ${ids.length}`)} on the interface as a whole`;
  return details(summary, list(ids.map((id) => questionText(id, context))));
}

function annotateOperations(copy: OpenApiDocument, contract: Contract, context: NoteContext): void {
  for (const { item, operation, name, answers } of subjectsOf(contract, copy)) {
    operation.description = describeOperation({ operation, answers }, contract, context);
    // Gives webhooks, which have none, an address of their own on the page.
    operation.operationId ??= name;
    Object.assign(operation, { "x-badges": provenanceBadges(operation) });
    for (const parameter of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
      annotateParameter(parameter, contract, context);
    }
    for (const holder of [operation.requestBody ?? [], ...Object.values(operation.responses)].flat()) {
      annotateContent(holder, contract, context);
    }
  }
}

function annotateComponents(copy: OpenApiDocument, contract: Contract, context: NoteContext): void {
  const {
    schemas = {},
    parameters = {},
    responses = {},
    requestBodies = {},
    securitySchemes = {},
  } = copy.components ?? {};
  for (const schema of Object.values(schemas)) annotateSchema(schema as JsonSchema, contract, context);
  for (const parameter of Object.values(parameters)) annotateParameter(parameter as ParameterObject, contract, context);
  for (const holder of [...Object.values(responses), ...Object.values(requestBodies)]) {
    annotateContent(holder as ResponseObject, contract, context);
  }
  for (const scheme of Object.values(securitySchemes) as Described[]) append(scheme, describeKeys(scheme, context));
}

/** A parameter shows its own description only, so it takes over what its schema says. */
function annotateParameter(node: ParameterObject | Ref, { document }: Contract, context: NoteContext): void {
  if (isRef(node)) return;
  append(node, describeKeys({ ...keysOf(document, node.schema), ...node }, context));
  annotateExamples(node.examples ?? {}, context);
}

/** The schema of a whole body does not show its own description, so the body takes over where it comes from. */
function annotateContent(
  holder: RequestBodyObject | ResponseObject | Ref,
  contract: Contract,
  context: NoteContext,
): void {
  if (isRef(holder)) return;
  for (const media of Object.values((holder as ContentHolder).content ?? {})) {
    append(holder as ContentHolder, describeOrigin(keysOf(contract.document, media.schema)));
    annotateSchema(media.schema, contract, context);
    annotateExamples(media.examples ?? {}, context);
  }
}

/** Only its summary is shown when an example is chosen, so that has to tell a guess. */
function annotateExamples(examples: Record<string, ExampleObject | Ref>, context: NoteContext): void {
  for (const [name, example] of Object.entries(examples)) {
    if (isRef(example)) continue;
    const { "x-provenance": provenance, "x-open-questions": questions = [] } = example;
    const origin = provenance === undefined ? [] : [shortProvenanceWords[provenance].toLowerCase()];
    const remarks = [...origin, ...(questions.length > 0 ? ["rests on an assumption"] : [])];
    if (remarks.length > 0) example.summary = `${example.summary ?? name} (${remarks.join(", ")})`;
    append(example as Described, describeKeys(example, context));
  }
}

function annotateSchema(schema: JsonSchema, { document }: Contract, context: NoteContext): void {
  walkSchema(schema, (node) => {
    const target = targetOf(document, node);
    // A reference without words of its own shows the description of its target, which has the notes already.
    if (isRef(node) && !("description" in node) && isEmpty(describeKeys(node, context))) return;
    const notes = describeKeys(keysOf(document, node), context);
    mergeNull(document, node);
    if (isEmpty(notes)) return;
    node.description ??= target?.description;
    append(node, notes);
  });
}

/** The `x-` keys of a schema together with those of the schema that it refers to; its own win. */
function keysOf(document: OpenApiDocument, schema: JsonSchema): object {
  return { ...targetOf(document, schema), ...schema };
}

/** What a schema refers to, also as "this or null". */
function targetOf(document: OpenApiDocument, schema: JsonSchema): JsonSchema | undefined {
  const reference = isRef(schema) ? schema : orNull(schema);
  return reference && resolve<JsonSchema>(document, reference);
}

function append(described: Described, { marks, text }: Notes): void {
  if (isEmpty({ marks, text })) return;
  const description = described.description?.trim() ?? "";
  // Marks stand behind a text of one paragraph, and below a longer one.
  const first = description.includes("\n\n") ? blocks(description, marks) : `${description} ${marks}`.trim();
  described.description = blocks(first, text);
}

function isEmpty({ marks, text }: Notes): boolean {
  return marks === "" && text === "";
}
