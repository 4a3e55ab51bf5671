/** A plugin of Redocly that judges nothing: while Redocly walks the sources and resolves references, it collects places. */
import type { NormalizedNodeType, Oas3Visitor, Plugin, UserContext } from "@redocly/openapi-core";
import { isRef } from "../contract/document.ts";
import { Place, type Resolve } from "./place.ts";
import type { Collected } from "./source-contract.ts";

/** The name that Redocly knows the plugin's one rule by. */
export const collectingRule = "contract/collect";

/**
 * @param onCollected is called once, after the walk.
 */
export function createCollector(onCollected: (collected: Collected) => void): Plugin {
  return { id: "contract", rules: { oas3: { collect: () => createVisitor(onCollected) } } };
}

function createVisitor(onCollected: (collected: Collected) => void): Oas3Visitor {
  const nodes: Collected["nodes"] = new Map();
  const marks: Collected["marks"] = [];
  const references: Collected["references"] = [];

  const collect = (type: NormalizedNodeType, place: Place) => {
    const sameKind = nodes.get(type.name) ?? [];
    sameKind.push(place);
    nodes.set(type.name, sameKind);
    if (type.extensionsPrefix === undefined) return;
    for (const key of Object.keys(place.value as object)) {
      if (!key.startsWith(type.extensionsPrefix)) continue;
      marks.push({ key, on: type.name, holder: place, place: place.own(key) });
    }
  };

  return {
    any: {
      enter(node, context) {
        if (isPlainObject(node)) collect(context.type, placeAt(node, context));
      },
    },
    ref: {
      enter(node, context) {
        const place = placeAt(node, context);
        references.push(place);
        if (Object.keys(node).length > 1) collect(context.type, place);
      },
    },
    Root: {
      leave(node, context) {
        onCollected({ root: placeAt(node, context), nodes, marks, references });
      },
    },
  };
}

function placeAt(node: unknown, { location, resolve }: Pick<UserContext, "location" | "resolve">): Place {
  const follow: Resolve = (ref, file) => {
    const found = resolve<object>(ref, file);
    if (found.location === undefined) return undefined;
    return { value: found.node, source: found.location.source, pointer: found.location.pointer };
  };
  return new Place(node, location.source, location.pointer, follow);
}

function isPlainObject(node: unknown): boolean {
  return typeof node === "object" && node !== null && !Array.isArray(node) && !isRef(node);
}
