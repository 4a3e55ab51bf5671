/** Writes what the `x-` keys of a document say into its descriptions, where Redoc shows it. */
import {
  absentMarker,
  type Contract,
  type ExampleObject,
  isRef,
  type JsonSchema,
  markQuestions,
  type OpenApiDocument,
  type Operation,
  type Place,
  type Registers,
  readContract,
  subschemasOf,
  type Webhook,
  walkSchema,
} from "../contract/index.ts";
import { describeJourneys, type Journey, possibleJourneys } from "./journeys.ts";
import { createLinks, errorsSection, journeysSection, linkText, questionsSection } from "./links.ts";
import { blocks, details, list, mark, shortProvenanceWords } from "./markdown.ts";
import { usedQuestions } from "./marked-parts.ts";
import { describeKeys, describeOrigin, type NoteContext, type Notes, questionText } from "./notes.ts";
import { describeOperation, provenanceBadges } from "./operation-notes.ts";
import { describeErrors, describeQuestions } from "./sections.ts";

/** From the page of an edition to the rest of the site. */
const siteLinks = "[All editions](../index.html) · [openapi.yaml](openapi.yaml) · [openapi.json](openapi.json)";

type Described = { description?: string | undefined };

/** What is written into a document besides its own keys. */
export interface AnnotationSources extends Registers {
  /** The text of the guides. */
  guides: string;
  /** Those that are not possible with the edition are left out. */
  journeys?: readonly Journey[];
}

/**
 * A copy of a bundle with everything in its descriptions that a reader of the page has to know: provenance, P-codes,
 * preconditions, known values and open questions. The guides come first, the sections "Journeys", "Errors" and "Open
 * questions" last.
 */
export function annotateDocument(document: OpenApiDocument, sources: AnnotationSources): OpenApiDocument {
  const contract = readContract(structuredClone(document));
  const markAbsent = absentMarker(contract);
  const questions = markQuestions(usedQuestions(document, sources.questions), markAbsent);
  const context = { ...sources, questions, links: createLinks(contract, questions) };
  const annotator = new Annotator(contract, context);
  for (const subject of [...contract.operations, ...contract.webhooks]) annotator.subject(subject);
  annotator.components();
  const general = generalQuestions((document.info["x-open-questions"] ?? []) as string[], context);
  const journeys = possibleJourneys(sources.journeys ?? [], contract);
  const sections = [
    ...(journeys.length > 0 ? [{ name: journeysSection, description: describeJourneys(journeys, context.links) }] : []),
    { name: errorsSection, description: describeErrors(contract, context) },
    { name: questionsSection, description: describeQuestions(questions, contract, context) },
  ];
  const tags = document.tags ?? [];
  annotator.write();
  // Redoc's own key: the headings between the entries of the side bar.
  const sideBarHeadings = {
    "x-tagGroups": [
      { name: "Operations and webhooks", tags: tags.map(({ name }) => name) },
      { name: "Reference", tags: sections.map(({ name }) => name) },
    ],
  };
  const guides = markAbsent(linkText(sources.guides, context.links));
  return {
    ...contract.document,
    info: { ...document.info, description: blocks(siteLinks, document.info.description, general, guides) },
    tags: [...tags, ...sections],
    ...sideBarHeadings,
  };
}

/** The questions that concern the interface as a whole. */
function generalQuestions(ids: string[], context: NoteContext): string {
  if (ids.length === 0) return "";
  const summary = `${mark("question", `Open questions: ${ids.length}`)} on the interface as a whole`;
  return details(summary, list(ids.map((id) => questionText(id, context))));
}

/** Collects changes of nodes and makes them at the end, so that every note is built from the text of the contract. */
class Annotator {
  readonly #contract: Contract;
  readonly #context: NoteContext;
  /** By node: what it becomes. */
  readonly #changes = new Map<object, object>();

  constructor(contract: Contract, context: NoteContext) {
    this.#contract = contract;
    this.#context = context;
  }

  /** Makes the changes. */
  write(): void {
    for (const [node, changed] of this.#changes) {
      for (const key of Object.keys(node)) if (!(key in changed)) delete (node as Record<string, unknown>)[key];
      Object.assign(node, changed);
    }
  }

