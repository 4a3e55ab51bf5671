import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { methods, type OpenApiDocument } from "../../../scripts/contract/model/index.ts";
import { bundleAnnotated, type Change, compareContracts } from "../../../scripts/tools/changes/index.ts";
import { sources } from "../../support/contract.ts";

type Edits = Record<string, unknown>;

export interface SeededChange {
  readonly name: string;
  readonly commonEdits?: Edits;
  readonly edits: Edits;
  readonly id: string;
  readonly sentence: string;
}

const file = readFileSync(new URL("seeded.yaml", import.meta.url), "utf8");
export const { breaking, compatible } = parseYaml(file) as Record<"breaking" | "compatible", SeededChange[]>;

/** The returned `changesOf` compares the annotated contract with edits of it. */
export async function readPublished() {
  const annotatedText = JSON.stringify(await bundleAnnotated(sources));
  const publishedDocument = (): OpenApiDocument => JSON.parse(annotatedText);
  const unchangedDocument = publishedDocument();
  function changesOf({ commonEdits, edits }: Pick<SeededChange, "commonEdits" | "edits">): Change[] {
    const documentBefore = commonEdits === undefined ? unchangedDocument : seed(publishedDocument(), commonEdits);
    return compareContracts(documentBefore, seed(seed(publishedDocument(), commonEdits ?? {}), edits));
  }
  return { annotatedText, unchangedDocument, publishedDocument, changesOf };
}

/**
 * Batches of cases that can be compared together: no two cases edit, or expect a change of, the same operation, webhook, code or schema.
 */
export function batchesOf(cases: readonly SeededChange[]): SeededChange[][] {
  const batches: { cases: SeededChange[]; subjects: Set<string> }[] = [];
  for (const seededChange of cases) {
    const paths = [...Object.keys({ ...seededChange.commonEdits, ...seededChange.edits }), seededChange.id];
    const editedNames = paths.map((path) => path.split(/[/ ]/)[0] as string);
    // An edit of the document can concern any subject, so it is in a batch of its own.
    const batch = editedNames.includes("(document)")
      ? undefined
      : batches.find(({ subjects }) => !["(document)", ...editedNames].some((name) => subjects.has(name)));
    if (batch === undefined) batches.push({ cases: [seededChange], subjects: new Set(editedNames) });
    else {
      batch.cases.push(seededChange);
      for (const name of editedNames) batch.subjects.add(name);
    }
  }
  return batches.map((batch) => batch.cases);
}

export function seed(document: OpenApiDocument, edits: Edits): OpenApiDocument {
  for (const [pointer, value] of Object.entries(edits)) {
    const [name = "", ...keys] = pointer.split("/").map((key) => key.replaceAll("~1", "/"));
    const lastKey = keys.pop() ?? "";
    const { holder, key, item, method } = find(document, name);
    if (lastKey === "$copy") {
      const operation = structuredClone(item[method]) as object;
      holder[String(value)] = { [method]: { ...operation, operationId: "copied" } };
    } else if (lastKey === "$path") {
      delete holder[key];
      if (value !== null) holder[String(value)] = item;
    } else {
      const target = keys.reduce((node, part) => node[part] as Node, item[method] as Node);
      setValue(target, lastKey, value);
    }
  }
  return document;
}

type Node = Record<string, unknown>;

function find(document: OpenApiDocument, name: string) {
  const { paths, webhooks, components } = document;
  if (name === "(document)")
    return { holder: {} as Record<string, Node>, key: name, item: { [name]: document } as Node, method: name };
  for (const holder of [paths, webhooks ?? {}] as unknown as Record<string, Node>[]) {
    for (const [key, item] of Object.entries(holder)) {
      const method = methods.find(
        (candidate) => item[candidate] !== undefined && [key, (item[candidate] as Node).operationId].includes(name),
      );
      if (method !== undefined) return { holder, key, item, method };
    }
  }
  const holder = (components?.schemas ?? {}) as Record<string, Node>;
  if (holder[name] === undefined) throw new Error(`There is nothing with the name ${name}.`);
  return { holder, key: name, item: holder, method: name };
}

function setValue(target: Node, key: string, value: unknown): void {
  if (target === undefined) throw new Error(`There is nothing to hold ${key}.`);
  const movedFrom = (value as { $move?: string } | null)?.$move;
  if (movedFrom !== undefined) {
    target[key] = target[movedFrom];
    delete target[movedFrom];
  } else if (Array.isArray(target)) {
    if (key === "-") target.push(structuredClone(value));
    else target.splice(Number(key), 1);
  } else if (value === null) delete target[key];
  else target[key] = structuredClone(value);
}
