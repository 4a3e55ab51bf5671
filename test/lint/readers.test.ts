import { readdirSync, readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";

/** The files of each tool that reads the contract. For the client, the generator's files: the runtime reads only generated files. */
const filesOf: Record<string, RegExp> = {
  lint: /^lint\//,
  bundle: /^contract\/bundle\//,
  docs: /^site\//,
  types: /^client\/generate\/(types\/|writing\/descriptions\.ts$)/,
  client: /^client\/generate\/(?!types\/|writing\/descriptions\.ts$)/,
  mock: /^mock\//,
};

/** The fields and functions of the model that return the value of a key. Code reads other keys by their names. */
const fieldsOf: Record<string, string[]> = {
  "x-provenance": ["provenance"],
  "x-open-questions": ["openQuestions"],
  "x-error": ["errorCodes"],
  "x-advice": ["actor", "retry", "resolution", "resolvedBy", "onCall"],
  "x-requires": ["requires"],
  "x-effects": ["effects", "hasSideEffects"],
  "x-triggers": ["triggers"],
  "x-lookup": ["lookup"],
  "x-compared-as": ["comparedKindsOf"],
  "x-event": ["event"],
  "x-dedupe-key": ["dedupeKey", "dedupeProvenance"],
  "x-webhook-path": ["path"],
  "x-deprecation": ["deprecation"],
  "x-sensitive": ["findSensitiveNames"],
};

const paths = readdirSync(`${projectRoot}/scripts`, { recursive: true, encoding: "utf8" });
const files = paths.filter((path) => /\.tsx?$/.test(path));
const textOf = (reader: string) =>
  files
    .filter((path) => filesOf[reader]?.test(path))
    .map((path) => readFileSync(`${projectRoot}/scripts/${path}`, "utf8"))
    .join("\n");
const texts = Object.fromEntries(Object.keys(filesOf).map((reader) => [reader, textOf(reader)]));

const text = readFileSync(`${projectRoot}/openapi/extensions.yaml`, "utf8");
const extensions = parseYaml(text) as Record<string, { readers: string[] }>;

it.each(Object.entries(extensions))("%s is read by each of the listed tools", (key, { readers }) => {
  const readPattern = new RegExp([`"${key}"`, ...(fieldsOf[key] ?? []).map((field) => `\\b${field}\\b`)].join("|"));
  expect(readers.filter((reader) => !readPattern.test(texts[reader] ?? ""))).toEqual([]);
});
