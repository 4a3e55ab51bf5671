/** All pages. */
import type { SiteContent } from "../site/site.ts";
import { changelogPage, notFoundPage, provenancePage } from "./about.tsx";
import { areaPages } from "./area.tsx";
import { errorPages } from "./error.tsx";
import { errorsPage } from "./errors.tsx";
import { guidePages, guidesPage } from "./guide.tsx";
import { homePage } from "./home.tsx";
import { lifecyclePages } from "./lifecycle.tsx";
import { lifecyclesPage } from "./lifecycles.tsx";
import { operationPages } from "./operation.tsx";
import { operationsPage } from "./operations.tsx";
import type { SitePage } from "./page.ts";
import { questionPages, questionsPage } from "./questions.tsx";
import { webhookPages } from "./webhook.tsx";
import { webhooksPage } from "./webhooks.tsx";

/** The pages of the site, in the order of the navigation. */
export function pagesOf(site: SiteContent): SitePage[] {
  return [
    homePage(site),
    guidesPage(site),
    ...guidePages(site),
    ...areaPages(site),
    operationsPage(site),
    ...operationPages(site),
    webhooksPage(site),
    ...webhookPages(site),
    errorsPage(site),
    ...errorPages(site),
    lifecyclesPage(site),
    ...lifecyclePages(site),
    questionsPage(site),
    ...questionPages(site),
    provenancePage(site),
    changelogPage(site),
    notFoundPage(),
  ];
}
