/** The list of pages at the side: everything by its group, and the current area in full. */
import type { ComponentChildren } from "preact";
import { type PageRef, pathOf, type SinglePage } from "../site/pages.ts";
import type { Area } from "../site/site.ts";
import { editionMark } from "./operation-table.tsx";
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
        {guideGroups.map((group) => {
          const guides = site.guides.filter((guide) => guide.group === group);
          return (
            <li key={group}>
              <details open={ref.kind === "guide" && guides.some(({ name }) => name === ref.name)}>
                <summary>{group}</summary>
                <ul>
                  {guides.map(({ name, title }) => (
                    <Entry key={name} target={{ kind: "guide", name }} title={title} />
                  ))}
                </ul>
              </details>
            </li>
          );
        })}
      </Group>
      <Group title="Areas">
        {site.areas.map((area) => (
          <AreaEntry key={area.name} area={area} />
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

/** An area; in full where the page belongs to it. */
function AreaEntry({ area: { name, operations, webhooks } }: { area: Area }) {
  const { ref } = usePage();
  const entries = [
    ...operations.map((operation) => ({ subject: operation, tag: operation.method, mark: editionMark(operation) })),
    ...webhooks.map((webhook) => ({ subject: webhook, tag: "event", mark: {} })),
  ];
  const isOpen =
    "name" in ref &&
    (ref.kind === "area"
      ? ref.name === name
      : entries.some(({ subject }) => subject.kind === ref.kind && subject.name === ref.name));
  return (
    <Entry target={{ kind: "area", name }} title={name}>
      {isOpen && (
        <ul>
          {entries.map(({ subject, tag, mark }) => (
            <Entry
              key={subject.label}
              target={{ kind: subject.kind, name: subject.name }}
              title={subject.summary}
              {...{ tag, mark }}
            />
          ))}
        </ul>
      )}
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
