/** Mutants of the contract: one key, value or item of the hand-written files changed or taken away. */
import { relative } from "node:path";
import { type Place, projectRoot } from "../../../scripts/contract/model/index.ts";
import { diskFiles, Sources } from "../../../scripts/contract/sources/index.ts";
import type { Mutant } from "./mutant.ts";

/** What notices a mutant when neither lint nor the facts do. */
const tests = /^test\/(specification|scenario|contract|plan|journeys)\//;

/** What only people read: a wrong word in it is for a reviewer. */
const prose = [
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

/** The folders and files that are mutated: what describes the service. */
const mutated = /^(openapi|resources)\.yaml$|^(errors|parameters|paths|responses|schemas|webhooks)\//;

/** Every mutant of the contract, in the order of the files. */
export function contractMutants(sources: Sources): Mutant[] {
  const { folder } = sources.layout;
  return sources.paths
    .filter((file) => mutated.test(relative(folder, file)))
    .flatMap((file) => {
      const root = sources.place(file);
      return mutantsWithin(root, [], isStated(root, true)).map(({ keys, change, value, stated }) => ({
        path: `openapi/${relative(folder, file)}`,
        key: String(keys.findLast((key) => !/^\d+$/.test(key))),
        change: `openapi/${relative(folder, file)}#/${keys.join("/")} ${change} (${stated ? "stated" : "not stated"})`,
        half: stated,
        text: JSON.stringify(changed(root.value, keys, value)),
        tests,
      }));
    });
}

/** The sources with a mutant in place of a file. */
export function withMutant({ path, text }: Pick<Mutant, "path" | "text">): Sources {
  const { rootFile } = new Sources();
  const file = `${projectRoot}/${path}`;
  return new Sources(rootFile, { ...diskFiles, read: (name) => (name === file ? text : diskFiles.read(name)) });
}

interface Change {
  keys: string[];
  change: string;
  /** Undefined takes it away. */
  value: unknown;
  stated: boolean;
}

function mutantsWithin(place: Place, keys: string[], stated: boolean): Change[] {
  return place.parts().flatMap(([key, part]) => {
    if (prose.includes(key)) return [];
    const path = [...keys, key];
    const isHere = isStated(part, stated);
    const own = [
      { keys: path, change: "removed", value: undefined, stated: isHere },
      ...others(part.value).map((value) => ({
        keys: path,
        change: `now ${JSON.stringify(value)}`,
        value,
        stated: isHere,
      })),
    ];
    return [...own, ...mutantsWithin(part, path, isHere)];
  });
}

/** Other values that a slip of the hand could leave. */
function others(value: unknown): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1];
  if (typeof value !== "string") return [];
  if (value.endsWith("$") && value.startsWith("^")) return [value.slice(0, -1)];
  return [`${value}x`];
}

/** A mark or an open question makes what it stands on, and what is within, unstated; so do those of resources.yaml. */
function isStated({ value }: Place, enclosing: boolean): boolean {
  const node = (value ?? {}) as Record<string, unknown>;
  const own = node["x-provenance"] ?? node.provenance;
  const questions = node["x-open-questions"] ?? node.questions;
  return (own === undefined ? enclosing : own === "specification") && questions === undefined;
}

function changed(root: unknown, keys: string[], value: unknown): unknown {
  const copy = structuredClone(root);
  let holder = copy as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  const last = keys.at(-1) as string;
  if (value !== undefined) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}
