/** The sample languages made in the browser; loaded when the reader chooses one that is not on the page, or edits a sample. */
import { snippetLanguages } from "../../samples/snippets.ts";

Object.assign(globalThis, { snippetLanguages });
