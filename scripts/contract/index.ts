/** The model of the contract. */
export * from "./document.ts";
export * from "./error-codes.ts";
export * from "./model.ts";
export { Place, type Resolve } from "./place.ts";
export * from "./project.ts";
export { codeRefsOf, modelOf, readContract } from "./read-contract.ts";
export * from "./schemas.ts";
export { UsageError } from "./usage-error.ts";
