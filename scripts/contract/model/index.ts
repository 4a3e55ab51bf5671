export * from "./bodies.ts";
export * from "./client-vocabulary.ts";
export * from "./compared-members.ts";
export * from "./document.ts";
export * from "./document-objects.ts";
export * from "./error-codes.ts";
export * from "./extensions.ts";
export * from "./invalid-requests.ts";
export * from "./model.ts";
export * from "./provenance.ts";
export * from "./questions.ts";
export {
  alternativesOf,
  codeRefsOf,
  emptyRegisters,
  type ModelRegisters,
  modelOf,
  readContract,
  readDeprecation,
} from "./read-contract.ts";
export * from "./resources.ts";
export * from "./schemas.ts";
export * from "./sensitive-names.ts";
export { keysOf, pointerOf, type Resolve, referencesIn, SourceLocation, valueAt } from "./source-location.ts";
