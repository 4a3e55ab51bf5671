import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, posix } from "node:path";
import { renderToString } from "preact-render-to-string";
import { projectRoot } from "../base/index.ts";
import { installCommandPattern } from "./check.ts";
import { PageProvider } from "./components/page-context.ts";
import { fillParts } from "./content/guide-form.ts";
import { memoizeByKey } from "./content/memoize.ts";
import { pathOf } from "./content/pages.ts";
import type { SiteContent } from "./content/site.ts";
import { toMarkdown } from "./machine/markdown.ts";
import { GuideBlock } from "./pages/guide-block.tsx";

/** @returns the text that each guide should have, by its path in the repository. */
export function fillGuides(site: SiteContent): Record<string, string> {
  return Object.fromEntries(
    site.guides.map(({ name }) => {
      const path = `openapi/guides/${name}.md`;
      const text = readFileSync(`${projectRoot}/${path}`, "utf8");
      const filledText = fillParts(text, (call) => renderBlock(call, name, site));
      return [path, filledText.replace(installCommandPattern, site.install)];
    }),
  );
}

function renderBlock(call: string, name: string, site: SiteContent): string {
  const html = renderToString(
    <PageProvider value={{ site, ref: { kind: "guide", name }, assets: {} }}>
      <GuideBlock call={call} />
    </PageProvider>,
  );
  const markdown = toMarkdown(html, (href) => (href.startsWith("#") ? undefined : fileLink(href, site)));
  return markdown.trim();
}

/**
 * Undefined if the page has no source file.
 *
 * @param href a path relative to the site's guides, or an absolute URL, which is returned as it is.
 */
function fileLink(href: string, site: SiteContent): string | undefined {
  const [page = "", anchor] = href.split("#");
  if (/^[a-z]+:/.test(page)) return href;
  const path = posix.join("guides", page);
  if (path.startsWith("questions/") && anchor !== undefined) {
    const id = Object.keys(site.questions).find((candidate) => candidate.toLowerCase() === anchor);
    return id && `../open-questions.yaml#${id}`;
  }
  return filesOf(site).get(path);
}

const filesOf = memoizeByKey(({ contract, guides }: SiteContent): Map<string, string> => {
  const pairsOfPathAndFile = (
    kind: "error" | "lifecycle" | "webhook" | "guide",
    names: string[],
    sourceOf: (name: string) => string,
  ) => names.map((name) => [pathOf({ kind, name }), sourceOf(name)] as const);
  return new Map([
    ...contract.operations.map(({ name }) => [pathOf({ kind: "operation", name }), fileLinkOf(name)] as const),
    ...pairsOfPathAndFile(
      "webhook",
      contract.webhooks.map(({ name }) => name),
      (name) => `../webhooks/${name}.yaml`,
    ),
    ...pairsOfPathAndFile(
      "error",
      contract.errorCodes.map(({ code }) => code),
      (name) => `../errors.yaml#${name}`,
    ),
    ...pairsOfPathAndFile(
      "lifecycle",
      contract.resources.map(({ name }) => name),
      (name) => `../resources.yaml#${name}`,
    ),
    ...pairsOfPathAndFile(
      "guide",
      guides.map(({ name }) => name),
      (name) => `${name}.md`,
    ),
  ]);
});

/**
 * Relative to the guides. The name of a file with several operations contains all their names, separated by hyphens. The link to such a
 * file ends with the name of the operation as a fragment.
 */
function fileLinkOf(operationId: string): string {
  const folder = `${projectRoot}/openapi/paths`;
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const file = files.find((path) => basename(path, ".yaml").split("-").includes(operationId)) ?? "";
  const isShared = basename(file, ".yaml") !== operationId;
  return `../paths/${file.replaceAll("\\", "/")}${isShared ? `#${operationId}` : ""}`;
}
