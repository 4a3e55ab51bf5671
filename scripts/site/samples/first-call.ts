import type { SiteContent } from "../content/site.ts";
import { operationSamples, type Sample } from "./operation-samples.ts";
import { snippetLanguages } from "./snippets.ts";

/** The operation of the first call on the home page and in guides: a read that can be repeated, and succeeds with the scenario. */
export const firstOperation = "getUserBalances";

/** Undefined in the contracts of some tests, which lack the operation. */
export function firstSample(site: SiteContent): Sample | undefined {
  const operation = site.contract.operations.find(({ operationId }) => operationId === firstOperation);
  return operation && operationSamples(operation, site)[0];
}

/** By language; undefined if the contract lacks the operation. */
export function firstCall(site: SiteContent): Record<string, string> | undefined {
  const sample = firstSample(site);
  if (sample === undefined) return undefined;
  const codeByLanguage = Object.entries(snippetLanguages).map(([language, code]) => [language, code(sample.call)]);
  return { ...Object.fromEntries(codeByLanguage), ...sample.snippets };
}
