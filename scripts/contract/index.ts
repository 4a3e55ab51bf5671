/** The model of the contract. */
export * from "./absent-names.ts";
export * from "./document.ts";
export * from "./error-codes.ts";
export * from "./machine-data.ts";
export * from "./model.ts";
export { Place, type Resolve, valueAt } from "./place.ts";
export * from "./project.ts";
export * from "./provenance.ts";
export { codeRefsOf, modelOf, readContract } from "./read-contract.ts";
export * from "./resources.ts";
export * from "./schemas.ts";
export { UsageError } from "./usage-error.ts";
