/** Marks of a word or two: where a statement comes from, what is sensitive. */
import type { Provenance } from "../../contract/index.ts";

/** What the classes of provenance mean, in words. */
export const provenanceWords: Record<Provenance, { short: string; long: string; meaning: string }> = {
  specification: {
    short: "Stated",
    long: "Stated in the specification",
    meaning: "The interface specification of the service states it.",
  },
  reference: {
    short: "Seen",
    long: "Seen in the public reference",
    meaning: "The specification names it, and the public reference of the service shows its form.",
  },
  observed: {
    short: "Observed",
    long: "Observed in, or inferred from, a program that calls the service",
    meaning:
      "A program that calls the service shows it, or it is inferred from such a program. Weaker than the reference.",
  },
  proposed: {
    short: "Proposed",
    long: "Proposed, to be confirmed",
    meaning:
      "No document shows it. This contract designs it from the conventions of the service: have it confirmed before you rely on it.",
  },
};

/** The mark that states a provenance; the tooltip has the whole meaning. */
export function ProvenanceMark({ provenance, isLong }: { provenance: Provenance; isLong?: boolean }) {
  const { short, long } = provenanceWords[provenance];
  return (
    <span class={`mark mark-${provenance}`} title={long}>
      {isLong ? long : short}
    </span>
  );
}

export function SensitiveMark() {
  return (
    <span class="mark mark-sensitive" title="The value must never reach a log.">
      Sensitive
    </span>
  );
}
