import { posix } from "node:path";
import { Marked, type Token } from "marked";
import { parseFragment } from "parse5";
import { beforeAll, describe, expect, test } from "vitest";
import { editions, UsageError } from "../../scripts/base/index.ts";
import { redocName, slugOf } from "../../scripts/site/content/pages.ts";
import { siteAddress } from "../../scripts/site/content/site-address.ts";
import { planSite, type SiteFiles } from "../../scripts/site/index.ts";
import { feedPath, renderFeed } from "../../scripts/site/machine/feed.ts";
import { renderMarkdownPages } from "../../scripts/site/machine/markdown-pages.ts";
import { parsePages } from "../../scripts/site/machine/parsed-html.ts";
import { renderSitemap } from "../../scripts/site/machine/sitemap.ts";
import { bundles, sources } from "../support/contract.ts";
import { attribute, type Element, rawText } from "./parsed-page.ts";
import { htmlOf, longestPages, renderedSite, textsOf } from "./rendered-site.ts";
import { site } from "./whole-site.ts";

const markdownParser = new Marked();
let files: SiteFiles;

beforeAll(async () => {
  files = await renderedSite();
});

describe("the Markdown pages", () => {
  test("exist beside every page", () => {
    const pathsWithout = (extension: string) =>
      [...textsOf(files, extension).keys()].map((path) => path.slice(0, -extension.length));
    expect(pathsWithout(".md").sort()).toEqual(pathsWithout(".html").sort());
  });

  test("link to existing Markdown pages and files only", () => {
    const markdownPages = textsOf(files, ".md");
    expect(markdownPages.size).toBeGreaterThan(170);
    expect(markdownLinkComplaints(files, markdownPages)).toEqual([]);
  });

  test("have the words of their pages in the same order", () => {
    const pages = [...longestPages(files).values()];
    expect(pages.length).toBeGreaterThan(15);
    const markdownOf = (path: string) => htmlOf(files, path.replace(/html$/, "md"));
    expect(pages.flatMap((path) => wordComplaints(path, htmlOf(files, path), markdownOf(path)))).toEqual([]);
  });
});

describe("a Markdown page", () => {
  const markdownOf = async (content: string) => {
    const pages = { "a.html": `<main>${content}</main>`, "errors/b.html": "<main></main>" };
    const markdownPages = await renderMarkdownPages(parsePages(pages));
    return markdownPages["a.md"]?.trimEnd();
  };

  test.each([
    [
      "code with its language",
      `<figure class="code" data-language="json"><figcaption>Body</figcaption><pre><code>{<span class="x">1</span> &lt; 2}</code></pre></figure>`,
      "Body:\n\n```json\n{1 < 2}\n```",
    ],
    [
      "code that has a fence",
      `<figure class="code" data-language="text"><pre><code>\`\`\`</code></pre></figure>`,
      "````text\n```\n````",
    ],
    [
      "a table, with lists and bars in its cells",
      `<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><th><code>x|y</code></th><td><ul><li>1</li><li>2</li></ul></td></tr></tbody></table>`,
      "| A | B |\n| --- | --- |\n| `x\\|y` | 1<br/>2 |",
    ],
    [
      "a list of terms",
      `<dl><div><dt>A</dt><dd>is 1</dd></div><dt>B</dt><dd><p>is 2</p><p>or 3</p></dd></dl>`,
      "- A: is 1\n- B: is 2\n\n  or 3",
    ],
    [
      "lists in lists and behind each other",
      `<ul><li>a<ol><li>b</li></ol></li></ul><ul><li>c</li></ul>`,
      "- a\n  1. b\n\n- c",
    ],
    ["what opens on demand", `<details><summary>More</summary><p>Words</p></details>`, "**More**\n\nWords"],
    [
      "signs that mean nothing",
      `<p>a*b_c_ [d] &lt;e&gt; &amp;amp; <strong> f </strong></p><p>- g</p><p>1. h</p>`,
      "a\\*b_c\\_ \\[d\\] \\<e> \\&amp; **f**\n\n\\- g\n\n1\\. h",
    ],
    ["no picture and nothing that leads through the site", `<nav>x</nav><svg><title>x</title></svg><p>a</p>`, "a"],
    [
      "links to other Markdown pages",
      `<a href="errors/b.html#c">b</a> <a href="#c">c</a> <a href="openapi.yaml">y</a> <a href="https://a.example/b.html">z</a>`,
      "[b](errors/b.md) c [y](openapi.yaml) [z](https://a.example/b.html)",
    ],
  ])("contains %s", async (_, html, markdown) => {
    expect(await markdownOf(html)).toBe(markdown);
  });

  test("is not made from a truncated page", async () => {
    const pages = renderMarkdownPages(parsePages({ "a.html": "<main><p>a</p>" }));
    await expect(pages).rejects.toThrow("The page a.html has no main element.");
  });
});

