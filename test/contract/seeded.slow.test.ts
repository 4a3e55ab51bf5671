/** The tests of the docs can fail: each file notices the defects that are seeded into the code. `npm run mutate` shows it of the others. */
import { x } from "tinyexec";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";

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
    ["sensitive values have no mark", "components/marks.tsx", "      Sensitive\n", "      Value\n"],
    ["effects have no mark", "components/operation-parts.tsx", "<WeakMark provenance={own} than={provenance} />", ""],
    ["values have no mark", "components/guide-block.tsx", "<WeakMark provenance={provenance} />", ""],
    [
      "a code has the mark of its answer",
      "components/codes.tsx",
      "provenance: effective",
      "provenance: answer.effective",
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
    ["questions without a mark are listed", "site/question-places.ts", "marked.has(id)", "true"],
    ["the places are left out", "site/question-places.ts", "parts: [...new Set(concerned)]", "parts: []"],
    ["an entry has no anchor", "pages/questions.tsx", "id={id.toLowerCase()}", ""],
  ],
};

const rows = Object.entries(defects).flatMap(([test, each]) => each.map((defect) => [test, ...defect] as const));

it.each(rows)("%s fails where %s", { timeout: 120_000 }, async (test, _name, file, find, put) => {
  const config = "test/contract/seeded.config.ts";
  const { stderr, exitCode } = await x(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--config", config, `test/docs/${test}.test.ts`],
    {
      nodeOptions: {
        cwd: projectRoot,
        env: { DEFECT: JSON.stringify({ file: `scripts/docs/${file}`, find, put }), NO_COLOR: "1" },
      },
    },
  );
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/Failed Tests \d/);
  expect(stderr).not.toContain("times in");
});
