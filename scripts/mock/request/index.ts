export { type DecodedBody, decodeBody, readJson } from "./body.ts";
export { BoundedBytes } from "./bounded-bytes.ts";
export { controlPath, isControlPath } from "./control-path.ts";
export { type Address, makeRouter, type Route } from "./router.ts";
export { brokenRules } from "./rules.ts";
export { readTarget } from "./target.ts";
export { findViolations } from "./violations.ts";
