/** Makes the single page of an edition with Redocly, and seals it, so that it cannot request anything from any host. */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { x } from "tinyexec";
import { type OpenApiDocument, UsageError } from "../../contract/index.ts";

const redoclyCommand = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
const configFile = join(import.meta.dirname, "redoc.yaml");
const templateFile = join(import.meta.dirname, "page.hbs");

/** Switches off Redocly's report on its use, its request for updates, and the reports of pages on their readers. */
const environment = {
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  REDOCLY_SUPPRESS_NOTIFICATIONS: "true",
  NO_COLOR: "1",
};

/**
 * The whole contract on one page, plainly as Redocly shows it: one HTML file with everything in it, whose links expect it at
 * `<edition>/single-page/index.html`. What Redocly prints (among other things a banner on Node
 * 20) is shown only when it fails.
 *
 * @throws {UsageError} when Redocly fails.
 */
export async function renderSinglePage(document: OpenApiDocument): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "docs-page-"));
  try {
    const input = join(folder, "openapi.json");
    const output = join(folder, "index.html");
    await writeFile(input, JSON.stringify(document));
    const { title } = document.info;
    const options = ["--inlineBundle", "--config", configFile, "--template", templateFile, "--title", title];
    const { exitCode, stdout, stderr } = await x(
      process.execPath,
      [redoclyCommand, "build-docs", input, "--output", output, ...options],
      { nodeOptions: { cwd: folder, env: environment } },
    );
    if (exitCode !== 0) {
      throw new UsageError(`The single page of ${title} could not be rendered: ${stderr.trim() || stdout.trim()}`);
    }
    return sealPage(await readFile(output, "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the template of the page wants its Content-Security-Policy. */
const placeholder = "<!--content-security-policy-->";

/** The two images that Redoc would load for its signature in the side bar, and what replaces them. */
const logo = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;
const wordmark = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="14"><text x="0" y="11" font-family="sans-serif" font-size="12" font-weight="bold" fill="#5b6472">Redoc</text></svg>',
).toString("base64")}`;

/**
 * Seals a page made by Redocly: replaces the images that it would load, and adds a Content-Security-Policy that allows
 * only the scripts of the page, each by its hash, and no connection at all.
 *
 * @throws {Error} when the page is not as expected, which an update of Redocly can cause.
 */
export function sealPage(html: string): string {
  if (!html.includes('"disableTelemetry":true')) throw new Error("Redoc's telemetry of readers is not switched off.");
  const withoutLogo = html.replace(logo, wordmark);
  if (withoutLogo === html) throw new Error("Redoc's logo has moved. Check what the page loads now.");
  return addPolicy(linkWithinPage(withoutLogo));
}

/**
 * Redoc renders the links of its side bar as `/users` and follows them as `#/users`, so one that is opened in a new tab
 * leads nowhere. What precedes its script is the rendered part.
 */
function linkWithinPage(html: string): string {
  const start = html.indexOf('<script type="module">');
  return html.slice(0, start).replaceAll(' href="/', ' href="#/') + html.slice(start);
}

function addPolicy(html: string): string {
  if (!html.includes(placeholder)) throw new Error(`The page has no ${placeholder}.`);
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
  const outside = scripts.find(([, attributes = ""]) => /\bsrc=/.test(attributes));
  if (outside !== undefined) throw new Error(`The page loads a script: ${outside[0]}`);
  const hashes = scripts.map(([, , text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  const policy = [
    "default-src 'none'",
    `script-src ${hashes.join(" ")}`,
    // Redoc writes its styles at run time. Without a connection a style cannot send anything to another host.
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace(placeholder, `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
}
