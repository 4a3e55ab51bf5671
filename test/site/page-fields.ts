import {
  type JsonSchema,
  markOn,
  type Operation,
  type Provenance,
  provenanceAt,
  provenances,
  type SourceLocation,
  walkSchema,
  weakest,
} from "../../scripts/contract/model/index.ts";
import { type Element, elementsOf, hasClass, withClass } from "./parsed-page.ts";

export function bodiesOf({ requestBody, responses, provenance = "proposed" }: Operation) {
  return [
    ...(requestBody?.bodies ?? []).map(({ schema }) => ({ prefix: "request", schema, provenance })),
    ...responses
      .filter(({ status, codes }) => status < 400 && codes.length === 0)
      .flatMap(({ key, bodies, location }) =>
        bodies.map(({ schema }) => ({
          prefix: `response-${key}`,
          schema,
          provenance: provenanceAt(location, provenance),
        })),
      ),
  ];
}

/** The fields by property path. `words`: patterns, values, sensitivity. `sureness`: the weakest provenance on the path. */
export function fieldsOf(
  schema: SourceLocation,
  enclosing: Provenance,
): Map<string, { words: string[]; sureness: Provenance }> {
  const found = new Map<string, { words: string[]; sureness: Provenance }>();
  walkSchema(
    schema,
    (location, { path, way }) => {
      if (path.length === 0) return;
      const { words = [], sureness = enclosing } = found.get(path.join("-")) ?? {};
      const { pattern = [], "x-open-enum": known = {}, "x-sensitive": isSensitive } = location.value as JsonSchema;
      const own = [pattern, Object.keys(known), isSensitive ? "Sensitive" : []].flat();
      const marks = [...way.map(markOn), markOn(location)];
      found.set(path.join("-"), { words: [...words, ...own], sureness: weakest(sureness, ...marks) });
    },
    { conditions: false },
  );
  return found;
}

export function markAt(field: Element | undefined): Provenance | undefined {
  return markIn(elementsOf(field as Element).find((element) => hasClass(element, "field-head")) as Element);
}

export function markIn(element: Element): Provenance | undefined {
  return provenances.find((name) => withClass(element, `mark-${name}`).length > 0);
}

interface NextCall {
  operationId: string;
  parameters?: Record<string, string>;
  requestBody?: Record<string, string>;
}

export function linksOf({ node }: Operation): NextCall[] {
  return Object.values(node.responses).flatMap((response) =>
    Object.values((response as { links?: Record<string, NextCall> }).links ?? {}),
  );
}
