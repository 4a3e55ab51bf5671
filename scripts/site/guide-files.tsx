/** Writes the generated parts of the guides, and the line that installs the package, into their files. */
import { readFileSync } from "node:fs";
import { renderToString } from "preact-render-to-string";
import { projectRoot } from "../contract/model/index.ts";
import { anyInstall } from "./check.ts";
import { GuideBlock } from "./components/guide-block.tsx";
import { PageProvider } from "./components/page-context.ts";
import { toMarkdown } from "./machine/markdown.ts";
import { fileLink, fillParts } from "./site/guide-form.ts";
import type { SiteContent } from "./site/site.ts";

/** @returns the text that each guide should have, by its path in the repository. */
export function fillGuides(site: SiteContent): Record<string, string> {
  return Object.fromEntries(
    site.guides.map(({ name }) => {
      const path = `openapi/guides/${name}.md`;
      const text = readFileSync(`${projectRoot}/${path}`, "utf8");
      const filled = fillParts(text, (call) => partOf(call, name, site));
      return [path, filled.replace(anyInstall, site.install)];
    }),
  );
}

function partOf(call: string, name: string, site: SiteContent): string {
  const html = renderToString(
    <PageProvider value={{ site, ref: { kind: "guide", name }, assets: {} }}>
      <main>
        <GuideBlock call={call} />
      </main>
    </PageProvider>,
  );
  const markdown = toMarkdown(call, html, (href) => (href.startsWith("#") ? undefined : fileLink(href, site)));
  return markdown.trim();
}
