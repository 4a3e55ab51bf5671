/** The list of all operations. */
import { Section } from "../components/open-section.tsx";
import { OperationTable } from "../components/operation-table.tsx";
import { slugOf } from "../site/pages.ts";
import type { SiteContent } from "../site/site.ts";
import type { SitePage } from "./page.ts";

/** The page of all operations, by area. */
export function operationsPage({ areas, contract }: SiteContent): SitePage {
  const withOperations = areas.filter(({ operations }) => operations.length > 0);
  return {
    ref: { kind: "operations" },
    title: "All operations",
    description: `The ${contract.operations.length} operations, by area.`,
    section: "Reference",
    headings: withOperations.map(({ name }) => ({ id: slugOf(name), title: name })),
    content: () => (
      <>
        <p>The last column says where each operation comes from.</p>
        {withOperations.map(({ name, operations }) => (
          <Section key={name} id={slugOf(name)} title={name}>
            <OperationTable operations={operations} />
          </Section>
        ))}
      </>
    ),
  };
}
