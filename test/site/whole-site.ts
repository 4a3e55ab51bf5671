import { readPublishing, readSampleValues } from "../../scripts/contract/sources/index.ts";
import { installLine } from "../../scripts/site/check.ts";
import { readGuides } from "../../scripts/site/content/guides.ts";
import { readJourneys } from "../../scripts/site/content/journeys.ts";
import { createSite } from "../../scripts/site/content/site.ts";
import { localSiteUrl } from "../../scripts/site/samples/addresses.ts";
import { documentOf, sources } from "../support/contract.ts";

export const site = createSite(await documentOf("test"), {
  registers: sources.registers(),
  guides: readGuides(),
  journeys: readJourneys(),
  changelog: "",
  sampleValues: readSampleValues(sources),
  install: installLine(readPublishing(), localSiteUrl),
});
