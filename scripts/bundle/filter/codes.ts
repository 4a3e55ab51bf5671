/** Takes out the P-codes that an operation is only proposed to answer with, and what resolves a code and is gone. */
import {
  codeProperty,
  isCode,
  type JsonSchema,
  type MediaTypeObject,
  type ResponseObject,
} from "../../contract/index.ts";
import type { Draft } from "./draft.ts";
import { codeNamed } from "./known.ts";
import { operationsOf, partsOf } from "./parts.ts";

/** The component that describes an error whose code nobody has stated. */
const generalError = "ErrorWithAnyCode";

/**
 * Takes proposed codes out of answers. An answer that has lost all of its codes goes as well, but for a 400: failures use
 * the error format (interface specification, Endpoints), so it stays with any code of the catalogue.
 */
export function filterCodes(draft: Draft): void {
  const { document } = draft;
  const emptied = new Set<unknown>();
  for (const media of partsOf(document).mediaTypes) {
    if (loseCodes(draft, media)) emptied.add(draft.target(media.schema));
  }
  const isEmptied = (answer: unknown): boolean => {
    const { content = {} } = draft.target<ResponseObject>(answer) ?? {};
    return Object.values(content).some(({ schema }) => emptied.has(draft.target(schema)));
  };
  for (const [operation] of operationsOf(document.paths)) {
    for (const [key, answer] of Object.entries(operation.responses)) {
      if (!isEmptied(answer)) continue;
      if (key !== "400") delete operation.responses[key];
      else {
        const { description = "" } = draft.target<ResponseObject>(answer) ?? {};
        operation.responses[key] = { description, content: { "application/json": anyCode(draft) } };
      }
    }
  }
}

/** Takes the operations that are gone out of `resolvedBy` of every P-code. */
export function filterResolvers({ document }: Draft): void {
  const present = new Set(operationsOf(document.paths).map(([{ operationId }]) => operationId));
  for (const { "x-error": advice } of Object.values(
    (document.components?.schemas ?? {}) as Record<string, JsonSchema>,
  )) {
    if (advice?.resolvedBy === undefined) continue;
    advice.resolvedBy = advice.resolvedBy.filter((operationId) => present.has(operationId));
    if (advice.resolvedBy.length === 0) delete advice.resolvedBy;
  }
}

/** Takes proposed codes out of a body; returns whether it had codes and has none left. */
function loseCodes(draft: Draft, media: MediaTypeObject): boolean {
  const schema = draft.target<JsonSchema>(media.schema);
  const branches = (schema?.oneOf ?? []) as unknown[];
  const removed = branches.filter((branch) => codeNamed(branch) !== undefined && draft.isProposed(branch));
  if (schema === undefined || removed.length === 0) return false;
  const kept = branches.filter((branch) => !removed.includes(branch));
  schema.oneOf = kept as JsonSchema[];
  const codes = removed.map(codeNamed);
  for (const [name, example] of Object.entries(media.examples ?? {})) {
    const value = draft.target<{ value?: Record<string, unknown> }>(example)?.value?.[codeProperty];
    if (codes.includes(name) || codes.includes(String(value))) delete media.examples?.[name];
  }
  return kept.length === 0;
}

/** A body with any code of the catalogue whose status is 400. Its schema is added when it is not there yet. */
function anyCode(draft: Draft): MediaTypeObject {
  const schemas = (draft.document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  schemas[generalError] ??= errorWithAnyCode(draft, schemas);
  const { examples: [value] = [] } = schemas[generalError];
  return {
    schema: { $ref: `#/components/schemas/${generalError}` } as JsonSchema,
    examples: { anyCode: { summary: "One of the codes; which of them this operation answers is not known", value } },
  };
}

/** What these errors of the catalogue have in common, with the code as an open set. */
function errorWithAnyCode(draft: Draft, schemas: Record<string, JsonSchema>): JsonSchema {
  const codes = Object.keys(schemas).filter((name) => {
    return isCode(name) && schemas[name]?.["x-error"]?.status === 400 && !draft.isProposed(schemas[name]);
  });
  const errors = codes.sort().map((code) => schemas[code] as JsonSchema);
  const [first] = errors;
  const common = Object.entries(first?.properties ?? {}).filter(([name]) => {
    return errors.every(({ properties = {} }) => Object.hasOwn(properties, name));
  });
  const required = (first?.required ?? []).filter((name) => errors.every((error) => error.required?.includes(name)));
  const meanings = errors.map(({ "x-error": error, "x-provenance": provenance }, index) => {
    const mark = provenance === undefined || provenance === "specification" ? {} : { provenance };
    return [codes[index], { meaning: error?.meaning ?? "", ...mark }] as const;
  });
  const code = {
    description: "A P-code. Which of them this answer can carry is not stated.",
    type: "string",
    "x-open-enum": Object.fromEntries(meanings),
  };
  const typical = errors.find(({ "x-error": error }) => error?.retry === "later") ?? first;
  return {
    title: "Error with any code",
    description: "The error format of the service, for an answer whose P-codes are not stated.",
    type: "object",
    required,
    properties: { ...structuredClone(Object.fromEntries(common)), [codeProperty]: code },
    examples: structuredClone(typical?.examples ?? []),
  } as JsonSchema;
}
