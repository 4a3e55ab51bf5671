/** Short checks of the docs: each throws an AssertionError when the pages say or allow something else. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ComponentChildren, h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { ErrorCode } from "../../scripts/contract/index.ts";
import type * as CodeOperationsModule from "../../scripts/docs/components/code-operations.tsx";
import type * as PairsModule from "../../scripts/docs/components/code-pairs.ts";
import type * as ValuesModule from "../../scripts/docs/components/known-values.tsx";
import type * as ContextModule from "../../scripts/docs/components/page-context.ts";
import type * as ProseModule from "../../scripts/docs/components/prose.tsx";
import type * as NotesModule from "../../scripts/docs/components/questions.tsx";
import type * as OperationModule from "../../scripts/docs/pages/operation.tsx";
import type { SitePage } from "../../scripts/docs/pages/page.ts";
import type * as QuestionsModule from "../../scripts/docs/pages/questions.tsx";
import type * as PolicyModule from "../../scripts/docs/server/policy.ts";
import type * as ServerModule from "../../scripts/docs/server/site-server.ts";
import type { PageRef } from "../../scripts/docs/site/pages.ts";
import type * as SiteModule from "../../scripts/docs/site/site.ts";
import type { SiteContent } from "../../scripts/docs/site/site.ts";
import type * as HighlightModule from "../../scripts/docs/text/highlight.ts";
import { elementsOf, type ParsedPage, parsePage, textOf, withClass } from "../docs/parsed-page.ts";
import { smallDocument, smallSite } from "../docs/small-document.ts";
import type { Load } from "../support/mutants.ts";

/**
 * A part of a page of the small document, as the loaded code makes it. A check loads no more than it needs: each defect has
 * a copy of all that is loaded.
 */
async function render(load: Load, make: (site: SiteContent) => ComponentChildren): Promise<ParsedPage> {
  const { createSite } = await load<typeof SiteModule>("site/site.ts");
  const { PageProvider } = await load<typeof ContextModule>("components/page-context.ts");
  const site = smallSite(smallDocument(), "About pots.", createSite);
  const ref: PageRef = { kind: "guide", name: "pots" };
  const value = { site, ref, assets: {}, shownQuestions: new Set<string>() };
  return parsePage("guides/pots.html", renderToString(h(PageProvider, { value }, h("main", {}, make(site)))));
}

const contentOf = (pages: readonly SitePage[], name: string): ComponentChildren =>
  pages.find(({ ref }) => "name" in ref && ref.name === name)?.content();

const row = ({ main }: ParsedPage, begin: string): string =>
  elementsOf(main)
    .filter(({ tagName }) => tagName === "tr" || tagName === "li")
    .map(textOf)
    .find((text) => text.startsWith(begin)) ?? "";

