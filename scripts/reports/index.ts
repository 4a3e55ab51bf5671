/** The committed report on the provenance of the contract. */
export { type Counts, countLevels, countProvenance, levels, type ProvenanceCount, unstatedStatuses } from "./count.ts";
export { provenanceReport } from "./provenance.ts";
