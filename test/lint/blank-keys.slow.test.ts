import { parseYaml, stringifyYaml } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { editClean, lintTexts } from "./clean-contract.ts";

type Path = (string | number)[];

/** The paths of all members and items that have a value. */
function pathsIn(node: unknown, path: Path = []): Path[] {
  if (typeof node !== "object" || node === null) return node === null || path.length === 0 ? [] : [path];
  const keys = Array.isArray(node) ? [...node.keys()] : Object.keys(node);
  const innerPaths = keys.flatMap((key) => pathsIn((node as Record<string | number, unknown>)[key], [...path, key]));
  return path.length === 0 ? innerPaths : [path, ...innerPaths];
}

function withoutValue(text: string, path: Path): string {
  const document = parseYaml(text) as Record<string | number, unknown>;
  const parent = path
    .slice(0, -1)
    .reduce<Record<string | number, unknown>>((node, key) => node[key] as never, document);
  parent[path.at(-1) ?? ""] = null;
  return stringifyYaml(document, { noRefs: true });
}

const texts = editClean({});

it.each([...texts.keys()])(
  "lint reports no JavaScript error for a key of %s without value",
  async (file) => {
    const text = texts.get(file) ?? "";
    const errors: string[] = [];
    for (const path of pathsIn(parseYaml(text))) {
      const result = lintTexts(editClean({ [file]: withoutValue(text, path) }));
      const findings = await result.then(
        ({ findings: list }) => list.map(({ rule, message }) => `${rule} ${message}`),
        String,
      );
      const wrongFindings = [findings]
        .flat()
        .filter((finding) => /contract-readable|cannot be evaluated|TypeError/.test(finding));
      errors.push(...wrongFindings.map((finding) => `${path.join("/")}: ${finding}`));
    }
    expect(errors).toEqual([]);
  },
  120_000,
);
