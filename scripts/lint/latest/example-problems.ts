/** Finds values in the examples of latest that its schemas do not describe. */
import { type OpenApiDocument, valueAt } from "../../contract/index.ts";
import type { LatestProblem } from "./problems.ts";
import { type JsonObject, type Path, visitNodes } from "./visit.ts";

/** A problem for each field of an example that no property describes, and for each unknown value of an open set. */
export function exampleProblems(latest: OpenApiDocument): LatestProblem[] {
  const found: LatestProblem[] = [];
  const judge = (value: unknown, schema: unknown, path: Path) => {
    for (const { at, what } of undescribed(latest, value, [schema], [])) {
      found.push({
        path,
        message: `An example of the edition latest ${what} at /${at.join("/")}`,
        remedy: "Let scripts/bundle/filter take it out, or list it where the schema describes it",
      });
    }
  };
  visitNodes(latest, (node, path) => {
    if (node.schema === undefined) return judgeSchema(node, path, judge);
    if (node.example !== undefined) judge(node.example, node.schema, [...path, "example"]);
    for (const [name, entry] of Object.entries((node.examples ?? {}) as JsonObject)) {
      const { $ref } = entry as { $ref?: string };
      const example = ($ref === undefined ? entry : valueAt(latest, $ref)) as { value?: unknown };
      if (example?.value !== undefined) judge(example.value, node.schema, [...path, "examples", name]);
    }
  });
  return found;
}

function judgeSchema(node: JsonObject, path: Path, judge: (value: unknown, schema: unknown, path: Path) => void): void {
  for (const [index, value] of (Array.isArray(node.examples) ? node.examples : []).entries()) {
    judge(value, node, [...path, "examples", index]);
  }
}

interface Undescribed {
  at: Path;
  what: string;
}

function undescribed(latest: OpenApiDocument, value: unknown, schemas: unknown[], at: Path): Undescribed[] {
  const all = schemas.flatMap((schema) => alternatives(latest, schema, 0));
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: inner, prefixItems = [] }) => [inner, ...(prefixItems as unknown[])]);
    const known = items.filter((inner) => inner !== undefined);
    if (known.length === 0 && value.length > 0) return [{ at, what: "has elements that no items describe" }];
    return value.flatMap((item, index) => undescribed(latest, item, known, [...at, index]));
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => {
      const known = all.flatMap((schema) => describing(schema, key));
      if (known.length === 0) return [{ at: [...at, key], what: "has a field that no property describes" }];
      return undescribed(latest, inner, known, [...at, key]);
    });
  }
  const sets = all.flatMap(({ "x-open-enum": set }) => (set === undefined ? [] : [set as JsonObject]));
  const isUnknown = typeof value === "string" && sets.length > 0 && sets.every((set) => !Object.hasOwn(set, value));
  return isUnknown ? [{ at, what: `has the value ${value}, which is no known one of its set,` }] : [];
}

/** A schema and everything that says something of the same value. */
function alternatives(latest: OpenApiDocument, schema: unknown, depth: number): JsonObject[] {
  if (typeof schema !== "object" || schema === null || depth > 20) return [];
  const node = schema as JsonObject;
  const lists = [node.allOf, node.anyOf, node.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const target = typeof node.$ref === "string" ? [valueAt(latest, node.$ref)] : [];
  const conditional = [node.then, node.else, ...Object.values((node.dependentSchemas ?? {}) as JsonObject)];
  const more = [...lists, ...target, ...conditional];
  return [node, ...more.flatMap((inner) => alternatives(latest, inner, depth + 1))];
}

function describing(schema: JsonObject, key: string): unknown[] {
  const { properties = {}, patternProperties = {}, additionalProperties, unevaluatedProperties } = schema;
  const patterned = Object.entries(patternProperties as JsonObject).filter(([pattern]) =>
    new RegExp(pattern, "u").test(key),
  );
  const others = [additionalProperties, unevaluatedProperties].filter((rest) => rest !== undefined && rest !== false);
  const own = Object.hasOwn(properties as object, key) ? [(properties as JsonObject)[key]] : [];
  return [...own, ...patterned.map(([, inner]) => inner), ...others];
}
