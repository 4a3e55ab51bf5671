/** Checks that the published files work where they are installed. */
export { tryPackage, type VerifyOptions, verify } from "./verify.ts";
