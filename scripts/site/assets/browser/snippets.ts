/** The languages that a page makes, loaded when one is chosen. */
import { snippetLanguages } from "../../samples/snippets.ts";

Object.assign(globalThis, { snippetLanguages });
