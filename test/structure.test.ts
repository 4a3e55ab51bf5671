/** How the folders of the toolchain depend on each other, as CONTRIBUTING.md says. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../scripts/contract/model/index.ts";

const scripts = `${projectRoot}/scripts`;

const files = readdirSync(scripts, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(scripts, path), "utf8") }));

/** Every import of a file of this project: from where, and to where below the repository. */
const imports = files.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:from|import\() *"(\.[^"$]+)"/g)].map(([, target = ""]) => ({
    from: path,
    to: relative(projectRoot, join(scripts, dirname(path), target)),
  })),
);

/** Rooms that still import upwards. */
const upwards = ["site > tools"];

const folderOf = (path: string) => path.split("/")[0] as string;

/** The folders of the table in CONTRIBUTING.md, in its order. */
function documentedFolders(): string[] {
  const guide = readFileSync(`${projectRoot}/CONTRIBUTING.md`, "utf8");
  const rows = guide.split("\n").filter((line) => /^\| `\w+`/.test(line));
  return rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name as string));
}

describe("scripts/", () => {
  it("has the folders that CONTRIBUTING.md lists", () => {
    const found = readdirSync(scripts, { withFileTypes: true }).map(({ name }) => name);
    expect(documentedFolders().sort()).toEqual(found.sort());
  });

  it("imports in the order of that list only, so that there are no cycles between folders", () => {
    const order = documentedFolders();
    const wrong = imports.filter(({ from, to }) => {
      const [user, used] = [folderOf(from), folderOf(to.replace(/^scripts\//, ""))];
      const isUp = to.startsWith("scripts/") && user !== used && order.indexOf(used) > order.indexOf(user);
      return isUp && !upwards.includes(`${user} > ${used}`);
    });
    expect(wrong).toEqual([]);
  });

  it("imports nothing from test/", () => {
    expect(imports.filter(({ to }) => !/^(scripts|generated)\//.test(to))).toEqual([]);
  });

  it("has no file above 500 lines", () => {
    const long = files.filter(({ text }) => text.split("\n").length - 1 > 500).map(({ path }) => path);
    expect(long).toEqual([]);
  });
});
