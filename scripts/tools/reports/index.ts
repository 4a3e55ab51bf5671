export { type Counts, countByKind, countProvenance } from "./count.ts";
export { provenanceReport } from "./provenance.ts";
