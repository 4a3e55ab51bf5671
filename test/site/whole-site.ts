/** What the pages are made from: the contract of this repository, with its guides and journeys. */
import { readGuides } from "../../scripts/site/site/guides.ts";
import { readJourneys } from "../../scripts/site/site/journeys.ts";
import { readSampleValues } from "../../scripts/site/site/sample-values.ts";
import { createSite, type SiteSources } from "../../scripts/site/site/site.ts";
import { documentOf, sources } from "../support/contract.ts";

export const siteSources: SiteSources = {
  registers: sources.registers(),
  guides: readGuides(),
  journeys: readJourneys(),
  changelog: "",
  sampleValues: readSampleValues(),
};

export const site = createSite(await documentOf("test"), siteSources);
