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
  /**
   * The identifiers of the open questions on the element and on what it refers to. Open questions cannot be stated on a single required
   * property, value or P-code, so such an element gets the questions on its schema, and on each schema that reaches this schema through
   * `allOf`, `anyOf`, `oneOf` or `$ref`.
   */
  questions: string[];
}

/** By name: an operationId or the key of a webhook, and then the path to the part: `updateUser 400 P452`. */
export type Elements = Map<string, Element>;

/** Keywords whose schemas are skipped: they refine elements that other schemas define, or (additionalProperties) have no names. */
const skippedKeywords = ["then", "else", "dependentSchemas", "additionalProperties"];

/** If several schemas define an element, its strongest mark counts. */
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
  for (const { name, in: placement, required, effectiveProvenance, location: source, schema } of parameters) {
    keepStrongest(elements, `${id} ${placement} ${name}`, effectiveProvenance, chainOf(source));
    if (placement !== "path" && required)
      keepStrongest(elements, `${id} ${placement} ${name} required`, effectiveProvenance, chainOf(source));
    addSchema(elements, `${id} ${placement} ${name}`, schema, effectiveProvenance);
  }
  const request = requestBody === undefined ? [] : [{ key: "request", ...requestBody }];
  for (const { key, effectiveProvenance, location: source, bodies } of [...request, ...responses]) {
    keepStrongest(elements, `${id} ${key}`, effectiveProvenance, chainOf(source));
    for (const { schema } of bodies) addSchema(elements, `${id} ${key}`, schema, effectiveProvenance);
  }
}

function addSchema(
  elements: Elements,
  holder: string,
  outermostSchema: SourceLocation,
  enclosingProvenance: Provenance,
): void {
  /** For each schema, the schemas that reach it through `allOf`, `anyOf`, `oneOf` or `$ref`, the outermost first, and itself. */
  const schemasOfSameValue = new Map<SourceLocation | undefined, SourceLocation[]>();
  walkSchema(
    outermostSchema,
    (schema, { path, ancestors, property, keyword = "", enclosingProvenance: parentProvenance, provenance }) => {
      if (skippedKeywords.includes(keyword)) return false;
      const name = [holder, ...path].join(".");
      if (property !== undefined)
        keepStrongest(elements, name, provenanceAt(schema, parentProvenance), chainOf(schema));
      const code = schema.child("properties", codeProperty, "const").value;
      const isSameValue = ["", "allOf", "anyOf", "oneOf"].includes(keyword);
      const sameValueSchemas = [...((isSameValue && schemasOfSameValue.get(ancestors.at(-1))) || []), schema];
      schemasOfSameValue.set(schema, sameValueSchemas);
      if (code !== undefined) {
        keepStrongest(elements, `${name} ${code}`, provenance, sameValueSchemas);
        return false;
      }
      // An open question on a schema in a request may ask which fields are required, so required fields count as proposed.
      const isRequiredAsked = / request\b/.test(holder) && questionsOn(schema).length > 0;
      for (const requiredProperty of schema.texts("required")) {
        keepStrongest(
          elements,
          `${name}.${requiredProperty} required`,
          isRequiredAsked ? "proposed" : provenance,
          sameValueSchemas,
        );
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
    { includesConditions: false, enclosingProvenance },
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
