import type { Operation } from "../../contract/model/index.ts";
import { pairsIn } from "../components/code-data.ts";
import { CodeTable, Failures } from "../components/codes.tsx";
import { Parameters, RequestBodies, Successes } from "../components/fields.tsx";
import { guideLinks, Link } from "../components/link.tsx";
import { plainText } from "../components/markdown.tsx";
import { isWeak, Origin } from "../components/marks.tsx";
import { Effects, linkedOperations, OperationHead, Requirements, Triggers } from "../components/operation-parts.tsx";
import { EditionNote, OperationTable } from "../components/operation-table.tsx";
import { Prose } from "../components/prose.tsx";
import { questionsOf } from "../components/questions.tsx";
import { Samples } from "../components/samples.tsx";
import type { PageContent, SitePage } from "../components/site-page.ts";
import { slugOf } from "../content/pages.ts";
import { editionOf, type SiteContent } from "../content/site.ts";
import { guidesOf } from "../content/uses.ts";
import { operationSamples } from "../samples/index.ts";
import { firstSentence } from "../text/words.ts";

export function operationsPage({ areas, contract }: SiteContent): SitePage {
  return {
    ref: { kind: "operations" },
    title: "All operations",
    description: `The ${contract.operations.length} operations, by area.`,
    section: "Reference",
    synonyms: ["list of endpoints", "safe to repeat", "safely retry", "safe to retry", "idempotent operations"],
    content: () => ({
      head: (
        <>
          <p class="lead">
            Whether a call may be repeated when its outcome is{" "}
            <Link to="guide" name="unknown-outcomes">
              unknown
            </Link>{" "}
            is advice of this contract. One that changes nothing always may.
          </p>
          <EditionNote operations={contract.operations} />
        </>
      ),
      sections: areas.map(({ name, operations }) => [
        slugOf(name),
        name,
        operations.length > 0 && <OperationTable operations={operations} />,
      ]),
    }),
  };
}

export function operationPages(site: SiteContent): SitePage[] {
  return site.contract.operations.map((operation) => {
    const { operationId, summary, description, path, method, tag } = operation;
    return {
      ref: { kind: "operation", name: operationId },
      title: summary,
      description: plainText(firstSentence(description)),
      section: "Operation",
      synonyms: [operationId, path, `${method.toUpperCase()} ${path}`],
      edition: editionOf(operation),
      trail: [{ ref: { kind: "area", name: tag }, title: tag }],
      content: () => contentOf(operation, site),
    };
  });
}

function contentOf(operation: Operation, site: SiteContent): PageContent {
  const { description, requires, effects, parameters, requestBody, triggers } = operation;
  const { effectiveProvenance: provenance, statedDetails } = operation;
  const samples = operationSamples(operation, site);
  const [nextCalls, guides] = [linkedOperations(operation), guideLinks(guidesOf(operation, site))];
  return {
    head: (
      <>
        <OperationHead operation={operation} />
        <Prose text={description} />
      </>
    ),
    sections: [
      ["parameters", "Parameters", parameters.length > 0 && <Parameters operation={operation} />],
      ["request", "Request body", requestBody && <RequestBodies operation={operation} />],
      ["before", "Before you call it", requires.length > 0 && <Requirements operation={operation} />],
      ["effects", "What it changes", effects.length > 0 && <Effects operation={operation} />],
      [
        "responses",
        "Responses",
        <Successes
          key="responses"
          operation={operation}
          shownBodies={samples.map(({ response }) => response?.body)}
          codes={(response) => <CodeTable pairs={pairsIn(operation, [response])} />}
        />,
      ],
      ["errors", "Errors", <Failures key="errors" operation={operation} />],
      ["webhooks", "Webhooks it leads to", triggers.length > 0 && <Triggers operation={operation} />],
      ["next", "What next", (nextCalls || guides) && [nextCalls, guides]],
    ],
    questions: questionsOf(operation, site.contract),
    origin: isWeak(provenance) ? undefined : <Origin provenance={provenance} statedDetails={statedDetails} />,
    samples: <Samples operation={operation} samples={samples} />,
  };
}
