/** Makes a page that asks no other host for anything, and lets the browser enforce that. */
import { createHash } from "node:crypto";

/** Where the template of the page wants its Content-Security-Policy. */
const placeholder = "<!--content-security-policy-->";

/** The two images that Redoc would fetch for its signature in the side bar, and what stands there instead. */
const logo = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;
const wordmark = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="14"><text x="0" y="11" font-family="sans-serif" font-size="12" font-weight="bold" fill="#5b6472">Redoc</text></svg>',
).toString("base64")}`;

/**
 * Seals a page made by Redocly: takes out the addresses of images that it would fetch, and adds a
 * Content-Security-Policy that allows the page's own scripts only, each by its hash, and no connection at all.
 *
 * @throws {Error} when the page is not what this expects, which an update of Redocly can bring about.
 */
export function sealPage(html: string): string {
  if (!html.includes('"disableTelemetry":true')) throw new Error("Redoc's telemetry of readers is not switched off.");
  const withoutLogo = html.replace(logo, wordmark);
  if (withoutLogo === html) throw new Error("Redoc's logo is not where it was: look for what it fetches now.");
  return addPolicy(addressWithinPage(withoutLogo));
}

/**
 * Redoc prerenders the links of its side bar as `/users` and follows them as `#/users`, which fails when one is opened in
 * a new tab. What comes before its script is the prerendered part.
 */
function addressWithinPage(html: string): string {
  const start = html.indexOf('<script type="module">');
  return html.slice(0, start).replaceAll(' href="/', ' href="#/') + html.slice(start);
}

/**
 * Puts the Content-Security-Policy of a page in the place that the page has for it.
 *
 * @param html a page with `<!--content-security-policy-->` in its head.
 */
export function addPolicy(html: string): string {
  if (!html.includes(placeholder)) throw new Error(`The page has no ${placeholder}.`);
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
  const outside = scripts.find(([, attributes = ""]) => /\bsrc=/.test(attributes));
  if (outside !== undefined) throw new Error(`The page loads a script: ${outside[0]}`);
  const hashes = scripts.map(([, , text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  const policy = [
    "default-src 'none'",
    `script-src ${hashes.length > 0 ? hashes.join(" ") : "'none'"}`,
    // Redoc writes its styles at run time. With nothing to connect to, a style can send nothing anywhere.
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace(placeholder, `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
}

/** The Content-Security-Policy that a page carries, or undefined. */
export function policyOf(html: string): string | undefined {
  return /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1];
}
