/** The list of all operations. */
import { Fragment } from "preact";
import { useHrefElsewhere } from "../components/link.tsx";
import { Section } from "../components/open-section.tsx";
import { OperationTable } from "../components/operation-table.tsx";
import { usePage } from "../components/page-context.ts";
import { slugOf } from "../site/pages.ts";
import type { EditionSite } from "../site/site.ts";
import type { SitePage } from "./page.ts";

/** The page of all operations, by area, with those that the edition does not have. */
export function operationsPage(site: EditionSite): SitePage {
  const areas = site.areas.filter(({ operations }) => operations.length > 0);
  const absent = Object.entries(site.contract.absentOperations);
  const headings = areas.map(({ name }) => ({ id: slugOf(name), title: name }));
  return {
    ref: { kind: "operations" },
    title: "All operations",
    description: `The ${site.contract.operations.length} operations of the edition ${site.edition}, by area.`,
    section: "Reference",
    headings: absent.length === 0 ? headings : [...headings, { id: "absent", title: "Not in this edition" }],
    content: () => (
      <>
        <p>
          {site.contract.operations.length} operations are in the edition {site.edition}. The last column says where
          each comes from.
        </p>
        {areas.map(({ name, operations }) => (
          <Section key={name} id={slugOf(name)} title={name}>
            <OperationTable operations={operations} />
          </Section>
        ))}
        {absent.length > 0 && (
          <Section id="absent" title="Not in this edition">
            <AbsentOperations absent={absent} />
          </Section>
        )}
      </>
    ),
  };
}

/** The operations that only the other edition has. */
function AbsentOperations({ absent }: { absent: readonly (readonly [operationId: string, name: string])[] }) {
  const { site } = usePage();
  const hrefElsewhere = useHrefElsewhere();
  return (
    <Fragment>
      <p>
        The edition {site.edition} leaves out what no document shows. These {absent.length} operations are only in the
        other edition.
      </p>
      <ul class="absent">
        {absent.map(([operationId, name]) => {
          const href = hrefElsewhere("operation", operationId);
          return (
            <li key={operationId}>
              {href === undefined ? name : <a href={href}>{name}</a>} <code>{operationId}</code>
            </li>
          );
        })}
      </ul>
    </Fragment>
  );
}
