/** The reference site: static pages of both editions, made from the bundles. */

export { guideProblems } from "./check.ts";
export { renderPostman } from "./machine/postman.ts";
export {
  finishSite,
  planSite,
  type RenderOptions,
  renderSite,
  type SiteFiles,
  type SiteInput,
  type SitePlan,
} from "./render.tsx";
export { type Site, type SiteOptions, serveSite } from "./server/site-server.ts";
export { renderSinglePages } from "./single-page/render.ts";
export { type Journey, operationOfStep, readJourneys } from "./site/journeys.ts";
export type { SiteBundle } from "./site/site.ts";
