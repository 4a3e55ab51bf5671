import type { PageRef } from "../content/pages.ts";
import { useHrefs } from "./page-context.ts";
import { list } from "./table.tsx";

export function Cards({ pages }: { pages: readonly { ref: PageRef; title: string; description: string }[] }) {
  const hrefs = useHrefs();
  return list(
    pages,
    ({ ref, title, description }) => (
      <>
        <h3>
          <a href={hrefs.page(ref)}>{title}</a>
        </h3>
        <p>{description}</p>
      </>
    ),
    { class: "cards" },
  );
}

export function GuideCards({ guides }: { guides: readonly { name: string; title: string; summary: string }[] }) {
  const pages = guides.map(({ name, title, summary: description }) => ({
    ref: { kind: "guide" as const, name },
    title,
    description,
  }));
  return <Cards pages={pages} />;
}
