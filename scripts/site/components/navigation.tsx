import type { ComponentChildren } from "preact";
import { type PageRef, pathOf, type SinglePage } from "../site/pages.ts";
import { editionMark } from "./operation-table.tsx";
import { useHrefs, usePage } from "./page-context.ts";

const reference: { kind: SinglePage; title: string }[] = [
  { kind: "operations", title: "All operations" },
  { kind: "webhooks", title: "All webhooks" },
  { kind: "errors", title: "Errors" },
  { kind: "lifecycles", title: "Lifecycles" },
  { kind: "questions", title: "Open questions" },
  { kind: "downloads", title: "Downloads" },
  { kind: "changelog", title: "Changelog" },
];

export function Navigation() {
  const { site, ref } = usePage();
  const isShown = (target: PageRef) => pathOf(target) === pathOf(ref);
  const guideGroups = [...new Set(site.guides.map(({ group }) => group))];
  return (
    // On a narrow screen, a button opens the list as an overlay.
    <nav class="side" aria-label="Pages" id="pages" popover="auto">
      <Group title="Guides">
        {guideGroups.map((group) => {
          const guides = site.guides.filter((guide) => guide.group === group);
          return (
            <Folder key={group} title={group} isOpen={guides.some(({ name }) => isShown({ kind: "guide", name }))}>
              {guides.map(({ name, title }) => (
                <Entry key={name} target={{ kind: "guide", name }} title={title} />
              ))}
            </Folder>
          );
        })}
      </Group>
      <Group title="Areas">
        {site.areas.map(({ name: area, operations, webhooks }) => {
          const subjects = [...operations, ...webhooks];
          const isOpen = isShown({ kind: "area", name: area }) || subjects.some(isShown);
          return (
            <Folder key={area} title={area} isOpen={isOpen}>
              <Entry target={{ kind: "area", name: area }} title="Overview" />
              {subjects.map((subject) => (
                <Entry
                  key={subject.label}
                  target={{ kind: subject.kind, name: subject.name }}
                  title={subject.summary}
                  tag={subject.kind === "webhook" ? "event" : subject.method}
                  mark={subject.kind === "webhook" ? {} : editionMark(subject)}
                />
              ))}
            </Folder>
          );
        })}
      </Group>
      <Group title="Reference">
        {reference.map(({ kind, title }) => (
          <Entry key={kind} target={{ kind }} title={title} />
        ))}
      </Group>
    </nav>
  );
}

function Folder({ title, isOpen, children }: { title: string; isOpen: boolean; children: ComponentChildren }) {
  return (
    <li>
      <details open={isOpen}>
        <summary>{title}</summary>
        <ul>{children}</ul>
      </details>
    </li>
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
  tag?: string;
  mark?: ReturnType<typeof editionMark>;
}

function Entry({ target, title, tag, mark }: EntryProps) {
  const { ref } = usePage();
  const hrefs = useHrefs();
  const isCurrent = pathOf(target) === pathOf(ref);
  return (
    <li {...(isCurrent ? {} : mark)}>
      {/* The style sheet shows the tag, because an element for each tag would make every page larger. */}
      <a href={hrefs.to(target)} data-tag={tag} aria-current={isCurrent ? "page" : undefined}>
        {title}
      </a>
    </li>
  );
}