export const checks = {
  async "the server sends the strict policy, whatever a page holds"(load: Load) {
    const { serveSite } = await load<typeof ServerModule>("server/site-server.ts");
    const { pagePolicy } = await load<typeof PolicyModule>("server/policy.ts");
    const folder = mkdtempSync(join(tmpdir(), "site-"));
    const policy = "default-src 'none'; script-src 'sha256-x'";
    mkdirSync(join(folder, "posing"));
    for (const path of ["index.html", "posing/index.html"]) {
      writeFileSync(join(folder, path), `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
    }
    const site = await serveSite({ folder, port: 0 });
    try {
      const answers = await Promise.all(["", "posing/", "none"].map((path) => fetch(`${site.url}/${path}`)));
      const policies = answers.map(({ headers }) => headers.get("content-security-policy"));
      const expected = [pagePolicy, pagePolicy, pagePolicy].map((text) => `${text}; frame-ancestors 'none'`);
      assert.deepEqual(policies, expected);
      assert.doesNotMatch(pagePolicy, /unsafe-inline|http|\*/);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 404],
      );
      assert.equal((await fetch(site.url, { method: "POST" })).status, 405);
    } finally {
      await site.close();
      rmSync(folder, { recursive: true });
    }
  },
  async "everything says where it comes from"(load: Load) {
    const { operationPages } = await load<typeof OperationModule>("pages/operation.tsx");
    const operation = await render(load, (site) => contentOf(operationPages(site), "getPot"));
    assert.match(textOf(withClass(operation.main, "subject")[0]), /Seen in the public reference/);
    assert.match(row(operation, "P902"), /^P902 Proposed 404/);
    assert.match(row(operation, "P901"), /^P901 404/);
    assert.match(row(operation, "glaze"), /^glaze .*Observed/);
    assert.match(row(operation, "Creates: lid"), /Observed$/);
    assert.match(row(operation, "Lid Broken"), /Proposed$/);
    assert.match(row(operation, "id string"), /Sensitive/);
  },
  async "pairs of operations and codes, and values, say where they come from"(load: Load) {
    const { pairsOf } = await load<typeof PairsModule>("components/code-pairs.ts");
    const { CodeOperations } = await load<typeof CodeOperationsModule>("components/code-operations.tsx");
    const { KnownValues } = await load<typeof ValuesModule>("components/known-values.tsx");
    const page = await render(load, (site) => {
      const error = site.contract.errorCodes.find(({ code }) => code === "P902") as ErrorCode;
      const pairs = pairsOf("P902", site.contract);
      return [h(CodeOperations, { error, pairs }), h(KnownValues, { schema: "PotStatus" })];
    });
    assert.match(row(page, "Get Pot"), /^Get Pot Proposed/);
    assert.match(row(page, "BROKEN"), /^BROKEN It is not Proposed/);
    assert.match(row(page, "WHOLE"), /^WHOLE It is whole$/);
  },
  async "links lead to what there is"(load: Load) {
    const { Prose } = await load<typeof ProseModule>("components/prose.tsx");
    const text =
      "See [it](operation:getPot), P901, P999, `P902`, Get Pot, [this](question:Q-pots), [no](operation:no).";
    const { main, hrefs } = await render(load, () => h(Prose, { text }));
    assert.equal(textOf(main), "See it, P901, P999, P902, Get Pot, this, no.");
    const linked = elementsOf(main).filter(({ tagName }) => tagName === "a");
    assert.deepEqual(linked.map(textOf), ["it", "P901", "Get Pot", "this"]);
    for (const path of ["operations/getPot.html", "errors/P901.html", "questions/money.html#q-pots"]) {
      assert.ok(hrefs.has(`../${path}`), `${path} in ${[...hrefs].join(" ")}`);
    }
  },
  async "text of the contract is shown as text"(load: Load) {
    const { InlineProse, Prose } = await load<typeof ProseModule>("components/prose.tsx");
    const { highlight } = await load<typeof HighlightModule>("text/highlight.ts");
    const text = "Pots, <b>bold</b> & <script>round</script> `<pot>` < 5.";
    for (const Component of [Prose, InlineProse]) {
      const { main } = await render(load, () => h(Component, { text }));
      assert.equal(textOf(main), text.replaceAll("`", ""));
      const names = elementsOf(main).map(({ tagName }) => tagName);
      assert.deepEqual(
        names.filter((name) => !["div", "p", "span", "code"].includes(name)),
        [],
      );
    }
    assert.equal(highlight("<b> & c", "text"), "&lt;b> &amp; c");
  },
  async "every open question is shown with its assumption"(load: Load) {
    const { QuestionNotes } = await load<typeof NotesModule>("components/questions.tsx");
    const { questionPages } = await load<typeof QuestionsModule>("pages/questions.tsx");
    const notes = await render(load, () => h(QuestionNotes, { ids: ["Q-pots"] }));
    assert.equal(textOf(notes.main), "How many pots are there? This contract assumes: There is one");
    assert.ok(notes.hrefs.has("../questions/money.html#q-pots"));
    const { main, byId } = await render(load, (site) => contentOf(questionPages(site), "money"));
    assert.ok(byId.has("q-pots"));
    assert.match(
      textOf(main),
      /How many pots are there\? This contract assumes There is one .*Get Pot: response 200 price/,
    );
    const ids = await render(load, (site) => Object.keys(site.questions).join());
    assert.equal(textOf(ids.main), "Q-pots");
  },
};
