/** Extracts the facts of the contract that affect what partners send, expect or log. Reviewers read the snapshot `facts.txt`. */
import { relative } from "node:path";
import { isRef, type SourceLocation } from "../../scripts/contract/model/index.ts";
import type { Sources } from "../../scripts/contract/sources/index.ts";

const listedKeys = `
  required format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems
  additionalProperties links resolvedBy type items oneOf contentType anyOf x-open-enum transitions takes details id repeats creates moves
  provenance questions x-provenance x-open-questions x-max-bytes x-advice x-dedupe-key x-triggers x-effects x-requires x-event
  x-webhook-path succeeds certain sign same atLeast attempts delays healthPath
`
  .trim()
  .split(/\s+/);

const dataKeys = ["example", "examples", "value", "default"];

const filePattern = /^(openapi|resources|errors|parameters|responses)\.yaml$|^(paths|schemas|webhooks)\//;

export function factsOf(sources: Sources): string {
  const { folder } = sources.layout;
  return sources.paths
    .filter((file) => filePattern.test(relative(folder, file)))
    .flatMap((file) => [relative(folder, file), ...factLinesIn(sources.location(file))])
    .join("\n");
}

function factLinesIn(location: SourceLocation): string[] {
  const facts = location.children().filter(([key, { value }]) => listedKeys.includes(key) && isFact(key, value));
  const line = facts.map(([key, { value }]) => `${key}=${textOf(key, value)}`).join(" ");
  const ownLine = line === "" ? [] : [`  ${location.pointer.slice(2)} ${line}`];
  const innerLines = location.children().flatMap(([key, part]) => {
    const isListed = facts.some(([fact]) => fact === key);
    return isListed || dataKeys.includes(key) ? [] : factLinesIn(part);
  });
  return [...ownLine, ...innerLines];
}

/** Under most keys, an object is not a fact, because the key is the name of a property and the object is its schema. */
function isFact(key: string, value: unknown): boolean {
  if (key === "type" || key === "oneOf" || key === "anyOf") return Array.isArray(value) && value.every(isPlainValue);
  if (key === "items") return isPlainValue(value);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return (
    !isObject ||
    key.startsWith("x-") ||
    ["links", "additionalProperties", "transitions", "same", "atLeast"].includes(key)
  );
}

function isPlainValue(value: unknown): boolean {
  return typeof value === "string" || isRef(value);
}

function textOf(key: string, value: unknown): string {
  if (key !== "x-open-enum") return JSON.stringify(value).replaceAll(/\{"\$ref":"(?:[^"]*\/)?([^"/]*)"\}/g, "$1");
  return Object.entries(value as object)
    .map(([name, { provenance }]) => (provenance === undefined ? name : `${name} (${provenance})`))
    .join(", ");
}