describe("llms.txt", () => {
  test("names every guide, operation, webhook and code, and links every page", () => {
    const text = htmlOf(files, "llms.txt");
    expect(text).toMatch(/^# .+\n\n> .+\n\n/);
    const { operations, webhooks, errorCodes } = site.contract;
    const names = [
      ...site.guides.map(({ title }) => title),
      ...operations.flatMap(({ operationId, summary, path }) => [operationId, summary, path]),
      ...webhooks.flatMap(({ name, summary }) => [name, summary]),
      ...errorCodes.map(({ code, meaning }) => `${code} ${meaning}`),
    ];
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
    const linkedPages = new Set([...text.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, href]) => href));
    const markdownPages = [...textsOf(files, ".md").keys()];
    expect(markdownPages.filter((path) => !linkedPages.has(path))).toEqual(["404.md"]);
    const proposedOperations = operations.filter(({ provenance }) => provenance === "proposed");
    expect(text.split("(proposed, edition test)")).toHaveLength(proposedOperations.length + 1);
  });

  test("has one line for each existing file", () => {
    const lists = textsOf(files, "llms.txt");
    expect(markdownLinkComplaints(files, lists)).toEqual([]);
    for (const text of lists.values()) {
      const [, list = ""] = text.split(/^## Guides$/m);
      for (const line of list.split("\n").filter((line) => line.startsWith("- "))) {
        expect(line).toMatch(/^- \[[^\]]+\]\([^)]+\): \S.*$/);
      }
    }
  });

  test("begins with how to call; the few files it links contain every page, each short enough for a language model", () => {
    const [, howToCall = ""] = htmlOf(files, "llms.txt").split("\n## ");
    const { operations, errorCodes } = site.contract;
    const depositSummary = operations.find(({ address }) => address !== "base_url")?.summary ?? "";
    const words = ["`x-api-key`", "`http://127.0.0.1:4010`", "`errorCode`", "idempotency", "`Authorization`"];
    expect([depositSummary, ...words].filter((word) => !howToCall.includes(word))).toEqual([]);
    const codesOf = (status: number) =>
      howToCall
        .split("\n- ")
        .flatMap((line) => (line.includes(`HTTP ${status}`) ? (line.match(/(?<=\[)P\d+/g) ?? []) : []));
    const serviceCodes = errorCodes.filter(({ code }) => code.startsWith("P5"));
    expect(codesOf(400)).toEqual(serviceCodes.map(({ code }) => code));
    expect(codesOf(202)).toEqual(errorCodes.filter(({ status }) => status === 202).map(({ code }) => code));
    const joinedTexts = [...textsOf(files, ".txt")].filter(([path]) => path.startsWith("llms/"));
    const allText = joinedTexts.map(([, text]) => text).join("\n");
    const missingPages = [...textsOf(files, ".md")].filter(
      ([path, text]) => !allText.includes(`<!-- ${path} -->\n\n${text}`),
    );
    expect(missingPages.map(([path]) => path)).toEqual(["404.md"]);
    // About 25,000 tokens, because a token has about four characters.
    expect(joinedTexts.filter(([, text]) => text.length > 100_000).map(([path]) => path)).toEqual([]);
    expect(joinedTexts.map(([path]) => path)).toEqual(
      expect.arrayContaining(["llms/guides-1.txt", "llms/guides-2.txt"]),
    );
    expect(joinedTexts.filter(([path]) => !htmlOf(files, "llms.txt").includes(`](${path})`))).toEqual([]);
    expect(htmlOf(files, "llms.txt") + allText).not.toMatch(/\{mark:/);
  });
});

