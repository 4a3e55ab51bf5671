import { getLineColLocation, type NormalizedNodeType, type UserContext } from "@redocly/openapi-core";
import { UsageError } from "../../base/index.ts";
import { isData } from "../model/index.ts";
import type { Sources } from "../sources/index.ts";

type Form = NormalizedNodeType | NormalizedNodeType["properties"][string];

/**
 * The decorators rely on it that each key has a value, and that a list, an object or a reference is one.
 *
 * @throws {UsageError} with the file and line.
 */
export function refuseHalfSaved(node: unknown, { type, location }: UserContext, sources: Sources): void {
  const found = findProblem(node, type);
  if (found === undefined) return;
  const foundLocation = location.child(found.keys);
  const { source, start } = getLineColLocation({ ...foundLocation, reportOnKey: true });
  const position = `${sources.nameOf(source.absoluteRef)}:${start.line}:${start.col}`;
  throw new UsageError(`${position}: ${foundLocation.pointer} ${found.problem}. Complete it, or remove it.`);
}

interface Found {
  keys: string[];
  problem: string;
}

function findProblem(node: unknown, type: NormalizedNodeType): Found | undefined {
  const problem = problemOf(node, type);
  if (problem !== undefined) return { keys: [], problem };
  if (type.name === "SpecExtension") return findEmpty(node);
  for (const [key, value] of Object.entries(node as object)) {
    const isKeyword = Object.hasOwn(type.properties, key);
    if (isKeyword && key !== "enum" && isData(key, value)) continue;
    const innerProblem = problemOf(value, isKeyword ? type.properties[key] : undefined, key);
    if (innerProblem !== undefined) return { keys: [key], problem: innerProblem };
  }
  return undefined;
}

/** Redocly's types describe the form of a value, except that of an extension. */
function problemOf(value: unknown, form: Form | undefined, key = ""): string | undefined {
  if (value === null) return "has no value";
  if (key === "$ref") return typeof value === "string" ? undefined : "is no text";
  if (typeof form !== "object" || form === null) return undefined;
  const isList = ("items" in form && form.items !== undefined) || ("type" in form && form.type === "array");
  if (isList) return Array.isArray(value) ? undefined : "is no list";
  const isObject = "name" in form && form.name !== undefined && !["scalar", "SpecExtension"].includes(form.name);
  if (!isObject || (form.name === "Schema" && typeof value === "boolean")) return undefined;
  return typeof value === "object" && !Array.isArray(value) ? undefined : "is no object";
}

function findEmpty(node: unknown): Found | undefined {
  if (node === null) return { keys: [], problem: "has no value" };
  if (typeof node !== "object") return undefined;
  for (const [key, value] of Object.entries(node)) {
    const found = findEmpty(value);
    if (found !== undefined) return { ...found, keys: [key, ...found.keys] };
  }
  return undefined;
}