  subject(subject: Operation | Webhook): void {
    const { name, node, parameters, requestBody, answers } = subject;
    this.#changes.set(node, {
      ...node,
      description: describeOperation(subject, this.#contract, this.#context),
      // Gives webhooks, which have none, an address on the page.
      operationId: node.operationId ?? name,
      "x-badges": provenanceBadges(subject),
    });
    for (const { place } of parameters) this.#parameter(place);
    if (requestBody !== undefined) this.#content(requestBody.place);
    for (const { place } of answers) this.#content(place);
  }

  components(): void {
    const placesIn = (section: string) => this.#contract.root.own("components", section).entries();
    for (const [, schema] of placesIn("schemas")) this.#schema(schema);
    for (const [, parameter] of placesIn("parameters")) this.#parameter(parameter);
    for (const [, response] of placesIn("responses")) this.#content(response);
    for (const [, requestBody] of placesIn("requestBodies")) this.#content(requestBody);
    for (const [, scheme] of placesIn("securitySchemes")) {
      const node = scheme.value as object;
      this.#change(node, node, describeKeys(node, this.#context));
    }
  }

  /** Redoc does not show the description of a parameter's schema, so the parameter has the notes of its schema too. */
  #parameter(place: Place): void {
    if (isRef(place.value)) return;
    const node = place.value as object;
    this.#change(node, node, describeKeys({ ...keysOf(place.own("schema")), ...node }, this.#context));
    this.#examples(place);
  }

  /** Redoc does not show the description of a body's schema, so the request body or response states its provenance. */
  #content(place: Place): void {
    if (isRef(place.value)) return;
    const origins = place
      .at("content")
      .entries()
      .map(([, mediaType]) => {
        const schema = mediaType.own("schema");
        this.#schema(schema);
        this.#examples(mediaType);
        return describeOrigin(keysOf(schema));
      });
    this.#change(place.value as object, place.value as object, ...origins);
  }

  /** Redoc lists examples by their summaries, so the summary says what is uncertain. */
  #examples(holder: Place): void {
    for (const [name, { value }] of holder.own("examples").entries()) {
      if (isRef(value)) continue;
      const example = value as ExampleObject;
      const { "x-provenance": provenance, "x-open-questions": questions = [] } = example;
      const origin = provenance === undefined ? [] : [shortProvenanceWords[provenance].toLowerCase()];
      const remarks = [...origin, ...(questions.length > 0 ? ["based on an assumption"] : [])];
      const summary = remarks.length > 0 ? { summary: `${example.summary ?? name} (${remarks.join(", ")})` } : {};
      this.#change(example, { ...example, ...summary }, describeKeys(example, this.#context));
    }
  }

  #schema(schema: Place): void {
    const annotate = (place: Place): void => {
      const node = place.value as JsonSchema;
      // A reference without notes or a description of its own shows the description of its target, notes included.
      const hasOwnKeys = node.description !== undefined || !isEmpty(describeKeys(node, this.#context));
      if (isRef(place.value) && !hasOwnKeys) return;
      const notes = describeKeys(keysOf(place), this.#context);
      const shown = mergedWithNull(place) ?? node;
      const description = shown.description ?? (targetOf(place)?.value as JsonSchema | undefined)?.description;
      if (isEmpty(notes)) this.#change(node, shown);
      else this.#change(node, { ...shown, description }, notes);
    };
    walkSchema(schema, annotate, { follow: false });
  }

  /** Prepares a change: the node becomes `changed`, with the notes added to its description. */
  #change(node: object, changed: Described, ...notes: Notes[]): void {
    const described = notes.reduce(withNotes, changed);
    if (described !== node) this.#changes.set(node, described);
  }
}

/** The keys of a schema together with those of the schema that it refers to; its own win. */
function keysOf(schema: Place): object {
  return { ...(targetOf(schema)?.value as object), ...(schema.value as object) };
}

/** What a schema refers to, also as "this or null". */
function targetOf(schema: Place): Place | undefined {
  const reference = isRef(schema.value) ? schema : orNull(schema);
  return reference?.target;
}

/** The reference of a schema that is a choice between exactly one reference and null. */
function orNull(schema: Place): Place | undefined {
  const keyword = schema.own("oneOf").exists ? "oneOf" : "anyOf";
  const variants = schema.own(keyword).items();
  const [only, ...others] = variants.filter(({ value }) => (value as JsonSchema).type !== "null");
  return variants.length === 2 && others.length === 0 && isRef(only?.value) ? only : undefined;
}

/**
 * A choice between a simple value and null as one schema with two types. Of a choice Redoc shows the variants instead of
 * the description, so the notes would be lost. Undefined where one schema would not say the same.
 */
function mergedWithNull(schema: Place): JsonSchema | undefined {
  const target = orNull(schema)?.target;
  if (target === undefined || subschemasOf(target).length > 0) return undefined;
  const { type, ...keywords } = structuredClone(target.value) as JsonSchema;
  if (typeof type !== "string" || "enum" in keywords || "const" in keywords) return undefined;
  const { oneOf: _oneOf, anyOf: _anyOf, ...own } = schema.value as JsonSchema;
  return { ...keywords, ...own, type: [type, "null"] };
}

/** A node with notes added to its description. */
function withNotes(node: Described, { marks, text }: Notes): Described {
  if (isEmpty({ marks, text })) return node;
  const description = node.description?.trim() ?? "";
  // Marks stand behind a text of one paragraph, and below a longer one.
  const first = description.includes("\n\n") ? blocks(description, marks) : `${description} ${marks}`.trim();
  return { ...node, description: blocks(first, text) };
}

function isEmpty({ marks, text }: Notes): boolean {
  return marks === "" && text === "";
}
