import type { UserContext } from "@redocly/openapi-core";
import { keysOf, pointerOf, type SourceLocation } from "../model/index.ts";
import { positionText, reportedPosition, type Sources } from "../sources/index.ts";

/** By the pointers of the components in the bundle. Recorded in bundling, because Redocly renames one of two components with the same name. */
export type ComponentLocations = Map<string, UserContext["location"]>;
export const componentLocations = new WeakMap<Sources, ComponentLocations>();

/** Where the value at a pointer of the bundle is written. For what bundling has added: where the enclosing value is written. */
export function sourceOf(pointer: string, sources: Sources): SourceLocation {
  return sourceFinder(sources)(pointer);
}

/** {@link sourceOf} for several pointers. */
export function sourceFinder(sources: Sources): (pointer: string) => SourceLocation {
  const components = componentLocations.get(sources);
  return (pointer) => {
    const keys = keysOf(pointer);
    const component = components?.get(pointerOf(keys.slice(0, 3)));
    let location = sources
      .linkedLocation(component?.source.absoluteRef ?? sources.rootFile)
      .at(...keysOf(component?.pointer ?? "#/"));
    for (const key of component === undefined ? keys : keys.slice(3)) {
      const inner = location.at(key);
      if (!inner.exists) break;
      location = inner;
    }
    return location;
  };
}

/** The position for messages, such as `openapi/schemas/order.yaml:12:3`. */
export function positionOf(pointer: string, sources: Sources): string {
  return positionText(reportedPosition(sourceOf(pointer, sources)), sources);
}
