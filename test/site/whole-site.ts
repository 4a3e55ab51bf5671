import { readGuides } from "../../scripts/site/site/guides.ts";
import { readJourneys } from "../../scripts/site/site/journeys.ts";
import { createSite, type SiteSources } from "../../scripts/site/site/site.ts";
import { documentOf, sources } from "../support/contract.ts";

export const siteSources: SiteSources = {
  registers: sources.registers(),
  guides: readGuides(),
  journeys: readJourneys(),
  changelog: "",
  sampleValues: sources.sampleValues(),
};

export const site = createSite(await documentOf("test"), siteSources);
