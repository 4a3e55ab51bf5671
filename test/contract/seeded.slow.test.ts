/** Tests the tests of the docs: each file finds the defects seeded into the code. `npm run mutate` does so for the others. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { x } from "tinyexec";
import { beforeAll, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/model/index.ts";

type Defect = [name: string, file: string, find: string, put: string];

const defects: Record<string, Defect[]> = {
  "site-server": [
    ["a page has no policy", "server/site-listener.ts", '"Content-Security-Policy": `', '"X-Policy": `'],
    ["what a page holds may run", "server/policy.ts", "style-src 'self'", "style-src 'self' 'unsafe-inline'"],
    ["other sites may show the page in a frame", "server/site-listener.ts", "; frame-ancestors 'none'", ""],
    ["every method is answered", "server/site-listener.ts", 'app.get("*",', 'app.all("*",'],
  ],
  "small-site": [
    ["two kinds of provenance are mixed up", "components/marks.tsx", 'short: "Proposed"', 'short: "Stated"'],
    ["everything has a mark", "components/marks.tsx", "if (effective === weakest(", "if (!weakest("],
    ["sensitive values have no mark", "components/marks.tsx", ">Sensitive</span>", ">Value</span>"],
    ["effects have no mark", "components/operation-parts.tsx", "<WeakMark provenance={own} than={provenance} />", ""],
    ["values have no mark", "components/guide-block.tsx", "<WeakMark provenance={provenance} />", ""],
    [
      "a code has the mark of its response",
      "components/codes.tsx",
      "provenance: effective",
      "provenance: response.effective",
    ],
    ["a link to nothing", "site/site.ts", "find(({ code }) => code === name)?.code", "at(0)?.code"],
    ["a link within code", "text/links.ts", "index % 2 === 1", "false"],
    ["a guide links nothing", "text/links.ts", ".map((part, index) => {", ".map((part, index) => {\nreturn part;"],
    ["a question is on a page without anchor", "site/site.ts", ", anchor: name.toLowerCase() }", " }"],
    ["HTML of the contract is used", "text/markdown.tsx", '.replaceAll("<", "&lt;"),', ","],
    ["code is used as HTML", "text/highlight.ts", "hljs.highlight(code, { language: usedLanguage }).value", "code"],
    ["the assumption is left out", "components/questions.tsx", 'rank === "money" &&', "false &&"],
    [
      "the entry has no assumption",
      "pages/questions.tsx",
      "<InlineProse text={assumption} />\n          <Rows",
      "<Rows",
    ],
    ["questions without a mark are listed", "site/question-locations.ts", "marked.has(id)", "true"],
    ["the places are left out", "site/question-locations.ts", "parts: [...new Set(concerned)]", "parts: []"],
    ["an entry has no anchor", "pages/questions.tsx", "id={id.toLowerCase()}", ""],
  ],
};

const rows = Object.entries(defects).flatMap(([test, each]) => each.map((defect) => [test, ...defect] as const));

/** Bundles a test with its imports from this repository, with a seeded defect. */
async function bundle(folder: string, index: number): Promise<void> {
  const [test, , path, find, put] = rows[index] as (typeof rows)[number];
  let count = 0;
  const seed: Plugin = {
    name: "defect",
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
        const text = await readFile(file, "utf8");
        const isSeeded = file === join(projectRoot, "scripts/site", path);
        if (isSeeded) count = text.split(find).length - 1;
        const contents = (isSeeded ? text.replace(find, () => put) : text)
          .replaceAll("import.meta.dirname", JSON.stringify(dirname(file)))
          .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(file).href));
        return { contents, loader: file.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
  await build({
    entryPoints: [join(projectRoot, `test/site/${test}.test.ts`)],
    outfile: join(folder, `${index}.seeded.mjs`),
    ...{ bundle: true, packages: "external", format: "esm", platform: "node", target: "node20" },
    ...{ jsx: "automatic", jsxImportSource: "preact", logLevel: "silent", plugins: [seed] },
  });
  if (count !== 1) throw new Error(`"${find}" occurs ${count} times in ${path}, not once.`);
}

/** The output of a single run of all tests with defects. */
let printed: string;

beforeAll(async () => {
  const cache = join(projectRoot, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "seeded-"));
  try {
    for (const index of rows.keys()) await bundle(folder, index);
    const config = join(projectRoot, "test/contract/seeded.config.ts");
    const args = ["node_modules/vitest/vitest.mjs", "run", "--config", config, "--root", folder];
    const nodeOptions = { cwd: projectRoot, env: { NO_COLOR: "1" } };
    ({ stderr: printed } = await x(process.execPath, args, { nodeOptions }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 300_000);

it.each(rows.map(([test, name], index) => [`${test} fails where ${name}`, index] as const))("%s", (_name, index) => {
  // A suite that fails as a whole has no test name after its file.
  expect(printed).toContain(`FAIL  ${index}.seeded.mjs > `);
});
