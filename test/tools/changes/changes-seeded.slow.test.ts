import { expect, it } from "vitest";
import { type Change, compareContracts } from "../../../scripts/tools/changes/index.ts";
import { batchesOf, breaking, compatible, readPublished, type SeededChange } from "./seeded.ts";

const { unchangedDocument, publishedDocument, changesOf } = await readPublished();

const batches = [...batchesOf(breaking), ...batchesOf(compatible)];
const cachedChanges = new Map<readonly SeededChange[], Change[]>();

/**
 * The changes of all cases of a batch, which have different subjects. If the changes are not as expected, returns those of `seededChange`
 * alone.
 */
function changesInBatch(seededChange: SeededChange, isExpected: (changes: readonly Change[]) => boolean): Change[] {
  const batch = batches.find((cases) => cases.includes(seededChange)) as SeededChange[];
  const mergeEdits = (key: "commonEdits" | "edits"): SeededChange["edits"] =>
    Object.assign({}, ...batch.map((batchedChange) => batchedChange[key]));
  const changes =
    cachedChanges.get(batch) ?? changesOf({ commonEdits: mergeEdits("commonEdits"), edits: mergeEdits("edits") });
  cachedChanges.set(batch, changes);
  return isExpected(changes) ? changes : changesOf(seededChange);
}

it.each(breaking)("$name is breaking", (seededChange) => {
  const changes = changesInBatch(seededChange, (all) =>
    all.some(({ id, severity }) => id === seededChange.id && severity === "breaking"),
  );
  const foundChange = changes.find(({ id }) => id === seededChange.id);
  expect(foundChange).toMatchObject({ severity: "breaking", sentence: expect.stringContaining(seededChange.sentence) });
});

it.each(compatible)("$name is not breaking", (seededChange) => {
  const changes = changesInBatch(seededChange, (all) => all.every(({ severity }) => severity !== "breaking"));
  expect(changes.find(({ id }) => id === seededChange.id)).toMatchObject({
    sentence: expect.stringContaining(seededChange.sentence),
  });
  expect(changes.filter(({ severity }) => severity === "breaking")).toEqual([]);
});

it.each(Array.from({ length: 15 }, (_, index) => index / 15))(
  "a removed keyword is a change: the one at %f of all",
  (position) => {
    const documentAfter = publishedDocument();
    const removableParts: [holder: Record<string, unknown>, key: string, pointer: string][] = [];
    const walk = (node: unknown, pointer: string): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        // A removal of the type has no effect here, because another branch of the allOf states the same type.
        const isRepeated = key === "type" && /\/allOf\/\d+$/.test(pointer);
        const isKeyword = /^(properties|required|type|enum|format|pattern|requestBody|security|oneOf|\d+)$/.test(key);
        if (isKeyword && !isRepeated && !Array.isArray(node))
          removableParts.push([node as Record<string, unknown>, key, `${pointer}/${key}`]);
        if (!/example|^x-/.test(key)) walk(value, `${pointer}/${key}`);
      }
    };
    walk({ paths: documentAfter.paths, components: { schemas: documentAfter.components?.schemas } }, "");
    const [holder, key, pointer] = removableParts[Math.floor(removableParts.length * position)] ?? expect.fail();
    delete holder[key];
    expect(compareContracts(unchangedDocument, documentAfter), pointer).not.toEqual([]);
  },
);
