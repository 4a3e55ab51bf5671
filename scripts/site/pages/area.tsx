import { WebhookLink } from "../components/events.tsx";
import { guideLinks } from "../components/link.tsx";
import { plainText } from "../components/markdown.tsx";
import { EditionNote, OperationTable } from "../components/operation-table.tsx";
import { InlineProse, Prose } from "../components/prose.tsx";
import type { PageContent, SitePage } from "../components/site-page.ts";
import { list } from "../components/table.tsx";
import { resourceLink } from "../content/links.ts";
import type { Area, SiteContent } from "../content/site.ts";
import { guidesOf } from "../content/uses.ts";
import { firstSentence } from "../text/words.ts";

export function areaPages(site: SiteContent): SitePage[] {
  return site.areas.map((area) => ({
    ref: { kind: "area", name: area.name },
    title: area.name,
    description: plainText(firstSentence(area.description)),
    section: "Area",
    content: () => contentOf(area, site),
  }));
}

function contentOf(area: Area, site: SiteContent): PageContent {
  const { description, operations, webhooks } = area;
  return {
    head: (
      <>
        <Prose text={description} />
        <EditionNote operations={operations} />
      </>
    ),
    sections: [
      ["operations", "Operations", operations.length > 0 && <OperationTable operations={operations} />],
      [
        "webhooks",
        "Webhooks",
        list(webhooks, (webhook) => [
          <WebhookLink key="link" webhook={webhook} />,
          ": ",
          <InlineProse key="words" text={firstSentence(webhook.description)} />,
        ]),
      ],
      [
        "lifecycles",
        "Lifecycles",
        list(resourcesOf(area, site), ({ name, meaning }) => (
          <InlineProse text={`${resourceLink(name)}: ${firstSentence(meaning)}`} />
        )),
      ],
      ["guides", "Guides", guideLinks(guidesOf(area, site))],
    ],
  };
}

function resourcesOf({ operations, webhooks }: Area, { contract }: SiteContent) {
  const names = new Set([
    ...operations.flatMap(({ effects }) => effects.map(({ resource }) => resource)),
    ...webhooks.map(({ event }) => event?.resource),
  ]);
  return contract.resources.filter(({ name }) => names.has(name));
}
