/** The elements of a bundle, each with its effective provenance: the weakest mark on the path from the operation or webhook. */
import {
  codeProperty,
  type Marks,
  type OpenApiDocument,
  type Provenance,
  provenanceAt,
  provenances,
  readContract,
  type SourceLocation,
  type Subject,
  walkSchema,
  weakestProvenance,
} from "../../scripts/contract/model/index.ts";

export interface Element {
  provenance: Provenance;
  /** The open questions on the element and its references. For a required property, the questions on the schema that requires it. */
  questions: string[];
}

/** Elements by name. A name is an operationId or the key of a webhook, followed by a path: `updateUser 400 P452`. */
export type Elements = Map<string, Element>;

/** Keywords whose schemas are skipped: they refine elements that other schemas define, or define no named element. */
const skippedKeywords = ["then", "else", "dependentSchemas", "additionalProperties"];

/** If several branches of a schema contain an element, its strongest mark counts. */
export function elementsOf(document: OpenApiDocument): Elements {
  const elements: Elements = new Map();
  const { operations, webhooks } = readContract(document);
  for (const subject of [...operations, ...webhooks]) addSubject(elements, subject);
  return elements;
}

function addSubject(elements: Elements, subject: Subject): void {
  const { name: id, location, provenance = "proposed", parameters, requestBody, responses } = subject;
  keepStrongest(elements, id, provenance, [location]);
  const { path } = subject as { path?: string };
  const mark = location.child("x-webhook-path", "provenance").value as Provenance | undefined;
  if (subject.kind === "webhook" && path !== "")
    keepStrongest(elements, `${id} path`, weakestProvenance(provenance, mark), [location]);
  for (const { name, in: location, required, effectiveProvenance, location: own, schema } of parameters) {
    keepStrongest(elements, `${id} ${location} ${name}`, effectiveProvenance, chainOf(own));
    if (location !== "path" && required)
      keepStrongest(elements, `${id} ${location} ${name} required`, effectiveProvenance, chainOf(own));
    addSchema(elements, `${id} ${location} ${name}`, schema, effectiveProvenance);
  }
  const request = requestBody === undefined ? [] : [{ key: "request", ...requestBody }];
  for (const { key, effectiveProvenance, location: own, bodies } of [...request, ...responses]) {
    keepStrongest(elements, `${id} ${key}`, effectiveProvenance, chainOf(own));
    for (const { schema } of bodies) addSchema(elements, `${id} ${key}`, schema, effectiveProvenance);
  }
}

function addSchema(elements: Elements, holder: string, outermost: SourceLocation, enclosing: Provenance): void {
  /** For each schema, the schemas that describe the same value, outermost first. */
  const schemasOfSameValue = new Map<SourceLocation | undefined, SourceLocation[]>();
  walkSchema(
    outermost,
    (schema, { path, ancestors, property, keyword = "", enclosing: outer, provenance }) => {
      if (skippedKeywords.includes(keyword)) return false;
      const name = [holder, ...path].join(".");
      if (property !== undefined) keepStrongest(elements, name, provenanceAt(schema, outer), chainOf(schema));
      const code = schema.child("properties", codeProperty, "const").value;
      const isSame = ["", "allOf", "anyOf", "oneOf"].includes(keyword);
      const sameValueSchemas = [...((isSame && schemasOfSameValue.get(ancestors.at(-1))) || []), schema];
      schemasOfSameValue.set(schema, sameValueSchemas);
      if (code !== undefined) {
        keepStrongest(elements, `${name} ${code}`, provenance, sameValueSchemas);
        return false;
      }
      // An open question on the schema of a request asks which of its fields are required, so its required fields count as proposed.
      const isAsked = / request\b/.test(holder) && questionsOn(schema).length > 0;
      for (const required of schema.texts("required")) {
        keepStrongest(elements, `${name}.${required} required`, isAsked ? "proposed" : provenance, sameValueSchemas);
      }
      for (const value of [...schema.texts("const"), ...schema.texts("enum")]) {
        keepStrongest(elements, `${name}=${value}`, provenance, sameValueSchemas);
      }
      for (const [value, location] of schema.child("x-open-enum").entries()) {
        const mark = location.child("provenance").value as Provenance | undefined;
        keepStrongest(elements, `${name}=${value}`, weakestProvenance(provenance, mark), sameValueSchemas);
      }
      return undefined;
    },
    { conditions: false, enclosing },
  );
}

function keepStrongest(elements: Elements, name: string, provenance: Provenance, locations: SourceLocation[]): void {
  const rank = (mark: Provenance) => provenances.indexOf(mark);
  const knownElement = elements.get(name);
  if (knownElement !== undefined && rank(provenance) >= rank(knownElement.provenance)) return;
  elements.set(name, { provenance, questions: locations.flatMap(questionsOn) });
}

function chainOf(node: SourceLocation): SourceLocation[] {
  return node.target.id === node.id ? [node] : [node, ...chainOf(node.target)];
}

function questionsOn({ value }: SourceLocation): string[] {
  return ((value ?? {}) as Marks)["x-open-questions"] ?? [];
}
