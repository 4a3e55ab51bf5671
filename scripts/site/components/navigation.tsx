import type { ComponentChildren } from "preact";
import type { Guide } from "../content/guides.ts";
import { type PageRef, pathOf, type SinglePage } from "../content/pages.ts";
import { editionMark } from "./operation-table.tsx";
import { useHrefs, usePage } from "./page-context.ts";

const referencePages: { kind: SinglePage; title: string }[] = [
  { kind: "operations", title: "All operations" },
  { kind: "webhooks", title: "All webhooks" },
  { kind: "errors", title: "Errors" },
  { kind: "lifecycles", title: "Lifecycles" },
  { kind: "questions", title: "Open questions" },
  { kind: "downloads", title: "Downloads" },
  { kind: "changelog", title: "Changelog" },
];

const guideRefOf = ({ name }: { name: string }) => ({ kind: "guide" as const, name });

export function Navigation() {
  const { site, ref } = usePage();
  const isShown = (target: PageRef) => pathOf(target) === pathOf(ref);
  // A guide about an area is listed with the operations of the area, so that each subject has one entry.
  const areaOf = ({ role, title, text }: Guide) =>
    role === "areas" && site.areas.find(({ name }) => title === name || text.includes(`{{operations ${name}}}`));
  const otherGuides = site.guides.filter((guide) => !areaOf(guide));
  const guideGroups = [...new Set(otherGuides.map(({ group }) => group))];
  return (
    // On a narrow screen, a button opens the list as an overlay.
    <nav class="side" aria-label="Pages" id="pages" popover="auto">
      <Group title="Guides">
        {guideGroups.map((group) => {
          const guides = otherGuides.filter((guide) => guide.group === group);
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
        {site.areas.map((area) => {
          const { name, operations, webhooks } = area;
          const subjects = [...operations, ...webhooks];
          const guides = site.guides.filter((guide) => areaOf(guide) === area);
          const pages = [{ kind: "area" as const, name }, ...guides.map(guideRefOf), ...subjects];
          return (
            <Folder key={name} title={name} isOpen={pages.some(isShown)}>
              <Entry target={{ kind: "area", name }} title="Overview" />
              {guides.map((guide) => (
                <Entry key={guide.name} target={guideRefOf(guide)} title={guide.title} tag="guide" />
              ))}
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
        {referencePages.map(({ kind, title }) => (
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
      <a href={hrefs.page(target)} data-tag={tag} aria-current={isCurrent ? "page" : undefined}>
        {title}
      </a>
    </li>
  );
}
