/** The guides are checked without rendering them. */
import { projectRoot, readManifest } from "../base/index.ts";
import { type OpenApiDocument, provenances, type Registers } from "../contract/model/index.ts";
import { type Publishing, readPublishing } from "../contract/sources/index.ts";
import type { Finding } from "../lint/index.ts";
import { type Guide, readGuides } from "./content/guides.ts";
import { readJourneys } from "./content/journeys.ts";
import { slugOf } from "./content/pages.ts";
import { createSite, findTarget, type SiteContent, targetKinds } from "./content/site.ts";
import { blocks } from "./pages/guide-block.tsx";
import { localSiteUrl } from "./samples/addresses.ts";
import { installCommand } from "./samples/install-command.ts";

/** @throws {UsageError} if a guide, a journey or `publishing.yaml` is unreadable or malformed. */
export function guideProblems(document: OpenApiDocument, registers: Registers): Finding[] {
  const install = installLine(readPublishing(), localSiteUrl);
  return problemsOfGuides(createSite(document, { registers, guides: readGuides(), journeys: readJourneys(), install }));
}

/** Matches installations from the site, from npm's registry, or from another one. */
export const installCommandPattern =
  /npm install (?:[^\s`]*\/)?partner-wallet-api(?:-\d[^\s`]*)?(?: --registry [^\s`]+)?(?![^\s`])/g;

/** The package comes from a registry or from the site at `siteUrl`. */
export function installLine(publishing: Publishing, siteUrl: string): string {
  const { name, version } = readManifest();
  return installCommand(publishing, { name, version, siteUrl });
}

export function problemsOfGuides(site: SiteContent): Finding[] {
  return site.guides.flatMap((guide) => problemsOfGuide(guide, site));
}

function problemsOfGuide({ name, text, firstLine }: Guide, site: SiteContent): Finding[] {
  const file = `${projectRoot}/openapi/guides/${name}.md`;
  // Removes code, but keeps the line breaks of code blocks, so that line numbers stay correct.
  const prose = text.replace(/^```[\s\S]*?^```$/gm, (code) => code.replace(/[^\n]/g, "")).replace(/`[^`\n]*`/g, "");
  const [lines, proseLines] = [text.split("\n"), prose.split("\n")];
  const headings = proseLines.map(headingIn);
  const slugs = headings.map((heading) => (heading === undefined ? undefined : slugOf(heading)));
  return proseLines.flatMap((line, index) => {
    const isAlone = [proseLines[index - 1], proseLines[index + 1]].every((neighbour) => (neighbour ?? "") === "");
    const messages = [
      ...linkProblems(line, slugs, site),
      ...markProblems(line),
      ...headingProblems(headings[index], slugs.slice(0, index)),
      ...codeProblems(line, site),
      ...blockProblems(line, isAlone, site),
      ...commandProblems(lines[index] ?? "", site),
    ];
    const position = { file, line: firstLine + index, column: 1 };
    return messages.map((message) => ({ ...position, severity: "error", rule: "guides", message }));
  });
}

/** Only headings have a slug. */
type Slugs = readonly (string | undefined)[];

function linkProblems(line: string, slugs: Slugs, site: SiteContent): string[] {
  return [...line.matchAll(/\]\(([^)]*)\)/g)].flatMap(([, target = ""]) => {
    if (target.startsWith("#"))
      return slugs.includes(target.slice(1)) ? [] : [`There is no heading ${target} in this guide.`];
    const [kindName = "", ...rest] = target.split(":");
    const [kind, name] = [targetKinds.find((candidate) => candidate === kindName), rest.join(":")];
    if (kind === undefined)
      return [
        `The link ${target} leads to no page. Link a guide (name.md), ../paths/…/name.yaml, ../webhooks/name.yaml, ../errors.yaml#P433, ../resources.yaml#transfer or ../open-questions.yaml#Q-name.`,
      ];
    const isFound = findTarget(site, kind, name) !== undefined;
    return isFound ? [] : [`There is no ${kind} ${name}. Correct the name in the link.`];
  });
}

const marks: readonly string[] = [...provenances, "sensitive"];

function markProblems(line: string): string[] {
  return [...line.matchAll(/\{mark:([^}]*)\}/g)].flatMap(([, kind = ""]) =>
    marks.includes(kind) ? [] : [`_(${kind})_ is no mark. Known: ${marks.join(", ")}.`],
  );
}

function headingIn(line: string): string | undefined {
  return /^#+ (.*)$/.exec(line)?.[1];
}

function headingProblems(heading: string | undefined, earlierSlugs: Slugs): string[] {
  const isRepeated = heading !== undefined && earlierSlugs.includes(slugOf(heading));
  return isRepeated ? [`The heading "${heading}" is in this guide twice.`] : [];
}

/** P-codes in links are left out: {@link linkProblems} checks them. */
function codeProblems(line: string, site: SiteContent): string[] {
  const codes = line.replace(/\[[^\]]*\]\(error:[^)]*\)/g, "").match(/\bP\d{3}\b/g) ?? [];
  const unknownCodes = codes.filter((code) => findTarget(site, "error", code) === undefined);
  return unknownCodes.map((code) => `There is no P-code ${code}.`);
}

function blockProblems(line: string, isAlone: boolean, site: SiteContent): string[] {
  if (line.startsWith("<!--"))
    return ['A generated part has two lines: "<!-- codes getKycStatus -->", and "<!-- /codes -->".'];
  if (!/\{\{|\}\}/.test(line)) return [];
  const [, call] = /^\{\{([^{}]+)\}\}$/.exec(line) ?? [];
  if (call === undefined || !isAlone) return ["A generated part stands alone, between empty lines."];
  const [name = "", ...words] = call.trim().split(/\s+/);
  const block = Object.hasOwn(blocks, name) ? blocks[name] : undefined;
  if (block === undefined) return [`There is no block ${name}. Known: ${Object.keys(blocks).join(", ")}.`];
  if (block(words, site)) return [];
  const unknownWords = words.filter((word) => !block([word], site));
  if (words.length > 1 && unknownWords.length === 0) return [`The block ${name} takes one name, not ${words.length}.`];
  const journeyNames = site.journeys.map(({ workflowId }) => workflowId);
  const knownText = name === "journey" ? ` Known: ${journeyNames.join(", ")}.` : "";
  return [`The block ${name} cannot show "${unknownWords.join(" ")}": the contract has no such thing.${knownText}`];
}

function commandProblems(line: string, site: SiteContent): string[] {
  const hasOtherCommand = [...line.matchAll(installCommandPattern)].some(([command]) => command !== site.install);
  return hasOtherCommand ? [`The package is installed by: ${site.install}. "npm run guides" writes it.`] : [];
}
