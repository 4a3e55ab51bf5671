import { useHrefs, usePage } from "./page-context.ts";
import { list } from "./table.tsx";

/** The sample languages for which the link to the quick start for TypeScript is marked as current. */
const languagesOfTypescriptGuide = "curl powershell typescript javascript";

interface Props {
  /** The anchor of a heading that the quick starts in other languages have. */
  anchor?: string;
  /** The guide for TypeScript; undefined on the page that contains the program for TypeScript. */
  typescriptGuide?: string;
}

/** The page's script marks the link of the chosen language. */
export function QuickStarts({ anchor, typescriptGuide }: Props) {
  const { guides } = usePage().site;
  const hrefs = useHrefs();
  const otherGuides = guides.filter(({ role }) => role === "languages");
  const links = otherGuides.map(({ name, title }) => ({
    target: { kind: "guide" as const, name, anchor },
    language: name,
    words: title.replace(/^Quick start in | \(.*/g, ""),
  }));
  if (typescriptGuide !== undefined && guides.some(({ name }) => name === typescriptGuide))
    links.unshift({
      target: { kind: "guide", name: typescriptGuide, anchor: undefined },
      language: languagesOfTypescriptGuide,
      words: typescriptGuide === "getting-started" ? "curl and TypeScript" : "TypeScript",
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
