/** Proves that what is published works where it is installed. */
export { tryPackage, type VerifyOptions, verify } from "./verify.ts";
