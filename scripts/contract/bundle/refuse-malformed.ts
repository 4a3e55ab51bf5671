import type { NormalizedNodeType, UserContext } from "@redocly/openapi-core";
import { didYouMean, UsageError } from "../../base/index.ts";
import {
  codeProperty,
  isAnnotation,
  isCode,
  isData,
  isMap,
  isRef,
  provenances,
  SourceLocation,
} from "../model/index.ts";
import { positionOf, type Sources } from "../sources/index.ts";

/** Named as in Redocly's node types, so that the same check reads both. */
interface Form {
  name?: string;
  type?: string;
  enum?: readonly unknown[];
  items?: unknown;
  required?: unknown;
  properties?: Readonly<Record<string, unknown>>;
  additionalProperties?: unknown;
  extensionsPrefix?: string;
}

interface Found {
  keys: string[];
  problem: string;
  remedy?: string;
}

/** Keys that this contract requires in addition to OpenAPI. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  Root: ["paths"],
  Operation: ["summary", "x-provenance"],
};

const defaultRemedy = "Complete it, or remove it.";
const keysOfReference = ["$ref", "summary", "description"];

const textForm = { type: "string" };
const mapForm = (...keys: string[]): Form => {
  const properties = Object.fromEntries(keys.map((key) => [key, textForm]));
  return { type: "object", additionalProperties: { type: "object", required: keys, properties } };
};

/** Extensions that the decorators read. */
const extensionForms: Readonly<Record<string, Form>> = {
  "x-provenance": { enum: provenances },
  "x-open-questions": { type: "array", items: textForm },
  "x-open-enum": mapForm("meaning"),
  "x-named-operations": mapForm("name"),
  "x-error": { type: "object", required: ["meaning"], properties: { meaning: textForm } },
  "x-sensitive": { enum: [true] },
  "x-max-bytes": { type: "integer" },
};

/**
 * The decorators need well-formed values, complete and correctly spelt keys, and P-codes that add only their code to the general error.
 *
 * @returns a visitor that throws a {@link UsageError} with the file and line.
 */
export function malformedNodeRefuser(sources: Sources): (node: unknown, context: UserContext) => void {
  const { extensions } = sources.layout;
  const listedExtensions = sources.has(extensions) ? Object.keys(sources.register<object>("extensions")) : undefined;
  return (node, { type, location: { source, pointer } }) => {
    const location = new SourceLocation(node, { source, pointer, resolve: () => undefined });
    const found =
      findUnknownKey(node, type, listedExtensions) ??
      findProblem(node, type) ??
      findExcluded(node, type) ??
      (type.name === "Schema" && isCode(location.name) ? findLoss(node) : undefined);
    if (found === undefined) return;
    const place = found.keys.reduce((inner, key) => inner.child(key), location);
    const position = positionOf(place, sources);
    throw new UsageError(`${position}: ${place.pointer} ${found.problem}. ${found.remedy ?? defaultRemedy}`);
  };
}

function findUnknownKey(
  node: unknown,
  type: NormalizedNodeType,
  listedExtensions: readonly string[] | undefined,
): Found | undefined {
  if (!isMap(node)) return undefined;
  const allowedKeys = isRef(node) ? keysOfReference : [];
  for (const [key, value] of Object.entries(node)) {
    if (isExtension(key, type)) {
      if (listedExtensions === undefined || listedExtensions.includes(key)) continue;
      const remedy = `Correct it, or describe it there.${didYouMean(key, listedExtensions)}`;
      return { keys: [key], problem: "is not in extensions.yaml", remedy };
    }
    if (isKnown(key, value, type) || allowedKeys.includes(key)) continue;
    const remedy = `Correct it, or remove it.${didYouMean(key, Object.keys(type.properties))}`;
    return { keys: [key], problem: `is no key of ${type.name} in OpenAPI`, remedy };
  }
  return undefined;
}

function isExtension(key: string, { extensionsPrefix }: NormalizedNodeType): boolean {
  return extensionsPrefix !== undefined && key.startsWith(extensionsPrefix);
}

/** Redocly resolves no references under a key that it does not know. */
function isKnown(
  key: string,
  value: unknown,
  { items, properties, additionalProperties }: NormalizedNodeType,
): boolean {
  if (items !== undefined || key.startsWith("x-") || Object.hasOwn(properties, key)) return true;
  const form = typeof additionalProperties === "function" ? additionalProperties(value, key) : additionalProperties;
  return form !== undefined;
}

