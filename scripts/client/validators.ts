/** Compiles the validators of webhook bodies at build time. */
import Ajv2020 from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import type { Contract } from "../contract/contract.ts";
import { generatedNotice } from "./notice.ts";

/** Formats as plain expressions, so that the compiled code needs no package at run time. */
const formats: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  "date-time":
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
};

/**
 * JavaScript text of a module with one validator per webhook. It imports nothing and makes no code at run time.
 *
 * @throws {Error} when a webhook uses a format that is not in the list above.
 */
export function generateValidators(contract: Contract): Record<string, string> {
  const ajv = new Ajv2020.default({
    strict: false,
    validateFormats: true,
    formats,
    // Lengths in UTF-16 units: counting characters would import a helper, and no length here is near a limit.
    unicode: false,
    // Ajv warns that this option is deprecated, at every start.
    logger: false,
    code: { source: true, esm: true, lines: true },
  });
  ajv.addSchema(withoutAnnotations(contract.document) as object, "contract");
  const names = contract.webhooks.map(({ name }) => name);
  for (const name of names) {
    const pointer = `/webhooks/${name}/post/requestBody/content/application~1json/schema`;
    ajv.addSchema({ $ref: `contract#${pointer}` }, name);
  }
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  if (/\brequire\(|\bimport\b/.test(code)) throw new Error("The compiled validators import something.");
  return {
    "validators.js": `${generatedNotice}\n/* biome-ignore-all lint: generated */\n${code}\n`,
    "validators.d.ts": `${generatedNotice}\nimport type { Validator } from "./runtime/webhooks/contract.js";\n${names
      .map((name) => `export const ${name}: Validator;`)
      .join("\n")}\n`,
  };
}

/** Keywords that check nothing: Ajv would copy them into the compiled code. */
const annotations = new Set(["title", "description", "examples", "deprecated", "summary"]);

function withoutAnnotations(node: unknown, isNameMap = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutAnnotations(item));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([key]) => isNameMap || !(annotations.has(key) || key.startsWith("x-")));
  // The keys of `properties` are names of fields, and a field may be called "title".
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutAnnotations(value, key === "properties")]));
}
