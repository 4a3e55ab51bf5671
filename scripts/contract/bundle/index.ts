export {
  type Bundle,
  type BundledContract,
  bundleContract,
  bundleEditions,
  serializeBundle,
  toJson,
  toYaml,
} from "./bundle.ts";
export { decoratorsFor } from "./decorators.ts";
export { RefusedSchema, toOpenApi30 } from "./openapi-30/index.ts";
export { originsOf } from "./origins.ts";
export { publish } from "./publish.ts";
export { sourceFinder } from "./source-of.ts";
export { questionTexts } from "./standard-keywords.ts";
