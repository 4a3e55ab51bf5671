/** Converts the form of guides in the repository, whose links and generated parts are readable there, to the form that the site reads. */
import { basename } from "node:path";

const codePattern = /(^```[\s\S]*?^```$|`[^`\n]*`)/m;

/** A generated part: `<!-- codes getPot -->`, lines that `npm run guides` writes, `<!-- /codes -->`. */
const generatedPartPattern = /^<!-- ([\w-]+)((?: [^>\n]*?)?) -->\n([\s\S]*?)^<!-- \/\1 -->$/gm;

/** Turns links to files into links to pages, marks into `{mark:…}` and generated parts into `{{…}}`. Lines keep their numbers. */
export function siteForm(text: string): string {
  const textWithCalls = text.replace(generatedPartPattern, (_, name: string, words: string, lines: string) => {
    return `{{${name}${words}}}${"\n".repeat(lines.split("\n").length)}`;
  });
  return textWithCalls
    .split(codePattern)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      return part
        .replace(/\]\(([^)\s]+)\)/g, (link, path: string) => pageLink(path, link))
        .replace(/_\((\w+)\)_/g, "{mark:$1}");
    })
    .join("");
}

function pageLink(link: string, fallback: string): string {
  const [path = "", anchor] = link.split("#");
  const name = basename(path).replace(/\.\w+$/, "");
  const linkTo = (target: string) => `](${target})`;
  if (/^[\w-]+\.md$/.test(path)) return linkTo(`guide:${name}${anchor === undefined ? "" : `#${anchor}`}`);
  if (path.startsWith("../paths/")) return linkTo(`operation:${anchor ?? name}`);
  if (path.startsWith("../webhooks/")) return linkTo(`webhook:${name}`);
  if (anchor === undefined) return fallback;
  const kind = { "../open-questions.yaml": "question", "../errors.yaml": "error", "../resources.yaml": "lifecycle" }[
    path
  ];
  return kind === undefined ? fallback : linkTo(`${kind}:${anchor}`);
}

/** @param render makes the text of a generated part from its call, such as `codes getPot`. */
export function fillParts(text: string, render: (call: string) => string): string {
  return text.replace(generatedPartPattern, (_, name: string, words: string) => {
    return `<!-- ${name}${words} -->\n${render(name + words)}\n<!-- /${name} -->`;
  });
}

export const removeGeneratedParts = (text: string): string => fillParts(text, () => "");
