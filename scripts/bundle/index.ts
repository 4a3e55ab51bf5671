/** Makes the bundles of the editions. */
export { type Bundle, bundleContract, bundleEditions, toJson, toYaml } from "./bundle.ts";
export { decorators } from "./decorators.ts";
