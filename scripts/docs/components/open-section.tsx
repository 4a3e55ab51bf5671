/** A part of a page with a heading that can be linked. */
import type { ComponentChildren } from "preact";

interface Props {
  id: string;
  title: string;
  children: ComponentChildren;
}

/** A section under a heading of the second level. */
export function Section({ id, title, children }: Props) {
  return (
    <section class="section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A section of a page that lists its headings, and the parts that it may not have. */
export interface PageSection {
  id: string;
  title: string;
  /** Whether there is anything to show. */
  isShown: boolean;
  content: () => ComponentChildren;
}

/** The sections that have something to show. */
export function Sections({ sections }: { sections: readonly PageSection[] }) {
  return (
    <>
      {sections
        .filter(({ isShown }) => isShown)
        .map(({ id, title, content }) => (
          <Section key={id} id={id} title={title}>
            {content()}
          </Section>
        ))}
    </>
  );
}
