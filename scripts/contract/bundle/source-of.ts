import { keysOf, pointerOf, type SourceLocation } from "../model/index.ts";
import type { Sources } from "../sources/index.ts";

/** The sources of the components by pointer in the bundle, in which Redocly renames one of two components with the same name. */
export type ComponentPlaces = Record<string, { file: string; pointer: string }>;

/**
 * Finds the source of the value at a pointer of the bundle. A value that bundling has added has the source of the enclosing value.
 *
 * @param places the places of the components of this bundle.
 */
export function sourceFinder(places: Readonly<ComponentPlaces>, sources: Sources): (pointer: string) => SourceLocation {
  return (pointer) => {
    const keys = keysOf(pointer);
    const place = places[pointerOf(keys.slice(0, 3))];
    let location = sources.linkedLocation(place?.file ?? sources.rootFile).at(...keysOf(place?.pointer ?? "#/"));
    for (const key of place === undefined ? keys : keys.slice(3)) {
      const inner = location.at(key);
      if (!inner.exists) break;
      location = inner;
    }
    return location;
  };
}
