import { type Provenance, provenances, weakestProvenance } from "../../contract/model/index.ts";
import { Table } from "./table.tsx";

const provenanceWords: Record<Provenance, { shortText: string; longText: string; meaning: string }> = {
  specification: {
    shortText: "Stated",
    longText: "Stated in the specification",
    meaning: "The interface specification of the service states it.",
  },
  reference: {
    shortText: "Seen",
    longText: "Seen in the public reference",
    meaning: "The specification names it, and the public reference of the service shows its form.",
  },
  observed: {
    shortText: "Observed",
    longText: "Observed in, or inferred from, a program that calls the service",
    meaning:
      "A program that calls the service shows it, or it is inferred from such a program. Weaker than the reference.",
  },
  proposed: {
    shortText: "Proposed",
    longText: "Proposed, to be confirmed",
    meaning:
      "No document shows it. This contract designs it from the conventions of the service: have it confirmed before you rely on it.",
  },
};

export function ProvenanceMark({ provenance, isLong }: { provenance: Provenance; isLong?: boolean }) {
  const { shortText, longText } = provenanceWords[provenance];
  return (
    <span class={`mark mark-${provenance}`} title={longText}>
      {isLong ? longText : shortText}
    </span>
  );
}

/**
 * Empty unless the provenance is `observed` or `proposed`, and weaker than `baseProvenance`. Otherwise a space and the mark, as Markdown.
 */
export function weakMark(provenance: Provenance | undefined, baseProvenance: Provenance = "reference"): string {
  const enclosingProvenance = weakestProvenance("reference", baseProvenance);
  const effectiveProvenance = weakestProvenance(enclosingProvenance, provenance);
  return effectiveProvenance === enclosingProvenance ? "" : ` {mark:${effectiveProvenance}}`;
}

export function WeakMark({
  provenance,
  baseProvenance,
}: {
  provenance?: Provenance | undefined;
  baseProvenance?: Provenance;
}) {
  if (weakMark(provenance, baseProvenance) === "") return null;
  return [" ", <ProvenanceMark key="mark" provenance={provenance as Provenance} />];
}

export function NameOnlyMark() {
  return (
    <span class="mark mark-proposed" title="The specification states its name. Everything else is proposed.">
      Name only
    </span>
  );
}

export function SensitiveMark({ isLong }: { isLong?: boolean }) {
  return (
    <span class="mark mark-sensitive" title="The value must never reach a log.">
      <span class={isLong ? undefined : "visually-hidden"}>Sensitive</span>
      {isLong && ": the value must never reach a log."}
    </span>
  );
}

export function Origin({ provenance, statedDetails }: { provenance: Provenance; statedDetails: readonly string[] }) {
  return (
    <>
      {isWeak(provenance) ? (
        <ProvenanceMark provenance={provenance} isLong />
      ) : (
        `${provenanceWords[provenance].longText}.`
      )}
      {statedDetails.length > 0 && ` The specification states its ${statedDetails.join(" and ")}.`}
    </>
  );
}

/** `observed` or `proposed`. */
export function isWeak(provenance: Provenance | undefined): boolean {
  return weakestProvenance("reference", provenance) !== "reference";
}

export function ProvenanceClasses() {
  return (
    <Table
      rows={provenances}
      columns={{
        Mark: (provenance) => <ProvenanceMark provenance={provenance} />,
        Meaning: (provenance) => provenanceWords[provenance].meaning,
      }}
    />
  );
}
