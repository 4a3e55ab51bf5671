/** The list of pages at the side: everything by its group, and the current area in full. */
import type { ComponentChildren } from "preact";
import { type PageRef, pathOf, type SinglePage } from "../site/pages.ts";
import type { Area, SiteContent } from "../site/site.ts";
import { editionMark } from "./edition.tsx";
import { useHrefs, usePage } from "./page-context.ts";

const reference: { kind: SinglePage; title: string }[] = [
  { kind: "operations", title: "All operations" },
  { kind: "webhooks", title: "All webhooks" },
  { kind: "errors", title: "Errors" },
  { kind: "lifecycles", title: "Lifecycles" },
  { kind: "questions", title: "Open questions" },
  { kind: "provenance", title: "Provenance" },
  { kind: "changelog", title: "Changelog" },
];

export function Navigation() {
  const { site, ref } = usePage();
  const guideGroups = [...new Set(site.guides.map(({ group }) => group))];
  return (
    <nav class="side" aria-label="Pages" id="pages">
      <a class="close-link" href="#content">
        Close
      </a>
      <Group title="Guides">
        {guideGroups.map((group) => (
          <li key={group}>
            <details
              open={
                ref.kind === "guide" && site.guides.some((guide) => guide.group === group && guide.name === ref.name)
              }
            >
              <summary>{group}</summary>
              <ul>
                {site.guides
                  .filter((guide) => guide.group === group)
                  .map(({ name, title }) => (
                    <Entry key={name} target={{ kind: "guide", name }} title={title} />
                  ))}
              </ul>
            </details>
          </li>
        ))}
      </Group>
      <Group title="Areas">
        {site.areas.map((area) => (
          <AreaEntry key={area.name} area={area} isOpen={area.name === areaOf(site, ref)} />
        ))}
      </Group>
      <Group title="Reference">
        {reference.map(({ kind, title }) => (
          <Entry key={kind} target={{ kind }} title={title} />
        ))}
      </Group>
    </nav>
  );
}

/** The area that a page belongs to. */
function areaOf({ areas }: SiteContent, ref: PageRef): string | undefined {
  if (ref.kind === "area") return ref.name;
  if (ref.kind !== "operation" && ref.kind !== "webhook") return undefined;
  const subjects = (area: Area) => (ref.kind === "operation" ? area.operations : area.webhooks);
  return areas.find((area) => subjects(area).some(({ name }) => name === ref.name))?.name;
}

function AreaEntry({ area, isOpen }: { area: Area; isOpen: boolean }) {
  const { name, operations, webhooks } = area;
  if (!isOpen) return <Entry target={{ kind: "area", name }} title={name} />;
  return (
    <Entry target={{ kind: "area", name }} title={name}>
      <ul>
        {operations.map((operation) => (
          <Entry
            key={operation.name}
            target={{ kind: "operation", name: operation.name }}
            title={operation.summary}
            tag={operation.method}
            mark={editionMark(operation)}
          />
        ))}
        {webhooks.map((webhook) => (
          <Entry
            key={webhook.name}
            target={{ kind: "webhook", name: webhook.name }}
            title={webhook.summary}
            tag="event"
          />
        ))}
      </ul>
    </Entry>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="group">
      <p class="list-title">{title}</p>
      <ul aria-label={title}>{children}</ul>
    </div>
  );
}

interface EntryProps {
  target: PageRef;
  title: string;
  /** A method, or what else the entry is. */
  tag?: string;
  mark?: ReturnType<typeof editionMark>;
  children?: ComponentChildren;
}

function Entry({ target, title, tag, mark, children }: EntryProps) {
  const { ref } = usePage();
  const hrefs = useHrefs();
  const isCurrent = pathOf(target) === pathOf(ref);
  return (
    <li {...(isCurrent ? {} : mark)}>
      <a href={hrefs.to(target)} aria-current={isCurrent ? "page" : undefined}>
        {tag !== undefined && <span class={`tag tag-${tag}`}>{tag}</span>}
        {title}
      </a>
      {children}
    </li>
  );
}
