import { keysOf, pointerOf, type SourceLocation } from "../model/index.ts";
import type { Sources } from "../sources/index.ts";

/** Where each component is written, by its pointer in the bundle. Redocly renames one of two components with the same name. */
export type ComponentPlaces = Record<string, { file: string; pointer: string }>;

/**
 * Finds where the value at a pointer of a bundle is written. For what bundling has added: where the enclosing value is written.
 *
 * @param places those of the bundle.
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
