/** The pages: what Redocly makes and how it is sealed, and the index. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type OpenApiDocument, UsageError } from "../../scripts/contract/index.ts";
import { renderEdition } from "../../scripts/docs/index.ts";
import { renderIndex } from "../../scripts/docs/index-page.ts";
import { policyOf, sealPage } from "../../scripts/docs/page.ts";
import { conditions, questions, smallDocument } from "./small-document.ts";

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

test("a document that Redocly cannot render is a UsageError that names it", async () => {
  const document = { ...smallDocument(), openapi: "none" } as OpenApiDocument;
  const rendered = renderEdition(
    "test",
    { document, yaml: "", json: "" },
    { registers: { questions, conditions, resources: [] } },
  );
  await expect(rendered).rejects.toThrow(UsageError);
  await expect(rendered).rejects.toThrow("The page of Pots (test) could not be rendered: ");
});

test("a guide that is missing is a UsageError that names it", async () => {
  const bundle = { document: smallDocument(), yaml: "", json: "" };
  const sources = { registers: { questions, conditions, resources: [] }, guidesFolder: "/nowhere" };
  await expect(renderEdition("test", bundle, sources)).rejects.toThrow(UsageError);
  await expect(renderEdition("test", bundle, sources)).rejects.toThrow("/nowhere/getting-started.md");
});

describe("the index", () => {
  const document = { ...smallDocument(), info: { title: "Pots & <pans> (latest)", version: "1.0.0" } };
  // What has no provenance counts as proposed.
  delete document.paths["/pots/{potId}"]?.get?.["x-provenance"];
  const index = renderIndex({ latest: document, test: document }, questions);

  test("escapes the texts of the contract", () => {
    expect(index).toContain("<h1>Pots &amp; &lt;pans&gt; <small>1.0.0</small></h1>");
  });

  test("counts by provenance, and the questions that are used", () => {
    expect(index).toContain('<th scope="row">Operations</th><td>1</td><td>0</td><td>0</td><td>0</td><td>1</td>');
    expect(index).toContain('<th scope="row">P-codes</th><td>2</td><td>1</td><td>1</td><td>0</td><td>0</td>');
    expect(index).toContain("<p>1 open questions.</p>");
  });

  test("runs no script and loads nothing", () => {
    expect(policyOf(index)).toContain("default-src 'none'; script-src 'none'");
  });
});
