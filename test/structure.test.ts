import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../scripts/base/index.ts";
import { longestFiles } from "./support/sequencer.ts";

const files = ["scripts", "generated"].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(projectRoot, folder, path), "utf8") })),
);

const imports = files.flatMap(({ path, text }) =>
  [...text.matchAll(/((?:import|export) type [^"]*?)?(?:from|import|import\() *"(\.[^"$]+)"/g)].map(
    ([, typeClause, target = ""]) => ({
      importer: path,
      target: relative(projectRoot, join(projectRoot, dirname(path), target)),
      isType: typeClause !== undefined,
    }),
  ),
);

const tableRow = /^\| \[?`(\w+)\/?`/gm;
/** Here, a subfolder may import only the subfolders that `guide` lists before it; with `hasIndexes`, only their indexes. */
const orderedFolders = [
  { parent: "scripts", guide: "CONTRIBUTING.md", entry: tableRow, hasIndexes: true },
  { parent: "scripts/tools", guide: "scripts/tools/README.md", entry: tableRow, hasIndexes: true },
  { parent: "scripts/client/generate", guide: "scripts/client/generate/README.md", entry: tableRow, hasIndexes: false },
  { parent: "scripts/client/src", guide: "scripts/client/src/README.md", entry: tableRow, hasIndexes: false },
  { parent: "scripts/site", guide: "scripts/site/README.md", entry: /`(\w+)\/`/g, hasIndexes: false },
].map(({ parent, guide, entry, hasIndexes }) => {
  const folderOf = (path: string) => path.slice(parent.length + 1).split("/")[0] as string;
  const entries = readFileSync(join(projectRoot, guide), "utf8").matchAll(entry);
  return {
    parent,
    guide,
    hasIndexes,
    folderOf,
    order: Array.from(entries, ([, name = ""]) => name),
    importsBetween: imports.filter(
      ({ importer, target }) =>
        [importer, target].every((path) => path.startsWith(`${parent}/`) && folderOf(path) !== basename(path)) &&
        folderOf(importer) !== folderOf(target),
    ),
  };
});

/** The imports that are left after repeatedly removing files that import nothing, and files that no other file imports. */
function circularImports() {
  let remainingImports = imports;
  for (;;) {
    const [importingFiles, importedFiles] = [
      new Set(remainingImports.map(({ importer }) => importer)),
      new Set(remainingImports.map(({ target }) => target)),
    ];
    const nextImports = remainingImports.filter(
      ({ importer, target }) => importingFiles.has(target) && importedFiles.has(importer),
    );
    if (nextImports.length === remainingImports.length) return nextImports;
    remainingImports = nextImports;
  }
}

it("every file of openapi/paths has at most 130 lines", () => {
  const folder = `${projectRoot}/openapi/paths`;
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".yaml"));
  const longFiles = paths.filter((path) => readFileSync(join(folder, path), "utf8").split("\n").length - 1 > 130);
  expect([paths.length > 40, longFiles]).toEqual([true, []]);
});

it("the tests of the installed package import of this repository only what is copied with them", () => {
  const copiedFolders = ["test/client/packed", "test/peers/packed"];
  const importedFolders = copiedFolders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder)).flatMap((name) => {
      const text = readFileSync(join(projectRoot, folder, name), "utf8");
      return [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, target = ""]) => join(folder, dirname(target)));
    }),
  );
  const otherFolders = importedFolders.filter((folder) => !copiedFolders.includes(folder));
  expect([importedFolders.length > 10, otherFolders]).toEqual([true, []]);
});

describe("generated/", () => {
  const [entries, contract] = ["scripts/client/src/entries/", "scripts/client/src/contract.ts"];

  it("is imported by the entries of the client, and by the three files of the mock that take its plan or its control types", () => {
    const otherImporters = ["scripts/mock/plan/control.ts", "scripts/mock/index.ts", "scripts/mock/plan/built-plan.ts"];
    const importsAcross = imports.filter(
      ({ importer, target }) => target.startsWith("generated/") && !importer.startsWith("generated/"),
    );
    const wrongImports = importsAcross.filter(
      ({ importer }) => !importer.startsWith(entries) && !otherImporters.includes(importer),
    );
    expect([importsAcross.length > 30, wrongImports]).toEqual([true, []]);
  });

  it("imports of the client one file, for its types only", () => {
    const importsAcross = imports.filter(
      ({ importer, target }) => importer.startsWith("generated/") && !target.startsWith("generated/"),
    );
    const wrongImports = importsAcross.filter(({ target, isType }) => target !== contract || !isType);
    expect([importsAcross.length > 8, wrongImports]).toEqual([true, []]);
  });
});

describe.each(orderedFolders)("$parent/", ({ parent, guide, folderOf, order, importsBetween }) => {
  it(`has the folders that ${guide} lists`, () => {
    const entries = readdirSync(join(projectRoot, parent), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(order.toSorted()).toEqual(folders.sort());
  });

  it("imports in the order of that list only, so that there are no circles of folders", () => {
    const wrongImports = importsBetween.filter(
      ({ importer, target }) => order.indexOf(folderOf(target)) > order.indexOf(folderOf(importer)),
    );
    expect([importsBetween.length > 10, wrongImports]).toEqual([true, []]);
  });
});

it.each(orderedFolders.filter(({ hasIndexes }) => hasIndexes))(
  "$parent/ imports of another folder an index only: that of the folder, or of one of its parts",
  ({ importsBetween }) => {
    expect(importsBetween.filter(({ target }) => !target.endsWith("/index.ts"))).toEqual([]);
  },
);

describe("scripts/", () => {
  it("has no circle of files with generated/, types included", () => {
    expect(circularImports()).toEqual([]);
  });

  it("imports nothing from test/", () => {
    expect(imports.filter(({ target }) => !/^(scripts|generated)\//.test(target))).toEqual([]);
  });
});

const longFiles = {
  "test/peers/docs/browser.test.ts": "a browser and the site are started once for all of it",
};

it("no file of scripts/ and test/ has more than 500 lines, except those with a reason", () => {
  const pathsIn = (folder: string): string[] =>
    readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "node_modules" ? [] : pathsIn(path);
      return /\.tsx?$/.test(path) ? [path] : [];
    });
  const lineCountOf = (path: string) => readFileSync(join(projectRoot, path), "utf8").split("\n").length - 1;
  const longPaths = ["scripts", "test"].flatMap(pathsIn).filter((path) => lineCountOf(path) > 500);
  expect(longPaths.sort()).toEqual(Object.keys(longFiles).sort());
});

it("CONTRIBUTING.md says what each package is for, and names no other one", () => {
  const guide = readFileSync(`${projectRoot}/CONTRIBUTING.md`, "utf8");
  const [, section = ""] = /\n## Packages\n([\s\S]*?)\n## /.exec(guide) ?? [];
  const { devDependencies } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8"));
  const reasons = [...section.matchAll(/((?:`[^`]+`,? ?)+): /g)].flatMap(
    ([, names = ""]) => names.match(/[^`, ]+/g) ?? [],
  );
  const nameOf = (name: string) =>
    name.startsWith("@types/") ? "@types/…" : name.replace(/^@stoplight\/(?=spectral-(core|ruleset))/, "");
  expect([...new Set(reasons)].sort()).toEqual([...new Set(Object.keys(devDependencies).map(nameOf))].sort());
});

it("the test files that start first exist", () => {
  expect(longestFiles.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});
