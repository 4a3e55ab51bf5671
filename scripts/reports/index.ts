/** The committed reports on the editions. */
export { type Counts, countLevels, countProvenance, levels, type ProvenanceCount, unstatedStatuses } from "./count.ts";
export { compareEditions } from "./edition-comparison.ts";
export { provenanceReport } from "./provenance.ts";
