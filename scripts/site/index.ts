/** The reference site: static pages, made from the contract. */

export { guideProblems } from "./check.ts";
export { questionnaireCsv, questionnaireMarkdown } from "./machine/questionnaire.ts";
export {
  finishSite,
  planSite,
  type RenderOptions,
  renderSite,
  type SiteBundle,
  type SiteFiles,
  type SiteInput,
  type SitePlan,
} from "./render.tsx";
export { type Site, type SiteOptions, serveSite } from "./server/site-server.ts";
export { type Journey, operationOfStep, readJourneys } from "./site/journeys.ts";
