/** Makes the bundles of the editions. */
export { type Bundle, bundleContract, bundleEditions, toJson, toYaml } from "./bundle.ts";
export { decoratorsFor } from "./decorators.ts";
