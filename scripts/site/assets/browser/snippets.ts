/** Sample languages generated in the browser, loaded when one is chosen. */
import { snippetLanguages } from "../../samples/snippets.ts";

Object.assign(globalThis, { snippetLanguages });
