/** Loaded when the reader chooses a sample language that is not on the page, or edits a sample. */
import { snippetLanguages } from "../../samples/snippets.ts";

Object.assign(globalThis, { snippetLanguages });
