import { expect, test } from "vitest";
import { renderMarkdownPages } from "../../scripts/site/machine/markdown-pages.ts";
import { parsePages } from "../../scripts/site/machine/parsed-html.ts";

const makePage = (main: string) =>
  `<!DOCTYPE html><body><header title="<main>">Header</header><main id="content">${main}</main></body>`;
const markdownOf = async (main: string) =>
  (await renderMarkdownPages(parsePages({ "a/page.html": makePage(main) })))["a/page.md"];

test("code keeps its language, label and text, in whatever order the attributes stand", async () => {
  const code = '<code><span class="hljs-string">a &lt;b&gt;</span>\n```\n&lt;/main&gt;</code>';
  expect(
    await markdownOf(
      `<figure data-language='sh' class="code wide"><figcaption>Body: <b>x</b></figcaption><pre tabindex=0>${code}</pre></figure>`,
    ),
  ).toBe("Body **x**:\n\n````sh\na <b>\n```\n</main>\n````\n");
});

test("the entries of a list of questions are called so", async () => {
  expect(await markdownOf('<UL class="questions" id="q"><li id="a">Is it?<ul><li>Yes</li></ul></li></UL>')).toBe(
    "- Open question: Is it?\n  - Yes\n",
  );
});

test("a link keeps the anchor of a heading that Markdown viewers know, whatever the heading contains", async () => {
  const pages = {
    "index.html": makePage('<p><a href="a/page.html#two-words">x</a> <a href="a/page.html#other">y</a></p>'),
    "a/page.html": makePage("<h2 class=x id='two-words'>Two <code title='>'>words</code></h2><h3 id=other>Else</h3>"),
  };
  expect((await renderMarkdownPages(parsePages(pages)))["index.md"]).toBe("[x](a/page.md#two-words) [y](a/page.md)\n");
});

test("a page without a main element is refused", async () => {
  await expect(renderMarkdownPages(parsePages({ "a.html": "<p>words</p>" }))).rejects.toThrow(
    "a.html has no main element",
  );
});
