/** What the pages are made from: the contract of this repository, with its guides and journeys. */
import { readGuides } from "../../scripts/docs/site/guides.ts";
import { readJourneys } from "../../scripts/docs/site/journeys.ts";
import { readSampleValues } from "../../scripts/docs/site/sample-values.ts";
import { createSite, type SiteSources } from "../../scripts/docs/site/site.ts";
import { documentOf, sources } from "../support/contract.ts";

export const siteSources: SiteSources = {
  registers: sources.registers(),
  guides: readGuides(),
  journeys: readJourneys(),
  changelog: "",
  sampleValues: readSampleValues(),
};

export const site = createSite(await documentOf("test"), siteSources);
