/** The pages are static, made from the contract. */
import type { Finding } from "../lint/index.ts";
import type * as check from "./check.ts";
import type * as render from "./render.tsx";
import type * as server from "./server/site-server.ts";

export { removeGeneratedParts } from "./content/guide-form.ts";
export { bundleName, redocName } from "./content/pages.ts";
export { questionnaireCsv, questionnaireMarkdown } from "./machine/questionnaire.ts";
export type { SiteFiles, SiteInput, SitePlan } from "./render.tsx";
export { localSiteUrl } from "./samples/addresses.ts";
export { installCommand } from "./samples/install-command.ts";
export type { Site } from "./server/site-server.ts";

// The modules are loaded lazily, because the renderer is slow to load and the server does not need it.
export const planSite: typeof render.planSite = async (...options) =>
  (await import("./render.tsx")).planSite(...options);
export const finishSite: typeof render.finishSite = async (...options) =>
  (await import("./render.tsx")).finishSite(...options);
export const renderSite: typeof render.renderSite = async (...options) =>
  (await import("./render.tsx")).renderSite(...options);
export const guideFiles: typeof render.guideFiles = async (input) => (await import("./render.tsx")).guideFiles(input);
export const guideProblems = async (...options: Parameters<typeof check.guideProblems>): Promise<Finding[]> =>
  (await import("./check.ts")).guideProblems(...options);
export const serveSite: typeof server.serveSite = async (options) =>
  (await import("./server/site-server.ts")).serveSite(options);
