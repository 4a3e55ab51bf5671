import {
  isRef,
  type OpenApiDocument,
  type OpenQuestions,
  type Operation,
  type Provenance,
  valueAt,
  visitObjects,
  type Webhook,
} from "../../../contract/model/index.ts";
import { experimentalNotice } from "./text.ts";

/**
 * An editor shows the comment of a property but not the comment of its type. Each property that is a `$ref` without a description therefore
 * gets the description of its target, and the known values in any case. A property whose target is proposed is marked as proposed.
 */
export function describeReferences<T>(node: T, document: OpenApiDocument): T {
  visitObjects(node, ({ properties = {} }: { properties?: object }) => {
    for (const property of Object.values(properties)) describeReference(property, document);
  });
  return node;
}

function describeReference(property: unknown, document: OpenApiDocument): void {
  if (!isRef(property)) return;
  const target = valueAt(document, property.$ref) as DescribedNode;
  if (target["x-provenance"] === "proposed") Object.assign(property, { "x-provenance": "proposed" });
  const { description } = { ...target, ...property };
  const { "x-open-enum": values = {} } = target;
  Object.assign(property, { description: describe({ description, "x-open-enum": values }, {}) });
}

/** openapi-typescript does not read the `x-` keys. Listed values, open questions and provenance are therefore added to the descriptions. */
export function annotate<T>(node: T, questions: OpenQuestions): T {
  visitObjects(node, (object: { title?: string; description?: string }) => {
    const description = describe(object, questions);
    if (description === "") return;
    object.description = description;
    // Deleted, because the name of the type says nearly the same as the title.
    delete object.title;
  });
  return node;
}

/** In Markdown. For an operation, the assumptions of its open questions are left out. */
export function describe(node: object, questions: OpenQuestions): string {
  const {
    description = "",
    "x-open-enum": values = {},
    "x-open-questions": ids = [],
    "x-provenance": provenance,
  } = node as DescribedNode;
  const knownValues = Object.entries(values).map(
    ([value, entry]) =>
      `- \`${value}\`: ${entry.meaning}${entry.provenance === undefined ? "" : ` (${entry.provenance})`}`,
  );
  const questionTexts = ids.map((id) => {
    const { question, assumption } = questions[id] as OpenQuestion;
    return `Open question ${id}: ${question}${"responses" in node ? "" : ` Assumed: ${assumption}`}`;
  });
  return [
    provenance === "proposed" ? experimentalNotice : "",
    typeof description === "string" ? description.trim() : "",
    knownValues.length === 0 ? "" : `Known values:\n${knownValues.join("\n")}`,
    ...questionTexts,
    (provenance && provenanceNotes[provenance]) ?? "",
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** `check-contract.ts` refuses a contract that names others. */
type OpenQuestion = OpenQuestions[string];

interface DescribedNode {
  description?: unknown;
  "x-open-enum"?: Record<string, { meaning: string; provenance?: Provenance }>;
  "x-open-questions"?: string[];
  "x-provenance"?: Provenance;
}

const provenanceNotes: Partial<Record<Provenance, string>> = {
  reference: "Seen in the public reference of the service.",
  observed: "Observed in a program that calls the service, or inferred from one.",
};

export function experimentalLines({ effectiveProvenance }: Operation | Webhook): string[] {
  return effectiveProvenance === "proposed" ? [experimentalNotice, ""] : [];
}

export function provenanceLines(
  { effectiveProvenance, openQuestions }: Operation | Webhook,
  questions: OpenQuestions,
): string[] {
  const questionLines = openQuestions.map((id) => `- ${id}: ${(questions[id] as OpenQuestion).question}`);
  const sentence = provenanceSentences[effectiveProvenance];
  return [
    ...(questionLines.length === 0 ? [] : ["", "Open questions:", ...questionLines]),
    ...(sentence === undefined ? [] : ["", sentence]),
  ];
}

const provenanceSentences: Partial<Record<Provenance, string>> = {
  specification: "Stated in the interface specification.",
  reference:
    "Named in the interface specification and described in the public reference; parts that are proposed are marked.",
  observed:
    "Named in the interface specification, its shape observed in a program that calls the service, or inferred from one.",
};
