/** A guide is readable where it lies: it links files and contains its generated parts. The site reads links to pages and calls of blocks. */
import { existsSync, readdirSync } from "node:fs";
import { basename, posix } from "node:path";
import { projectRoot } from "../../contract/model/index.ts";
import { memoizeByKey } from "./memoize.ts";
import { pathOf } from "./pages.ts";
import type { SiteContent } from "./site.ts";

const code = /(^```[\s\S]*?^```$|`[^`\n]*`)/m;

/** A generated part: `<!-- codes getPot -->`, lines that `npm run guides` writes, `<!-- /codes -->`. */
const generatedPart = /^<!-- ([\w-]+)((?: [^>\n]*?)?) -->\n([\s\S]*?)^<!-- \/\1 -->$/gm;

/** Turns links to files into links to pages, marks into `{mark:…}` and generated parts into `{{…}}`. Lines keep their numbers. */
export function siteForm(text: string): string {
  const called = text.replace(generatedPart, (_, name: string, words: string, lines: string) => {
    return `{{${name}${words}}}${"\n".repeat(lines.split("\n").length)}`;
  });
  return called
    .split(code)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      return part
        .replace(/\]\(([^)\s]+)\)/g, (link, path: string) => pageLink(path, link))
        .replace(/_\((\w+)\)_/g, "{mark:$1}");
    })
    .join("");
}

function pageLink(link: string, otherwise: string): string {
  const [path = "", anchor] = link.split("#");
  const name = basename(path).replace(/\.\w+$/, "");
  const to = (target: string) => `](${target})`;
  if (/^[\w-]+\.md$/.test(path)) return to(`guide:${name}${anchor === undefined ? "" : `#${anchor}`}`);
  if (path.startsWith("../paths/")) return to(`operation:${anchor ?? name}`);
  if (path.startsWith("../webhooks/")) return to(`webhook:${name}`);
  if (anchor === undefined) return otherwise;
  const kind = { "../open-questions.yaml": "question", "../errors.yaml": "error", "../resources.yaml": "lifecycle" }[
    path
  ];
  return kind === undefined ? otherwise : to(`${kind}:${anchor}`);
}

/** Replaces the text of each generated part. @param render makes the text from the call, such as `codes getPot`. */
export function fillParts(text: string, render: (call: string) => string): string {
  return text.replace(generatedPart, (_, name: string, words: string) => {
    return `<!-- ${name}${words} -->\n${render(name + words)}\n<!-- /${name} -->`;
  });
}

/** The guide without the text of its generated parts, which no reader of the folder `openapi/` needs. */
export const withoutParts = (text: string): string => fillParts(text, () => "");

/** The link from a guide to the file that a page shows; undefined where none does. @param href a path relative to the site's guides. */
export function fileLink(href: string, site: SiteContent): string | undefined {
  const [page = "", anchor] = href.split("#");
  if (/^[a-z]+:/.test(page)) return href;
  const path = posix.join("guides", page);
  if (path.startsWith("questions/") && anchor !== undefined) {
    const id = Object.keys(site.questions).find((one) => one.toLowerCase() === anchor);
    return id && `../open-questions.yaml#${id}`;
  }
  return filesOf(site).get(path);
}

const filesOf = memoizeByKey(({ contract, guides }: SiteContent): Map<string, string> => {
  const named = (kind: "error" | "lifecycle" | "webhook" | "guide", names: string[], to: (name: string) => string) =>
    names.map((name) => [pathOf({ kind, name }), to(name)] as const);
  return new Map([
    ...contract.operations.map(({ name }) => [pathOf({ kind: "operation", name }), fileOf(name)] as const),
    ...named(
      "webhook",
      contract.webhooks.map(({ name }) => name),
      (name) => `../webhooks/${name}.yaml`,
    ),
    ...named(
      "error",
      contract.errorCodes.map(({ code }) => code),
      (name) => `../errors.yaml#${name}`,
    ),
    ...named(
      "lifecycle",
      contract.resources.map(({ name }) => name),
      (name) => `../resources.yaml#${name}`,
    ),
    ...named(
      "guide",
      guides.map(({ name }) => name),
      (name) => `${name}.md`,
    ),
  ]);
});

/** A file of several operations has all their names, with hyphens between. */
function fileOf(operationId: string): string {
  const folder = `${projectRoot}/openapi/paths`;
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const file = files.find((path) => basename(path, ".yaml").split("-").includes(operationId)) ?? "";
  const isShared = basename(file, ".yaml") !== operationId;
  return `../paths/${file.replaceAll("\\", "/")}${isShared ? `#${operationId}` : ""}`;
}
