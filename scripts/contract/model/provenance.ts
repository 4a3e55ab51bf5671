/** A mark (`x-provenance`) can weaken the enclosing provenance, but not strengthen it. */

import { type Edition, editions } from "../../base/index.ts";
import { type Marks, type Provenance, provenances } from "./document.ts";
import type { SourceLocation } from "./source-location.ts";

export function weakestProvenance(enclosingProvenance: Provenance, ...marks: (Provenance | undefined)[]): Provenance {
  return marks.reduce<Provenance>((weakestMark, mark) => {
    return mark !== undefined && provenances.indexOf(mark) > provenances.indexOf(weakestMark) ? mark : weakestMark;
  }, enclosingProvenance);
}

/** The weakest of the enclosing provenance, the mark at a location, and the marks at the targets of its references. */
export function provenanceAt(location: SourceLocation, enclosingProvenance: Provenance): Provenance {
  const { target, nextTarget } = location;
  const provenance = weakestProvenance(enclosingProvenance, markOn(location));
  return target.id === location.id ? provenance : provenanceAt(nextTarget, provenance);
}

export function markOn({ value }: SourceLocation): Provenance | undefined {
  return ((value ?? {}) as Marks)["x-provenance"];
}

export function editionsOf(provenance: Provenance): Edition[] {
  return editions.filter((edition) => edition === "test" || provenance !== "proposed");
}
