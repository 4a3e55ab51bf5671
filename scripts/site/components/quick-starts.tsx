import { useHrefs, usePage } from "./page-context.ts";
import { list } from "./table.tsx";

export const languageGroup = "Other languages";
/** The languages of samples for which the guide "Getting started" is the quick start. */
const others = "curl powershell typescript javascript";

/** Links to the quick starts. The page's script marks the one of the chosen language. @param anchor a heading of the quick starts. */
export function QuickStarts({ anchor }: { anchor?: string }) {
  const { guides } = usePage().site;
  const hrefs = useHrefs();
  const own = guides.filter(({ group }) => group === languageGroup);
  const links = own.map(({ name, title }) => ({
    name,
    language: name,
    words: title.replace(/^Quick start in | \(.*/g, ""),
  }));
  const first = { name: "getting-started", language: others, words: "curl and TypeScript" };
  return list(
    anchor === undefined && guides.some(({ name }) => name === first.name) ? [first, ...links] : links,
    ({ name, language, words }) => (
      <a href={hrefs.to({ kind: "guide", name, anchor })} data-language={language}>
        {words}
      </a>
    ),
    { class: "quick-starts" },
  );
}
