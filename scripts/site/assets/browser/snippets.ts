/** The sample languages that are generated in the browser; loaded when the reader chooses one. */
import { snippetLanguages } from "../../samples/snippets.ts";

Object.assign(globalThis, { snippetLanguages });