test("every operation has its own OpenAPI document without external references", () => {
  const complaints = site.contract.operations.flatMap(({ operationId, path, method }) => {
    const slice = JSON.parse(htmlOf(files, `operations/${operationId}.openapi.json`));
    const refs = JSON.stringify(slice).match(/(?<=")#\/[^"]+/g) ?? [];
    const lostRefs = refs.filter((ref) => {
      const keys = ref.slice(2).split("/");
      return keys.reduce((node, key) => node?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], slice) === undefined;
    });
    const isAlone = Object.keys(slice.paths).join() === path && slice.paths[path][method].operationId === operationId;
    return [...lostRefs, ...(isAlone ? [] : [operationId])];
  });
  expect(complaints).toEqual([]);
});

describe("the root folder", () => {
  test("has a sitemap of exactly the pages, with absolute addresses", () => {
    const listedAddresses = [...htmlOf(files, "sitemap.xml").matchAll(/<loc>([^<]*)<\/loc>/g)].map(
      ([, address]) => address,
    );
    const pages = [...textsOf(files, ".html").keys()].filter((path) => path !== "404.html");
    const { url } = siteAddress(undefined);
    expect(listedAddresses.sort()).toEqual(pages.map((path) => url + path).sort());
    expect(files["robots.txt"]).toContain(`Sitemap: ${url}sitemap.xml\n`);
    expect(renderSitemap("https://a.example/b/", ["c&d.html"], "2026-03-01")).toContain(
      "<loc>https://a.example/b/c&amp;d.html</loc><lastmod>2026-03-01</lastmod>",
    );
  });

  test("has a feed of the versions, with absolute links and the dates of the changelog", () => {
    const changelog =
      "# Changelog\n\n## Unreleased\n\nSoon.\n\n## 0.2.0 (2026-12-01)\n\nNew.\n\n## 0.1.0 (2026-11-22)\n\nOld.\n";
    const section = (id: string, text: string) => `<section><h2 id="${id}">v</h2><p>${text}</p></section>`;
    const html = [
      section("version-unreleased", "Soon."),
      section("version-0-2-0-2026-12-01", 'New: <a href="../errors/P433.html">P433</a> &amp; more.'),
      section("version-0-1-0-2026-11-22", "Old."),
    ].join("");
    const feed = renderFeed("https://docs.example/wallet/", { ...site, changelog }, html);
    expect([...feed.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, day]) => day?.slice(0, 10))).toEqual([
      ...["2026-12-01", "2026-12-01", "2026-11-22"],
    ]);
    expect(feed).toContain("href=&quot;https://docs.example/wallet/errors/P433.html&quot;");
    expect(feed).toContain("&amp;amp; more.");
    expect(feed).not.toContain("Soon.");
    expect(feed).toContain("<id>https://docs.example/wallet/about/changelog.html#version-0-1-0-2026-11-22</id>");
    expect(files[feedPath]).toContain("<title>Partner Account and Wallet API 0.1.0</title>");
    expect(() => renderFeed("https://docs.example/", { ...site, changelog }, html.replace("0-1-0", "0-1"))).toThrow(
      "has no section version-0-1-0-2026-11-22",
    );
  });

  test("has the questionnaire with every question, as text and as CSV", () => {
    const [text, table] = ["txt", "csv"].map((ending) => String(files[`questions/questionnaire.${ending}`]));
    for (const id of Object.keys(site.questions)) {
      expect(text).toContain(`- ${id}, for the `);
      expect(table).toMatch(new RegExp(`^${id},`, "m"));
    }
  });

  test.each([
    [undefined, "https://docs.wallet-service.example/", "/", false],
    ["", "https://docs.wallet-service.example/", "/", false],
    ["https://docs.example/wallet", "https://docs.example/wallet/", "/wallet/", true],
    ["https://docs.example/wallet/", "https://docs.example/wallet/", "/wallet/", true],
  ])("accepts the site address %s", (siteUrl, url, base, isKnown) => {
    expect(siteAddress(siteUrl)).toEqual({ url, base, isKnown });
  });

  test.each(["docs.example", "ftp://docs.example/", "https://docs.example/?a", "/wallet/"])(
    "refuses the site address %s",
    (siteUrl) => {
      expect(() => siteAddress(siteUrl)).toThrow(UsageError);
    },
  );
});

