/** The single page: what Redocly makes, and how it is sealed. */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type OpenApiDocument, UsageError } from "../../scripts/contract/index.ts";
import { policyOf } from "../../scripts/docs/server/policy.ts";
import { renderSinglePage, sealPage } from "../../scripts/docs/single-page/page.ts";
import { smallDocument } from "./small-document.ts";

const placeholder = "<!--content-security-policy-->";
const logo = "https://cdn.redoc.ly/redoc/logo-mini.svg";
const page = `<head>${placeholder}</head><a href="/users">Users</a>
<script type="module">run({"disableTelemetry":true}, "${logo}", ' href="/kept"')</script>`;

describe("a sealed page", () => {
  const sealed = sealPage(page);

  test("allows its own script by its hash and no connection", () => {
    const script = /<script type="module">(.*)<\/script>/.exec(sealed)?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    expect(policyOf(sealed)).toContain("default-src 'none'");
    expect(policyOf(sealed)).toContain(`script-src 'sha256-${hash}';`);
    expect(policyOf(sealed)).not.toContain("connect-src");
    expect(policyOf(sealed)).not.toMatch(/script-src[^;]*unsafe/);
  });

  test("loads no logo", () => {
    expect(sealed).not.toContain("cdn.redoc.ly");
  });

  test("has links that work in a new tab", () => {
    expect(sealed).toContain('<a href="#/users">');
    expect(sealed).toContain(' href="/kept"');
  });
});

test.each([
  ["its telemetry is on", page.replace("true", "false"), "telemetry"],
  ["its logo has moved", page.replace(logo, "elsewhere"), "logo"],
  ["it loads a script", `${page}<script src="a.js"></script>`, "loads a script"],
  ["it has no place for its policy", page.replace(placeholder, ""), "has no"],
])("a page is refused when %s", (_, html, message) => {
  expect(() => sealPage(html)).toThrow(message);
});

describe("the page of a contract", () => {
  const document = smallDocument();
  let html: string;

  beforeAll(async () => {
    html = await renderSinglePage(document);
  });

  test("shows the texts of the contract as they are", () => {
    const [, shown = ""] = /const __redoc_definition = (.*);\n/.exec(html) ?? [];
    // Without what Redoc adds for itself.
    expect(JSON.parse(shown)).toMatchObject({ paths: document.paths, info: document.info });
  });

  test("leads back to the reference and to the files beside it, and loads nothing", () => {
    const outside = html.replace(/<script\b[\s\S]*?<\/script>/g, "").replace(/<div id="redoc">[\s\S]*<\/div>/, "");
    const links = [...outside.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
    expect(new Set(links)).toEqual(new Set(["../index.html", "../openapi.yaml", "../openapi.json"]));
    expect(html).not.toMatch(/<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)="(?!data:)/);
    expect(html).not.toContain("cdn.redoc.ly");
  });
});

test("a document that Redocly cannot render is a UsageError that names it", async () => {
  const rendered = renderSinglePage({ ...smallDocument(), openapi: "none" } as OpenApiDocument);
  await expect(rendered).rejects.toThrow(UsageError);
  await expect(rendered).rejects.toThrow("The single page of Pots (test) could not be rendered: ");
});
