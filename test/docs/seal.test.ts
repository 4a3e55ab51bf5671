/** The sealing of pages. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { addPolicy, policyOf, sealPage } from "../../scripts/docs/seal.ts";

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

  test("fetches no logo", () => {
    expect(sealed).not.toContain("cdn.redoc.ly");
  });

  test("has links that work in a new tab", () => {
    expect(sealed).toContain('<a href="#/users">');
    expect(sealed).toContain(' href="/kept"');
  });
});

test("a page is refused when telemetry is on, the logo has moved, or a script is loaded", () => {
  expect(() => sealPage(page.replace("true", "false"))).toThrow("telemetry");
  expect(() => sealPage(page.replace(logo, "elsewhere"))).toThrow("logo");
  expect(() => addPolicy(`${placeholder}<script src="a.js"></script>`)).toThrow("loads a script");
  expect(() => addPolicy("<head></head>")).toThrow("has no");
});
