/** Compiles the validators of webhook bodies with Ajv, into the one file of the client that is not committed. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv2020 from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import {
  bundleFile,
  type Contract,
  type Edition,
  editionFolder,
  editions,
  type OpenApiDocument,
  readContract,
  UsageError,
} from "../contract/index.ts";
import { generatedNotice, runtimePath } from "./text.ts";

/** Formats as plain regular expressions, so that the compiled code needs no package at run time. */
const formats: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  "date-time":
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
};

/**
 * Compiles one validator for each webhook.
 *
 * @returns the text of `validators.js`. The module imports nothing and generates no code at run time.
 * @throws {UsageError} naming the webhook and the format, when a schema has a format that is not in the list above.
 */
export function compileValidators(contract: Contract): string {
  // Ajv only warns about an unknown format, and then accepts every value.
  const warnings: unknown[] = [];
  const ajv = new Ajv2020.default({
    strict: false,
    formats,
    // Lengths in UTF-16 units: counting characters would import a helper, and no length here is near a limit.
    unicode: false,
    logger: { log: () => undefined, warn: (message: unknown) => warnings.push(message), error: console.error },
    code: { source: true, esm: true, lines: true },
  });
  // Ajv has warned that the option `unicode` is deprecated.
  warnings.length = 0;
  ajv.addSchema(withoutAnnotations(contract.document) as object, "contract");
  const names = contract.webhooks.map(({ name }) => name);
  for (const name of names) {
    const pointer = `/webhooks/${name}/post/requestBody/content/application~1json/schema`;
    ajv.addSchema({ $ref: `contract#${pointer}` }, name);
  }
  for (const name of names) {
    ajv.getSchema(name);
    if (warnings.length > 0) {
      const known = `Known formats: ${Object.keys(formats).join(", ")} (scripts/client/validators.ts).`;
      throw new UsageError(`Webhook ${name}: ${warnings.join("; ")}. ${known}`);
    }
  }
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  if (/\brequire\(|\bimport\b/.test(code)) throw new Error("The compiled validators import a module.");
  return `${generatedNotice}\n// Fingerprint: ${fingerprintOf(contract.document)}\n${code}\n`;
}

/**
 * Returns a hash of everything that the compiled validators depend on: the bundle, this file and the version of Ajv.
 * `validators.js` contains the hash that it was compiled with.
 */
export function fingerprintOf(document: OpenApiDocument): string {
  const { version } = createRequire(import.meta.url)("ajv/package.json") as { version: string };
  const inputs = [JSON.stringify(document), readFileSync(import.meta.filename, "utf8"), version];
  return createHash("sha256").update(inputs.join("\n")).digest("hex");
}

/** Returns the text of `validators.d.ts`. */
export function declareValidators(contract: Contract): string {
  const declarations = contract.webhooks.map(({ name }) => `export const ${name}: Validator;`);
  return `${generatedNotice}
import type { Validator } from "${runtimePath}/webhooks/contract.ts";
${declarations.join("\n")}
`;
}

/** Keywords without an effect on validation, which Ajv would copy into the compiled code. */
const annotations = new Set(["title", "description", "examples", "deprecated", "summary"]);

function withoutAnnotations(node: unknown, isNameMap = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutAnnotations(item));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([key]) => isNameMap || !(annotations.has(key) || key.startsWith("x-")));
  // The keys of `properties` are names of fields, and a field may be called "title".
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutAnnotations(value, key === "properties")]));
}

/** Returns the absolute path of the compiled validators of an edition. */
export function validatorsFile(edition: Edition): string {
  return `${editionFolder(edition)}/client/validators.js`;
}

/**
 * Compiles the validators of every edition whose file is missing or was compiled from another bundle.
 *
 * @throws {UsageError} naming the webhook and the format, when a schema has an unknown format.
 */
export function refreshValidators(): void {
  for (const edition of editions) {
    const document = JSON.parse(readFileSync(bundleFile(edition, "json"), "utf8")) as OpenApiDocument;
    const file = validatorsFile(edition);
    if (existsSync(file) && readFileSync(file, "utf8").includes(fingerprintOf(document))) continue;
    // Renamed into place, because another process may read the file at the same time.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, compileValidators(readContract(document)));
    renameSync(draft, file);
  }
}
