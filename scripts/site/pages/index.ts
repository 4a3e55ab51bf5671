import type { SitePage } from "../components/site-page.ts";
import type { SiteContent } from "../content/site.ts";
import { changelogPage, downloadsPage, notFoundPage } from "./about.tsx";
import { areaPages } from "./area.tsx";
import { errorPages, errorsPage } from "./error.tsx";
import { guidePages, guidesPage } from "./guide.tsx";
import { homePage } from "./home.tsx";
import { lifecyclePages, lifecyclesPage } from "./lifecycle.tsx";
import { operationPages, operationsPage } from "./operation.tsx";
import { questionPages, questionsPage } from "./questions.tsx";
import { webhookPages, webhooksPage } from "./webhook.tsx";

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
    downloadsPage(site),
    changelogPage(site),
    notFoundPage(),
  ];
}
