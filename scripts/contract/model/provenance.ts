/** The effective provenance of an element: a mark can only weaken the enclosing one. */
import { type Marks, type Provenance, provenances } from "./document.ts";
import { type Edition, editions } from "./project.ts";
import type { SourceLocation } from "./source-location.ts";

/** The weakest of the given marks. */
export function weakest(enclosing: Provenance, ...marks: (Provenance | undefined)[]): Provenance {
  return marks.reduce<Provenance>((weaker, mark) => {
    return mark !== undefined && rank(mark) > rank(weaker) ? mark : weaker;
  }, enclosing);
}

function rank(provenance: Provenance): number {
  return provenances.indexOf(provenance);
}

/**
 * The effective provenance of an element: the weakest of the enclosing one, its own mark and the marks of its reference.
 *
 * @param enclosing the effective provenance of the enclosing element, up to the operation or webhook.
 */
export function provenanceAt(location: SourceLocation, enclosing: Provenance): Provenance {
  const { target } = location;
  const own = weakest(enclosing, markOn(location));
  return target.id === location.id ? own : provenanceAt(target, own);
}

/** The mark on an element itself; undefined where it has none. */
export function markOn({ value }: SourceLocation): Provenance | undefined {
  return ((value ?? {}) as Marks)["x-provenance"];
}

/** The editions that have an operation: a proposed one is in `test` only. */
export function editionsOf(provenance: Provenance | undefined): Edition[] {
  return editions.filter((edition) => edition === "test" || provenance !== "proposed");
}
