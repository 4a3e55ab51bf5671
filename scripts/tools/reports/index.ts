export { type Counts, countLevels, countProvenance } from "./count.ts";
export { provenanceReport } from "./provenance.ts";