test("every page links its Markdown page, and has a canonical address only when the site address is known", () => {
  const html = htmlOf(files, "errors/P459.html");
  expect(html).toContain('<link rel="alternate" href="P459.md" type="text/markdown"/>');
  expect(html).not.toMatch(/rel="canonical"|og:image|robots/);
});

test("pages of an old version are labelled, link to the current version, and are hidden from search engines", async () => {
  const input = { bundles: await bundles(), registers: sources.registers() };
  const plan = await planSite(input, { siteUrl: "https://docs.example/0.1.0/", isArchived: true });
  const html = plan.renderers.get("errors/P459.html")?.() ?? "";
  const { version } = site.contract.document.info;
  expect(html).toContain(`These pages are of version ${version}. <a href="../../index.html">The current version</a>`);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toContain('<link rel="canonical" href="https://docs.example/0.1.0/errors/P459.html"/>');
  expect(html).toMatch(/property="og:image" content="https:\/\/docs\.example\/0\.1\.0\/assets\/preview\.\w+\.png"/);
  expect(plan.renderers.get("404.html")?.()).toContain('<a href="/0.1.0/../index.html">The current version</a>');
});

/** The links that lead to another host, to no file or heading, or to a page instead of its Markdown file. */
function markdownLinkComplaints(files: SiteFiles, texts: Map<string, string>) {
  return [...texts].flatMap(([path, text]) =>
    [...new Set(linksIn(text))].flatMap((href) => {
      const [file = "", anchor] = href.split("#");
      const target = posix.join(posix.dirname(path), file);
      if (/^[a-z]+:/.test(href)) return [`${path}: ${href} leads to another host`];
      const headings = String(files[target] ?? "").match(/^#+ .*$/gm) ?? [];
      if (
        anchor !== undefined &&
        !headings.some((heading) => slugOf(heading.replace(/^#+ |\]\([^)]*\)/g, "")) === anchor)
      )
        return [`${path}: ${href} leads to no heading`];
      if (target.endsWith(".html") && files[target] !== undefined)
        return [`${path}: ${href} leads to no Markdown page`];
      // The build makes Redoc's pages beside the site.
      const isFile = files[target] !== undefined || editions.map(redocName).includes(target);
      return isFile ? [] : [`${path}: ${href} leads to no file`];
    }),
  );
}

function linksIn(text: string): string[] {
  const links: string[] = [];
  markdownParser.walkTokens(markdownParser.lexer(text), (token: Token) => {
    if (token.type === "link") links.push(token.href);
  });
  return links;
}

function wordComplaints(path: string, html: string, markdown: string): string[] {
  const pageWords = wordsOf(html.slice(html.indexOf("<main"), html.indexOf("</main>")));
  // An HTML page marks open questions by their style instead of these words.
  const actualWords = wordsOf(
    markdownParser.parse(markdown.replaceAll("Open question: ", "").replace(/^Contract .*, edition.*$/m, ""), {
      async: false,
    }),
  );
  const index = pageWords.findIndex((word, position) => word !== actualWords[position]);
  if (index < 0 && pageWords.length === actualWords.length) return [];
  const wordsAround = (words: string[]) => words.slice(Math.max(0, index - 5), index + 5).join(" ");
  return [`${path}: the page says "${wordsAround(pageWords)}", its Markdown page "${wordsAround(actualWords)}"`];
}

function wordsOf(html: string): string[] {
  const isRead = (element: Element) =>
    element.tagName !== "nav" && element.tagName !== "svg" && attribute(element, "hidden") === undefined;
  return rawText(parseFragment(html), isRead).match(/[\p{L}\p{N}]+/gu) ?? [];
}
