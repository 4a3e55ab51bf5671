import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../scripts/contract/model/index.ts";

const scripts = `${projectRoot}/scripts`;

const files = readdirSync(scripts, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(scripts, path), "utf8") }));

const imports = files.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:from|import|import\() *"(\.[^"$]+)"/g)].map(([, target = ""]) => ({
    from: `scripts/${path}`,
    to: relative(projectRoot, join(scripts, dirname(path), target)),
  })),
);

const roomOf = (path: string) => path.split("/")[1] as string;

const betweenRooms = imports.filter(({ from, to }) => to.startsWith("scripts/") && roomOf(from) !== roomOf(to));

function documentedRooms(): string[] {
  const guide = readFileSync(`${projectRoot}/CONTRIBUTING.md`, "utf8");
  const rows = guide.split("\n").filter((line) => /^\| \[?`\w+`/.test(line));
  return rows.map((row) => /`(\w+)`/.exec(row)?.[1] as string);
}

/** Strongly connected components of several files, found by Tarjan's algorithm. */
function circles(): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    open.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const { path } of files) if (!order.has(`scripts/${path}`)) visit(`scripts/${path}`);
  return found;
}

it("every file of openapi/paths has at most 130 lines", () => {
  const folder = `${projectRoot}/openapi/paths`;
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".yaml"));
  const long = paths.filter((path) => readFileSync(join(folder, path), "utf8").split("\n").length - 1 > 130);
  expect([paths.length > 40, long]).toEqual([true, []]);
});

describe("scripts/", () => {
  it("has the rooms that CONTRIBUTING.md lists", () => {
    const found = readdirSync(scripts, { withFileTypes: true }).map(({ name }) => name);
    expect(documentedRooms().sort()).toEqual(found.sort());
  });

  it("imports in the order of that list only, so that there are no circles of rooms", () => {
    const order = documentedRooms();
    const wrong = betweenRooms.filter(({ from, to }) => order.indexOf(roomOf(to)) > order.indexOf(roomOf(from)));
    expect(wrong).toEqual([]);
  });

  it("imports of another room an index only: that of the room, or of one of its parts", () => {
    expect(betweenRooms.filter(({ to }) => !to.endsWith("/index.ts"))).toEqual([]);
  });

  it("has no circle of files, types included", () => {
    expect(circles()).toEqual([]);
  });

  it("imports nothing from test/", () => {
    expect(imports.filter(({ to }) => !/^(scripts|generated)\//.test(to))).toEqual([]);
  });

  it("has no file above 500 lines", () => {
    const long = files.filter(({ text }) => text.split("\n").length - 1 > 500).map(({ path }) => path);
    expect(long).toEqual([]);
  });
});
