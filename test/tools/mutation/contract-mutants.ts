import { relative } from "node:path";
import { projectRoot } from "../../../scripts/base/index.ts";
import type { SourceLocation } from "../../../scripts/contract/model/index.ts";
import { diskFiles, Sources } from "../../../scripts/contract/sources/index.ts";
import type { Mutant } from "./mutant.ts";

/**
 * The tests that run for each mutant. Excluded are the tests of the facts (judge-mutants.ts compares the facts), of the generated documents
 * (every mutant changes them), and of the quotes (they do not read the contract).
 */
const tests =
  /^test\/(specification\/(?!quotes)|contract\/(?!facts|bundle\/generated)|mock\/(scenario|plan|journeys)\/)/;

const proseKeys = [
  ...[
    "description",
    "summary",
    "title",
    "meaning",
    "reason",
    "resolution",
    "onCall",
    "otherwise",
    "examples",
    "example",
  ],
  ...["value", "tags", "info", "externalDocs", "license"],
];

const mutatedPaths = /^(openapi|resources)\.yaml$|^(errors|parameters|paths|responses|schemas|webhooks)\//;

export function contractMutants(sources: Sources): Mutant[] {
  const { folder } = sources.layout;
  const files = sources.paths.filter((file) => mutatedPaths.test(relative(folder, file)));
  const contractValues = collectValues(files.map((file) => sources.location(file)));
  return files.flatMap((file) => {
    const root = sources.location(file);
    return mutantsIn({ location: root, keys: [], isSpecified: isStated(root, true) }, contractValues).map(
      ({ keys, change, isSpecified, edit }) => ({
        path: `openapi/${relative(folder, file)}`,
        key: `${keyOf(keys)} ${change.startsWith("removed") ? "removed" : "changed"}`,
        change: `openapi/${relative(folder, file)}#/${keys.join("/")} ${change} (${isSpecified ? "stated" : "not stated"})`,
        area: isSpecified ? "stated" : "not stated",
        text: JSON.stringify(applyEdit(root.value, keys, edit)),
        tests,
      }),
    );
  });
}

export function withMutant({ path, text }: Pick<Mutant, "path" | "text">): Sources {
  const { rootFile } = new Sources();
  const file = `${projectRoot}/${path}`;
  return new Sources(rootFile, { ...diskFiles, read: (name) => (name === file ? text : diskFiles.read(name)) });
}

interface Change {
  keys: string[];
  change: string;
  edit: Edit;
  isSpecified: boolean;
}

type Edit = { value: unknown } | { key: string } | undefined;

interface Place {
  location: SourceLocation;
  keys: readonly string[];
  isSpecified: boolean;
}

function mutantsIn({ location, keys, isSpecified }: Place, valuesByKind: ValuesByKind): Change[] {
  return location.children().flatMap(([key, part]) => {
    if (proseKeys.includes(key)) return [];
    const path = [...keys, key];
    const isStatedHere = isStated(part, isSpecified);
    const make = (change: string, edit: Edit): Change => ({ keys: path, change, edit, isSpecified: isStatedHere });
    const replacementValue = otherValue(location, path, part.value, valuesByKind);
    const name = otherKey(location, path, valuesByKind);
    return [
      make("removed", undefined),
      ...(replacementValue === undefined
        ? []
        : [make(`now ${JSON.stringify(replacementValue)}`, { value: replacementValue })]),
      ...(name === undefined ? [] : [make(`now called ${name}`, { key: name })]),
      ...mutantsIn({ location: part, keys: path, isSpecified: isStatedHere }, valuesByKind),
    ];
  });
}

/** The values in the contract, by their kind ({@link kindOf}), and the child keys of {@link keysOfNames}, by the key that contains them. */
type ValuesByKind = ReadonlyMap<string, readonly string[]>;

/** Keys whose child keys are values of the contract: statuses, media types, and values of open enums. */
const keysOfNames = ["responses", "content", "x-open-enum"];

function collectValues(roots: readonly SourceLocation[]): ValuesByKind {
  const valuesByKind = new Map<string, Set<string>>();
  const add = (name: string, value: string) => valuesByKind.set(name, (valuesByKind.get(name) ?? new Set()).add(value));
  const walk = (location: SourceLocation, keys: readonly string[]): void => {
    for (const [key, part] of location.children()) {
      if (proseKeys.includes(key)) continue;
      const path = [...keys, key];
      const outerKey = keys.at(-1) ?? "";
      if (keysOfNames.includes(outerKey)) add(`below ${outerKey}`, key);
      if (typeof part.value === "string") add(kindOf(path, part.value), part.value);
      walk(part, path);
    }
  };
  for (const root of roots) walk(root, []);
  return new Map([...valuesByKind].map(([name, values]) => [name, [...values].sort()]));
}

const keyOf = (keys: readonly string[]): string => keys.findLast((key) => !/^\d+$/.test(key)) ?? "";

/** The kind of a value: its key or, for a reference, the folder or file of its target. Values of the same kind can replace each other. */
function kindOf(keys: readonly string[], value: string): string {
  const key = keyOf(keys);
  return key === "$ref" ? `$ref ${value.slice(0, value.lastIndexOf("/")).replace(/^(\.\.\/)+/, "")}` : key;
}

function otherValue(
  holder: SourceLocation,
  keys: readonly string[],
  value: unknown,
  valuesByKind: ValuesByKind,
): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (keys.at(-1) === "required" && Array.isArray(value)) {
    const optionalName = Object.keys(holder.at("properties").value ?? {}).find((name) => !value.includes(name));
    return optionalName === undefined ? undefined : [...value, optionalName];
  }
  if (typeof value !== "string" || keyOf(keys) === "required") return undefined;
  const siblings = Array.isArray(holder.value) ? holder.value : [];
  return nextValue(value, valuesByKind.get(kindOf(keys, value)) ?? [], siblings);
}

function otherKey({ value }: SourceLocation, keys: readonly string[], valuesByKind: ValuesByKind): string | undefined {
  const outerKey = keys.at(-2) ?? "";
  if (!keysOfNames.includes(outerKey)) return undefined;
  return nextValue(keys.at(-1) as string, valuesByKind.get(`below ${outerKey}`) ?? [], Object.keys(value as object));
}

function nextValue(value: string, values: readonly string[], takenValues: readonly unknown[]): string | undefined {
  const index = values.indexOf(value);
  return [...values.slice(index + 1), ...values.slice(0, index)].find(
    (other) => other !== value && !takenValues.includes(other),
  );
}

/** Whether the provenance, or without one that of the enclosing element, is `specification`, and there is no open question. */
function isStated({ value }: SourceLocation, isEnclosingStated: boolean): boolean {
  const node = (value ?? {}) as Record<string, unknown>;
  const ownProvenance = node["x-provenance"] ?? node.provenance;
  const questions = node["x-open-questions"] ?? node.questions;
  return (
    (ownProvenance === undefined ? isEnclosingStated : ownProvenance === "specification") && questions === undefined
  );
}

function applyEdit(root: unknown, keys: string[], edit: Edit): unknown {
  const copy = structuredClone(root);
  let holder = copy as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  const lastKey = keys.at(-1) as string;
  if (edit !== undefined && "value" in edit) holder[lastKey] = edit.value;
  else if (Array.isArray(holder)) holder.splice(Number(lastKey), 1);
  else if (edit === undefined) delete holder[lastKey];
  else {
    const entries = Object.entries(holder);
    for (const [key] of entries) delete holder[key];
    for (const [key, value] of entries) holder[key === lastKey ? edit.key : key] = value;
  }
  return copy;
}
