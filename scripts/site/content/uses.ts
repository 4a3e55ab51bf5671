import type { Operation, Webhook } from "../../contract/model/index.ts";
import type { Guide } from "./guides.ts";
import { operationOfStep } from "./journeys.ts";
import { linkText } from "./links.ts";
import { memoizeByKey } from "./memoize.ts";
import { pathOf } from "./pages.ts";
import type { Area, SiteContent } from "./site.ts";

const namesInGuides = memoizeByKey(
  (site: SiteContent) => new Map(site.guides.map((guide) => [guide, namesIn(guide, site)])),
);

function namesIn({ text }: Guide, site: SiteContent): Set<string> {
  const names = new Set<string>();
  linkText(text, site, (target) => {
    names.add(pathOf(target));
    return "";
  });
  for (const [, words = ""] of text.matchAll(/\{\{([^}]*)\}\}/g)) {
    const [, ...blockArguments] = words.trim().split(/\s+/);
    for (const name of [...blockArguments, blockArguments.join(" ")]) names.add(name);
  }
  return names;
}

/** Guides that link to the subject, name it in a block, or show a journey that calls it. */
export function guidesOf(subject: Operation | Webhook | Area, site: SiteContent): Guide[] {
  const { name } = subject;
  const journeys = site.journeys.flatMap(({ workflowId, steps }) =>
    steps.some((step) => operationOfStep(step).operationId === name) ? [workflowId] : [],
  );
  const subjectNames = [pathOf({ kind: "kind" in subject ? subject.kind : "area", name }), name, ...journeys];
  return [...namesInGuides(site)].flatMap(([guide, names]) =>
    subjectNames.some((subjectName) => names.has(subjectName)) ? [guide] : [],
  );
}
