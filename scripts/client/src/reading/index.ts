export { visitTokens } from "./json-tokens.ts";
export { readChunks } from "./read-chunks.ts";
