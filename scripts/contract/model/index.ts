export { capitaliseAcronyms } from "./acronyms.ts";
export { isJsonType, isSuccess } from "./bodies.ts";
export {
  copiedKeywords,
  implementedApplicators,
  isKnownKeyword,
  isUncheckedKeyword,
  knownFormats,
  numberFormats,
  textFormats,
} from "./client-vocabulary.ts";
export {
  bodySchemasOf,
  comparedKindsOf,
  memberSchemasAt,
  recordSchemasOf,
  reportedSchemasOf,
  requestSchemasOf,
} from "./compared-members.ts";
export {
  type ExampleObject,
  isRef,
  type JsonSchema,
  type Marks,
  type MediaTypeObject,
  type Method,
  methods,
  type OpenApiDocument,
  type OperationObject,
  type Origin,
  type ParameterObject,
  type PathItemObject,
  type Provenance,
  provenances,
  type Ref,
  type RequestBodyObject,
  type ResponseObject,
} from "./document.ts";
export { isData, visitObjects } from "./document-objects.ts";
export { codeOf, codeProperty, generalError, isCode, resolutionWithNames } from "./error-codes.ts";
export {
  type Conditions,
  type CopiedMembers,
  type Effect,
  type EventDefinition,
  type Expression,
  type Lookup,
  type LookupRecords,
  parseExpression,
  type RepeatRule,
} from "./extensions.ts";
export {
  canBeInvalid,
  findDocumented,
  invalidBodyResponses,
  invalidParameterResponse,
  type OperationRules,
  readInvalidRequests,
} from "./invalid-requests.ts";
export type {
  Address,
  Body,
  CodeRef,
  Contract,
  DocumentedResponse,
  ErrorCode,
  Example,
  InvalidBodyResponses,
  Operation,
  Parameter,
  Registers,
  RequestBody,
  Sourced,
  Subject,
  Webhook,
} from "./model.ts";
export { editionsOf, markOn, provenanceAt, weakestProvenance } from "./provenance.ts";
export {
  assumesNothing,
  listedRows,
  type MatrixRow,
  type OpenQuestion,
  type OpenQuestions,
  type Rank,
  type RowSource,
  rankNames,
  ranks,
} from "./questions.ts";
export {
  alternativesOf,
  codeRefsOf,
  emptyRegisters,
  type ModelRegisters,
  modelOf,
  readContract,
  readDeprecation,
} from "./read-contract.ts";
export {
  deliveryEntry,
  type ExternalEvent,
  finalValues,
  type Resource,
  readDelivery,
  readResources,
  resultsOf,
  type State,
  stateOf,
  valuesFollowing,
} from "./resources.ts";
export {
  arityOf,
  branchesOf,
  compositions,
  isAnnotation,
  isApplicator,
  propertiesOf,
  type Role,
  type Subschema,
  schemasOfValue,
  subschemasOf,
  subschemasUnder,
  type Visit,
  walkSchema,
} from "./schemas.ts";
export { findSensitiveNames } from "./sensitive-names.ts";
export { isMap, keysOf, pointerOf, type Resolve, referencesIn, SourceLocation, valueAt } from "./source-location.ts";
