/** The list of all resources with their states. */
import type { Resource } from "../../contract/index.ts";
import { Codes } from "../components/effects.tsx";
import { wordsOf } from "../components/field-words.ts";
import { Link } from "../components/link.tsx";
import { ProvenanceMark } from "../components/marks.tsx";
import { InlineProse } from "../components/prose.tsx";
import { Table } from "../components/table.tsx";
import type { SiteContent } from "../site/site.ts";
import { titleOfResource } from "./lifecycle.tsx";
import type { SitePage } from "./page.ts";

/** The page of all resources. */
export function lifecyclesPage(site: SiteContent): SitePage {
  const { resources } = site.contract;
  return {
    ref: { kind: "lifecycles" },
    title: "Lifecycles",
    description: `The ${resources.length} resources that the service keeps, with their states.`,
    section: "Reference",
    synonyms: ["status", "state", "state machine", "final", "resource"],
    content: () => (
      <>
        <p class="lead">
          What the service keeps, with the values of its states. The mark says how sure the order is in which they
          follow each other.
        </p>
        <Table class="resources" head={["Resource", "What it is", "Known values"]}>
          {resources.map((resource) => (
            <tr key={resource.name}>
              <th scope="row">
                <Link to="lifecycle" name={resource.name}>
                  {titleOfResource(resource)}
                </Link>
              </th>
              <td>
                <InlineProse text={resource.meaning} />
              </td>
              <td>
                <States resource={resource} />
              </td>
            </tr>
          ))}
        </Table>
      </>
    ),
  };
}

function States({ resource }: { resource: Resource }) {
  return (
    <ul class="plain">
      {resource.states.map((state) => {
        const { name, values, provenance = "specification" } = state;
        return (
          <li key={name}>
            {name !== "status" && `${wordsOf(name)}: `}
            <Codes values={values} joint="and" /> <ProvenanceMark provenance={provenance} />
          </li>
        );
      })}
    </ul>
  );
}
