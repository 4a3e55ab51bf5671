/** Says of operations that a text names and the edition does not have that they are not there. */
import { absentMarker, type MarkAbsent, type OpenApiDocument, readContract } from "../../contract/index.ts";

/** The keys whose values are read by people. */
const textKeys = ["title", "summary", "description", "meaning", "resolution", "onCall", "x-irregularity"];

/** The keys whose values are data of the service, which nobody may change. */
const dataKeys = ["value", "example", "examples", "default", "const", "enum"];

/** Marks the names of absent operations in every text of the document. */
export function markTexts(document: OpenApiDocument): void {
  const mark = absentMarker(readContract(document));
  const { "x-absent-operations": absent, ...rest } = document;
  for (const part of Object.values(rest)) visit(part, mark);
}

function visit(node: unknown, mark: MarkAbsent): void {
  if (typeof node !== "object" || node === null) return;
  const holder = node as Record<string, unknown>;
  for (const [key, value] of Object.entries(holder)) {
    if (typeof value === "string") {
      if (textKeys.includes(key)) holder[key] = mark(value);
    } else if (!dataKeys.includes(key) || isNamedExamples(key, value)) visit(value, mark);
  }
}

/** `examples` of a body are objects with a summary, by name; those of a schema are a list of values. */
function isNamedExamples(key: string, value: unknown): boolean {
  return key === "examples" && !Array.isArray(value);
}
