export { tryPackage, type VerifyOptions, verify } from "./verify.ts";
