/** Short checks of the docs: each throws an AssertionError when the pages say or allow something else. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenApiDocument } from "../../scripts/contract/index.ts";
import type * as AnnotateModule from "../../scripts/docs/annotate.ts";
import type * as PageModule from "../../scripts/docs/page.ts";
import type * as ServerModule from "../../scripts/docs/site-server.ts";
import { conditions, questions, smallDocument } from "../docs/small-document.ts";
import type { Load } from "../support/mutants.ts";

const script = 'run({"disableTelemetry":true}, "https://cdn.redoc.ly/redoc/logo-mini.svg")';
const page = `<head><!--content-security-policy--></head><a href="/users"><script type="module">${script}</script>`;

async function annotate(load: Load, guides = ""): Promise<OpenApiDocument> {
  const { annotateDocument } = await load<typeof AnnotateModule>("annotate.ts");
  return annotateDocument(smallDocument(), { questions, conditions, resources: [], guides });
}

const textOf = (node: { description?: string | undefined } | undefined): string => node?.description ?? "";

export const checks = {
  async "a page runs its own script only and connects to nothing"(load: Load) {
    const { policyOf, sealPage } = await load<typeof PageModule>("page.ts");
    const sealed = sealPage(page);
    const [, own = ""] = /<script type="module">(.*)<\/script>/.exec(sealed) ?? [];
    assert.doesNotMatch(own, /cdn\.redoc\.ly/);
    const hash = createHash("sha256").update(own).digest("base64");
    const directives = Object.fromEntries((policyOf(sealed) ?? "").split("; ").map((text) => text.split(/ (.*)/)));
    assert.equal(directives["script-src"], `'sha256-${hash}'`);
    assert.equal(directives["default-src"], "'none'");
    assert.equal(directives["base-uri"], "'none'");
    assert.equal(directives["connect-src"], undefined);
    assert.match(sealed, /href="#\/users"/);
    assert.throws(() => sealPage(`${page}<script src="https://a.example/b.js"></script>`));
    assert.throws(() => sealPage(page.replace("true", "false")));
  },
  async "the server sends the policy of the page, and one that allows nothing with everything else"(load: Load) {
    const { serveSite } = await load<typeof ServerModule>("site-server.ts");
    const folder = mkdtempSync(join(tmpdir(), "site-"));
    const policy = "default-src 'none'; script-src 'sha256-x'";
    const html = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    writeFileSync(join(folder, "index.html"), html);
    const site = await serveSite({ folder, port: 0 });
    try {
      const answers = await Promise.all([fetch(`${site.url}/`), fetch(`${site.url}/none`)]);
      const policies = answers.map(({ headers }) => headers.get("content-security-policy"));
      assert.deepEqual(policies, [`${policy}; frame-ancestors 'none'`, "default-src 'none'; frame-ancestors 'none'"]);
      assert.deepEqual([answers[0]?.status, answers[1]?.status], [200, 404]);
      assert.equal((await fetch(site.url, { method: "POST" })).status, 405);
    } finally {
      await site.close();
      rmSync(folder, { recursive: true });
    }
  },
  async "everything says where it comes from"(load: Load) {
    const { paths, webhooks, components } = await annotate(load);
    assert.match(textOf(paths["/pots/{potId}"]?.get), /mark-reference">Seen in the public reference</);
    assert.match(textOf(webhooks?.potBroken?.post), /mark-proposed">Proposed: to be confirmed</);
    const schemas = (components?.schemas ?? {}) as Record<
      string,
      { properties: Record<string, { description: string }>; description?: string }
    >;
    const [, glaze] = paths["/pots/{potId}"]?.get?.parameters ?? [];
    assert.match(textOf(glaze as { description?: string }), /mark-observed">Seen in a program/);
    assert.match(textOf(paths["/pots/{potId}"]?.get), /_Concerns:_ response 200 `price`/);
    assert.match(textOf(schemas.Pot), /mark-proposed">Proposed: to be confirmed<\/span>\n\nWhich fields/);
    assert.match(textOf(paths["/pots/{potId}"]?.get), /Seen in a program[^<]*<\/span> parameter `glaze`/);
    assert.match(JSON.stringify(schemas.PotStatus), /`BROKEN`: It is not <span class=.{1,40}>Proposed</);
  },
  async "links lead to what the page has"(load: Load) {
    const { info, paths } = await annotate(
      load,
      "See [it](operation:getPot), P901, P999, [all](section:Open questions).",
    );
    const text = textOf(info);
    for (const link of ["[it](#/garden-pots/getpot)", "[P901](#/errors/p901)", ", P999,", "[all](#/open-questions)"]) {
      assert.ok(text.includes(link), `${link} in ${text}`);
    }
    assert.match(textOf(paths["/pots/{potId}"]?.get), /\[Pot Broken\]\(#\/garden-pots\/potbroken\)/);
    assert.match(textOf(paths["/pots/{potId}"]?.get), /Here `P901` is code/);
  },
  async "text of the contract is shown as text"(load: Load) {
    const { tags } = await annotate(load);
    const errors = textOf(tags?.find(({ name }) => name === "Errors"));
    assert.match(errors, /Buy a `<pot>` for &lt; 5\./);
    assert.match(errors, /No pot \\\| P901/);
  },
  async "every open question is shown with its assumption"(load: Load) {
    const { info, paths, tags } = await annotate(load);
    for (const text of [textOf(info), textOf(paths["/pots/{potId}"]?.get)]) {
      assert.match(text, /How many pots are there\? _Assumption:_ There is one\./);
    }
    const section = textOf(tags?.find(({ name }) => name === "Open questions"));
    assert.match(section, /How many pots/);
    assert.doesNotMatch(section, /Is this used/);
  },
};
