/** The committed report on the provenance of the contract. */
export { type Counts, countLevels, countProvenance } from "./count.ts";
export { provenanceReport } from "./provenance.ts";
