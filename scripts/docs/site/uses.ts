/** Where the guides and journeys name what the contract describes. */
import type { Operation, Webhook } from "../../contract/index.ts";
import { linkText } from "../text/links.ts";
import type { Guide } from "./guides.ts";
import { type Journey, operationOfStep } from "./journeys.ts";
import { pathOf, type Target } from "./pages.ts";
import type { Area, SiteContent } from "./site.ts";

const known = new WeakMap<SiteContent, Map<string, Set<string>>>();

/** The names that each guide uses: paths of pages that it links, and the words of its blocks. */
function namesInGuides(site: SiteContent): Map<string, Set<string>> {
  const found = known.get(site);
  if (found !== undefined) return found;
  const names = new Map(site.guides.map((guide) => [guide.name, namesIn(guide, site)]));
  known.set(site, names);
  return names;
}

function namesIn({ text }: Guide, site: SiteContent): Set<string> {
  const names = new Set<string>();
  linkText(text, site, (target: Target) => {
    names.add(pathOf(target));
    return "";
  });
  for (const [, words = ""] of text.matchAll(/\{\{([^}]*)\}\}/g)) {
    const [, ...given] = words.trim().split(/\s+/);
    for (const name of [...given, given.join(" ")]) names.add(name);
  }
  return names;
}

/** The guides that link to an operation or webhook or show it in a block, also as a step of a journey. */
export function guidesOf(subject: Operation | Webhook, site: SiteContent): Guide[] {
  const { kind, name } = subject;
  const journeys = kind === "operation" ? journeysOf(subject, site).map(({ workflowId }) => workflowId) : [];
  return guidesNaming([pathOf({ kind, name }), name, ...journeys], site);
}

/** The guides that link to an area, or to at least half of its operations and webhooks. */
export function guidesOfArea(area: Area, site: SiteContent): Guide[] {
  const direct = new Set(guidesNaming([pathOf({ kind: "area", name: area.name }), area.name], site));
  const subjects = [...area.operations, ...area.webhooks];
  const counts = new Map<Guide, number>();
  for (const guide of subjects.flatMap((subject) => guidesOf(subject, site))) {
    counts.set(guide, (counts.get(guide) ?? 0) + 1);
  }
  return site.guides.filter((guide) => direct.has(guide) || (counts.get(guide) ?? 0) * 2 >= subjects.length);
}

/** The journeys that call an operation. */
export function journeysOf({ operationId }: Pick<Operation, "operationId">, site: SiteContent): Journey[] {
  return site.journeys.filter(({ steps }) =>
    steps.some((step) => {
      const { source, operationId: called } = operationOfStep(step);
      return source !== "mock" && called === operationId;
    }),
  );
}

/** The guide that shows a journey; undefined where none does. */
export function guideOfJourney({ workflowId }: Journey, site: SiteContent): Guide | undefined {
  const block = new RegExp(`\\{\\{journey\\s+${workflowId}\\s*\\}\\}`);
  return site.guides.find(({ text }) => block.test(text));
}

function guidesNaming(wanted: readonly string[], site: SiteContent): Guide[] {
  const names = namesInGuides(site);
  return site.guides.filter((guide) => wanted.some((name) => names.get(guide.name)?.has(name)));
}
