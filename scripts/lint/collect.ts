/** Collects places while Redocly walks the sources and resolves references. It judges nothing. */
import type { NormalizedNodeType, Oas3Visitor, UserContext } from "@redocly/openapi-core";
import { isRef, Place, type Resolve } from "../contract/index.ts";
import type { Collected } from "./source-contract.ts";

/** A visitor, and what it has collected once the root was left. */
export function createCollector(): { visitor: Oas3Visitor; collected: Omit<Collected, "root"> } {
  const nodes: Collected["nodes"] = new Map();
  const marks: Collected["marks"] = [];
  const references: Collected["references"] = [];

  const add = (kind: string, place: Place) => {
    const sameKind = nodes.get(kind) ?? [];
    sameKind.push(place);
    nodes.set(kind, sameKind);
  };
  const collect = (type: NormalizedNodeType, place: Place) => {
    add(type.name, place);
    if (type.extensionsPrefix === undefined) return;
    for (const key of Object.keys(place.value as object)) {
      if (!key.startsWith(type.extensionsPrefix)) continue;
      marks.push({ key, on: type.name, holder: place, place: place.own(key) });
    }
  };

  const visitor: Oas3Visitor = {
    any: {
      enter(node, context) {
        if (isPlainObject(node)) collect(context.type, placeAt(node, context));
      },
    },
    ref: {
      enter(node, context) {
        const place = placeAt(node, context);
        references.push(place);
        if (!takesSiblings(context.type)) add(referenceObject, place);
        else if (Object.keys(node).length > 1) collect(context.type, place);
      },
    },
  };
  return { visitor, collected: { nodes, marks, references } };
}

/** The kind of the references that are Reference Objects, which take no keys of what they refer to. */
export const referenceObject = "Reference";

/** Whether keys beside a `$ref` count: in schemas, where it is a keyword, and in path items (OpenAPI 3.1, 4.8.9). */
function takesSiblings({ name }: NormalizedNodeType): boolean {
  return name === "Schema" || name === "PathItem";
}

/** The place of the node that Redocly visits. */
export function placeAt(node: unknown, { location, resolve }: Pick<UserContext, "location" | "resolve">): Place {
  const follow: Resolve = (ref, file) => {
    const found = resolve<object>(ref, file);
    if (found.location === undefined) return undefined;
    return { value: found.node, source: found.location.source, pointer: found.location.pointer };
  };
  return new Place(node, { source: location.source, pointer: location.pointer, resolve: follow });
}

function isPlainObject(node: unknown): boolean {
  return typeof node === "object" && node !== null && !Array.isArray(node) && !isRef(node);
}
