/** Checks the links, P-codes, generated parts, marks, headings and install lines of the guides without rendering them. */
import { type OpenApiDocument, projectRoot, provenances, type Registers } from "../contract/model/index.ts";
import { installCommand, type Publishing, readManifest, readPublishing } from "../contract/sources/index.ts";
import type { Finding } from "../lint/index.ts";
import { type Guide, readGuides } from "./content/guides.ts";
import { readJourneys } from "./content/journeys.ts";
import { slugOf } from "./content/pages.ts";
import { createSite, findTarget, type SiteContent, type TargetKind, targetKinds } from "./content/site.ts";
import { blocks } from "./pages/guide-block.tsx";
import { localSiteUrl } from "./samples/addresses.ts";

/** Checks the guides of this repository. @throws {UsageError} if a guide cannot be read or is malformed. */
export function guideProblems(document: OpenApiDocument, registers: Registers): Finding[] {
  const install = installLine(readPublishing(), localSiteUrl);
  return problemsOfGuides(createSite(document, { registers, guides: readGuides(), journeys: readJourneys(), install }));
}

/** Matches commands of npm that install the package: from the site, from npm's registry, or from another one. */
export const installCommandPattern =
  /npm install (?:[^\s`]*\/)?partner-wallet-api(?:-\d[^\s`]*)?(?: --registry [^\s`]+)?(?![^\s`])/g;

/** The command that installs the package, from a registry or from the site at `siteUrl`. */
export function installLine(publishing: Publishing, siteUrl: string): string {
  const { name, version } = readManifest();
  return installCommand(publishing, { name, version, siteUrl });
}

export function problemsOfGuides(site: SiteContent): Finding[] {
  return site.guides.flatMap((guide) => problemsOfGuide(guide, site));
}

function problemsOfGuide({ name, text, firstLine }: Guide, site: SiteContent): Finding[] {
  // Removes code, but keeps the line breaks of code blocks, so that line numbers stay correct.
  const prose = text.replace(/^```[\s\S]*?^```$/gm, (code) => code.replace(/[^\n]/g, "")).replace(/`[^`\n]*`/g, "");
  const [allLines, proseLines] = [text.split("\n"), prose.split("\n")];
  const headings = proseLines.map((line) => /^#+ (.*)$/.exec(line)?.[1]);
  const slugs = headings.map((heading) => (heading === undefined ? "" : slugOf(heading)));
  return proseLines.flatMap((line, index) => {
    const isAlone = [proseLines[index - 1], proseLines[index + 1]].every((neighbour) => (neighbour ?? "") === "");
    const isRepeated = slugs[index] !== "" && slugs.indexOf(slugs[index] as string) < index;
    const problems = [
      ...[...line.matchAll(/\]\(([^)]*)\)/g)].map(([, target = ""]) => problemOfLink(target, slugs, site)),
      ...[...line.matchAll(/\{mark:([^}]*)\}/g)].map(([, kind = ""]) =>
        marks.includes(kind) ? "" : `_(${kind})_ is no mark. Known: ${marks.join(", ")}.`,
      ),
      isRepeated ? `The heading "${headings[index]}" is in this guide twice.` : "",
      // Links to errors are checked above.
      ...[...line.replace(/\[[^\]]*\]\(error:[^)]*\)/g, "").matchAll(/\bP\d{3}\b/g)].map(([code]) =>
        findTarget(site, "error", code) === undefined ? `There is no P-code ${code}.` : "",
      ),
      /\{\{|\}\}/.test(line) ? problemOfBlock(line, isAlone, site) : "",
      line.startsWith("<!--")
        ? 'A generated part has two lines: "<!-- codes getKycStatus -->", and "<!-- /codes -->".'
        : "",
    ].filter((problem) => problem !== "");
    const location = { file: `${projectRoot}/openapi/guides/${name}.md`, line: firstLine + index, column: 1 };
    const otherCommands = [...(allLines[index] ?? "").matchAll(installCommandPattern)].filter(
      ([command]) => command !== site.install,
    );
    if (otherCommands.length > 0)
      problems.push(`The package is installed by: ${site.install}. "npm run guides" writes it.`);
    return problems.map((message) => ({ ...location, severity: "error", rule: "guides", message }));
  });
}

const marks: string[] = [...provenances, "sensitive"];

function problemOfLink(target: string, slugs: readonly string[], site: SiteContent): string {
  const [kind = "", ...rest] = target.split(":");
  const name = rest.join(":");
  if (target.startsWith("#"))
    return slugs.includes(target.slice(1)) ? "" : `There is no heading ${target} in this guide.`;
  if (!targetKinds.includes(kind as TargetKind))
    return `The link ${target} leads to no page. Link a guide (name.md), ../paths/…/name.yaml, ../webhooks/name.yaml, ../errors.yaml#P433, ../resources.yaml#transfer or ../open-questions.yaml#Q-name.`;
  return findTarget(site, kind as TargetKind, name) === undefined
    ? `There is no ${kind} ${name}. Correct the name in the link.`
    : "";
}

function problemOfBlock(line: string, isAlone: boolean, site: SiteContent): string {
  const [, call] = /^\{\{([^{}]+)\}\}$/.exec(line) ?? [];
  if (call === undefined || !isAlone) return "A generated part stands alone, between empty lines.";
  const [name = "", ...words] = call.trim().split(/\s+/);
  if (!Object.hasOwn(blocks, name)) return `There is no block ${name}. Known: ${Object.keys(blocks).join(", ")}.`;
  const block = blocks[name] as (typeof blocks)[string];
  if (block(words, site)) return "";
  const unknownWords = words.filter((word) => !block([word], site));
  if (words.length > 1 && unknownWords.length === 0) return `The block ${name} takes one name, not ${words.length}.`;
  const journeyNames = site.journeys.map(({ workflowId }) => workflowId);
  const knownText = name === "journey" ? ` Known: ${journeyNames.join(", ")}.` : "";
  return `The block ${name} cannot show "${unknownWords.join(" ")}": the contract has no such thing.${knownText}`;
}
