/** Where the guides and journeys name what the contract describes. */
import type { Operation, Webhook } from "../../contract/index.ts";
import { linkText } from "../text/links.ts";
import type { Guide } from "./guides.ts";
import { type Journey, operationOfStep } from "./journeys.ts";
import { pathOf } from "./pages.ts";
import type { Area, SiteContent } from "./site.ts";

const known = new WeakMap<SiteContent, Map<Guide, Set<string>>>();

/** The names that each guide uses: paths of pages that it links, and the words of its blocks. */
function namesInGuides(site: SiteContent): Map<Guide, Set<string>> {
  const names = known.get(site) ?? new Map(site.guides.map((guide) => [guide, namesIn(guide, site)]));
  known.set(site, names);
  return names;
}

function namesIn({ text }: Guide, site: SiteContent): Set<string> {
  const names = new Set<string>();
  linkText(text, site, (target) => {
    names.add(pathOf(target));
    return "";
  });
  for (const [, words = ""] of text.matchAll(/\{\{([^}]*)\}\}/g)) {
    const [, ...given] = words.trim().split(/\s+/);
    for (const name of [...given, given.join(" ")]) names.add(name);
  }
  return names;
}

function guidesNaming(wanted: readonly string[], site: SiteContent): Guide[] {
  return [...namesInGuides(site)].flatMap(([guide, names]) => (wanted.some((name) => names.has(name)) ? [guide] : []));
}

/** The guides that link to an area, operation or webhook or show it in a block, also as a step of a journey. */
export function guidesOf(subject: Operation | Webhook | Area, site: SiteContent): Guide[] {
  const { name } = subject;
  const journeys = "operationId" in subject ? journeysOf(subject, site).map(({ workflowId }) => workflowId) : [];
  return guidesNaming([pathOf({ kind: "kind" in subject ? subject.kind : "area", name }), name, ...journeys], site);
}

/** The journeys that call an operation. */
function journeysOf({ operationId }: Pick<Operation, "operationId">, site: SiteContent): Journey[] {
  return site.journeys.filter(({ steps }) =>
    steps.some((step) => {
      const { source, operationId: called } = operationOfStep(step);
      return source !== "mock" && called === operationId;
    }),
  );
}
