import { useHrefs, usePage } from "./page-context.ts";
import { list } from "./table.tsx";

const languageGroup = "Other languages";
/** The sample languages for which the quick start for TypeScript is marked. */
const languagesOfFirst = "curl powershell typescript javascript";

interface Props {
  /** A heading of the quick starts. */
  anchor?: string;
  /** The guide for TypeScript; undefined on the page that contains the program for TypeScript. */
  firstGuide?: string;
}

/** Links to the quick starts. The page's script marks the link of the chosen language. */
export function QuickStarts({ anchor, firstGuide }: Props) {
  const { guides } = usePage().site;
  const hrefs = useHrefs();
  const otherGuides = guides.filter(({ group }) => group === languageGroup);
  const links = otherGuides.map(({ name, title }) => ({
    target: { kind: "guide" as const, name, anchor },
    language: name,
    words: title.replace(/^Quick start in | \(.*/g, ""),
  }));
  if (guides.some(({ name }) => name === firstGuide))
    links.unshift({
      target: { kind: "guide", name: firstGuide as string, anchor: undefined },
      language: languagesOfFirst,
      words: firstGuide === "getting-started" ? "curl and TypeScript" : "TypeScript",
    });
  return list(
    links,
    ({ target, language, words }) => (
      <a href={hrefs.page(target)} data-language={language}>
        {words}
      </a>
    ),
    { class: "quick-starts" },
  );
}
