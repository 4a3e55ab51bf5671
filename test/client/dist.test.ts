/** What is published: complete, the same on every build, documented for editors, and mapped to its sources. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { x } from "tinyexec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDist } from "../../scripts/client/dist.ts";
import { editions, projectRoot } from "../../scripts/contract/index.ts";

let folder: string;
let dist: string;
let files: Map<string, string>;

/** The text of every file below a folder, by its path. */
function read(root: string): Map<string, string> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.sort().map((path) => [relative(root, path), readFileSync(path, "utf8")]));
}

beforeAll(async () => {
  // Within the project: source maps have relative paths, and the client imports openapi-fetch.
  const cache = `${projectRoot}/node_modules/.cache`;
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "dist-test-"));
  dist = join(folder, "dist");
  await buildDist(dist, join(folder, "state"));
  files = read(dist);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("has every file that the exports of package.json name", () => {
  const { exports } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")) as {
    exports: Record<string, string | Record<string, string>>;
  };
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  const compiled = targets.filter((target) => target.startsWith("./dist/")).map((target) => target.slice(7));
  expect(compiled.length).toBeGreaterThan(0);
  expect(compiled.filter((path) => !files.has(path))).toEqual([]);
  const others = targets.filter((target) => !target.startsWith("./dist/"));
  expect(others.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});

it("imports only files that it has, and openapi-fetch", () => {
  const missing = [...files].flatMap(([path, text]) =>
    [...text.matchAll(/^(?:import|export)\b[^"]* from "([^"]+)";$/gm)].flatMap(([, specifier = ""]) => {
      if (!specifier.startsWith(".")) return specifier === "openapi-fetch" ? [] : [`${path}: ${specifier}`];
      const target = join(dirname(path), specifier).replace(/\.ts$/, ".d.ts");
      return files.has(target) ? [] : [`${path}: ${specifier}`];
    }),
  );
  expect(missing).toEqual([]);
});

it("is the same when it is built again, whatever was removed or added", async () => {
  rmSync(join(dist, "generated/test/client/index.d.ts"));
  rmSync(join(dist, "generated/latest/client/webhook-schemas.js"));
  writeFileSync(join(dist, "scripts/client/runtime/removed.js"), "");
  await buildDist(dist, join(folder, "state"));
  expect(read(dist)).toEqual(files);
});

it("holds no absolute path", () => {
  expect([...files].filter(([, text]) => text.includes(projectRoot)).map(([path]) => path)).toEqual([]);
});

describe("source maps", () => {
  it("hold the TypeScript that the JavaScript was compiled from", () => {
    const maps = [...files].filter(([path]) => path.endsWith(".map"));
    expect(maps.length).toBeGreaterThan(30);
    for (const [path, text] of maps) {
      const { sources, sourceRoot, sourcesContent } = JSON.parse(text);
      const source = path.replace(/\.js\.map$/, ".ts");
      const [named = ""] = sources;
      expect([path, sourceRoot, sources.length]).toEqual([path, "", 1]);
      expect(resolve(dist, dirname(path), named)).toBe(join(projectRoot, source));
      expect(sourcesContent).toEqual([readFileSync(join(projectRoot, source), "utf8")]);
    }
  });

  it("put the line of the source into a stack", async () => {
    const program = `import { toDecimal } from ${JSON.stringify(join(dist, "generated/latest/client/index.js"))};
      try { toDecimal("ten"); } catch (error) { console.log(error.stack); }`;
    const args = ["--enable-source-maps", "--input-type=module", "--eval", program];
    const { stdout } = await x(process.execPath, args);
    const [, line] = /runtime\/decimal\.ts:(\d+)/.exec(stdout) ?? [];
    const source = readFileSync(`${projectRoot}/scripts/client/runtime/decimal.ts`, "utf8");
    expect(source.split("\n")[Number(line) - 1]).toContain("throw new TypeError");
  });
});

describe.each(editions)("declarations of the edition %s", (edition) => {
  it.each([
    ["index", "createPartnerClient"],
    ["webhooks", "createWebhookHandler"],
    ["webhooks", "parseWebhook"],
    ["webhooks", "testEvent"],
  ])("%s document %s", (entry, name) => {
    const text = files.get(`generated/${edition}/client/${entry}.d.ts`);
    expect(text).toMatch(new RegExp(`\\n \\*/\\nexport declare function ${name}\\b`));
  });
});
