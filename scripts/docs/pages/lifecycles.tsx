/** The list of all resources with their states. */
import type { Resource } from "../../contract/index.ts";
import { Codes } from "../components/effects.tsx";
import { wordsOf } from "../components/field-words.ts";
import { Link } from "../components/link.tsx";
import { ProvenanceMark } from "../components/marks.tsx";
import { InlineProse } from "../components/prose.tsx";
import { shownState } from "../components/shown-state.ts";
import { Table } from "../components/table.tsx";
import type { EditionSite } from "../site/site.ts";
import { titleOfResource } from "./lifecycle.tsx";
import type { SitePage } from "./page.ts";

/** The page of all resources. */
export function lifecyclesPage(site: EditionSite): SitePage {
  const { resources } = site.contract;
  return {
    ref: { kind: "lifecycles" },
    title: "Lifecycles",
    description: `The ${resources.length} resources that the service keeps in the edition ${site.edition}, with their states.`,
    section: "Reference",
    synonyms: ["status", "state", "state machine", "final", "resource"],
    content: () => (
      <>
        <p class="lead">
          What the service keeps, with the values of its states. The mark says how sure the order is in which they
          follow each other; without a mark, this edition does not have the order.
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
                <States resource={resource} site={site} />
              </td>
            </tr>
          ))}
        </Table>
      </>
    ),
  };
}

function States({ resource, site }: { resource: Resource; site: EditionSite }) {
  return (
    <ul class="plain">
      {resource.states.map((state) => {
        const { name, moves, provenance = "specification" } = state;
        const { values } = shownState(resource, state, site.contract);
        return (
          <li key={name}>
            {name !== "status" && `${wordsOf(name)}: `}
            {values.length === 0 ? (
              <span class="absent">none in this edition</span>
            ) : (
              <Codes values={values} joint="and" />
            )}{" "}
            {moves !== undefined && <ProvenanceMark provenance={provenance} />}
          </li>
        );
      })}
    </ul>
  );
}
