import { readGuides } from "../../scripts/site/site/guides.ts";
import { readJourneys } from "../../scripts/site/site/journeys.ts";
import { createSite } from "../../scripts/site/site/site.ts";
import { documentOf, sources } from "../support/contract.ts";

export const site = createSite(await documentOf("test"), {
  registers: sources.registers(),
  guides: readGuides(),
  journeys: readJourneys(),
  changelog: "",
  sampleValues: sources.sampleValues(),
});
