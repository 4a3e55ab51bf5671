/** The committed reports on the editions. */
export { compareEditions } from "./edition-comparison.ts";
export { countProvenance, type ProvenanceCount, provenanceReport } from "./provenance.ts";