function findProblem(node: unknown, type: NormalizedNodeType): Found | undefined {
  const problem = problemOf(node, type) ?? missingKeyProblem(node, type);
  if (problem !== undefined) return { keys: [], problem };
  if (type.name === "SpecExtension") return findEmpty(node);
  for (const [key, value] of Object.entries(node as object)) {
    const isKeyword = Object.hasOwn(type.properties, key);
    if (isKeyword && key !== "enum" && isData(key, value)) continue;
    const form = (isExtension(key, type) && extensionForms[key]) || (isKeyword ? type.properties[key] : undefined);
    const found = findInside(key, value, typeof form === "function" ? form(value, key) : form);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Does not search objects that Redocly visits: they are searched then. */
function findInside(key: string, value: unknown, form: Form | null | undefined): Found | undefined {
  const isVisited = form?.name !== undefined;
  const problem = problemOf(value, form, key) ?? (isVisited ? undefined : missingKeyProblem(value, form));
  if (problem !== undefined) return { keys: [key], problem };
  if (form == null || isVisited) return undefined;
  for (const [innerKey, inner] of Object.entries(Object(value))) {
    const innerForm = (form.items ?? form.properties?.[innerKey] ?? form.additionalProperties) as Form | undefined;
    const found = innerForm && findInside(innerKey, inner, innerForm);
    if (found !== undefined) return { ...found, keys: [key, ...found.keys] };
  }
  return undefined;
}

function problemOf(value: unknown, form: Form | null | undefined, key = ""): string | undefined {
  if (value === null) return "has no value";
  if (key === "$ref") return typeof value === "string" ? undefined : "is no text";
  if (form == null) return undefined;
  const { name = "", type } = form;
  if (form.enum !== undefined) return form.enum.includes(value) ? undefined : `is none of ${form.enum.join(", ")}`;
  if (type === "string") return typeof value === "string" ? undefined : "is no text";
  if (type === "boolean") return typeof value === "boolean" ? undefined : "is neither true nor false";
  if (type === "number" || type === "integer") return typeof value === "number" ? undefined : "is no number";
  if (form.items !== undefined || type === "array") return Array.isArray(value) ? undefined : "is no list";
  const isObject = type === "object" || !["", "scalar", "SpecExtension"].includes(name);
  if (!isObject || (name === "Schema" && typeof value === "boolean")) return undefined;
  return isMap(value) ? undefined : "is no object";
}

function missingKeyProblem(value: unknown, form: Form | null | undefined): string | undefined {
  if (!isMap(value) || isRef(value)) return undefined;
  const keys = [...(requiredKeys[form?.name ?? ""] ?? []), ...(Array.isArray(form?.required) ? form.required : [])];
  const missingKey = keys.find((key) => !Object.hasOwn(value, key));
  return missingKey === undefined ? undefined : `has no ${missingKey}`;
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

/** The bundles write the second key themselves if there is the first, or keep only one of the two. */
const exclusiveKeys = [
  ["x-open-enum", "anyOf"],
  ["examples", "example"],
] as const;

function findExcluded(node: unknown, { properties }: NormalizedNodeType): Found | undefined {
  if (!isMap(node)) return undefined;
  const pair = exclusiveKeys.find(
    ([first, second]) => first in node && second in node && Object.hasOwn(properties, second),
  );
  return pair && { keys: [pair[1]], problem: `stands beside ${pair[0]}`, remedy: "Remove one of them." };
}

/** What the bundle would leave out when it replaces the reference to the general error with its fields. */
function findLoss(code: unknown): Found | undefined {
  const { allOf, properties = {}, ...others } = code as { allOf?: object[]; properties?: object };
  if (allOf === undefined) return undefined;
  if (allOf.length !== 1 || !isRef(allOf[0])) return { keys: ["allOf"], problem: "is not one reference" };
  const problem = "is no part of a P-code";
  const sibling = Object.keys(allOf[0]).find((key) => key !== "$ref");
  if (sibling !== undefined) return { keys: ["allOf", "0", sibling], problem };
  const otherProperty = Object.keys(properties).find((name) => name !== codeProperty);
  if (otherProperty !== undefined) return { keys: ["properties", otherProperty], problem };
  const otherKey = Object.keys(others).find((key) => !isAnnotation(key));
  return otherKey === undefined ? undefined : { keys: [otherKey], problem };
}
