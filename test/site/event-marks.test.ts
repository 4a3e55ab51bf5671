import { expect, test } from "vitest";
import { webhooksPage } from "../../scripts/site/pages/webhook.tsx";
import { renderPage } from "../../scripts/site/render.tsx";
import { site } from "./whole-site.ts";

const { webhooks, delivery } = site.contract;
const html = (page: Parameters<typeof renderPage>[0]) => renderPage(page, { site, assets: {} });

test("the list of webhooks marks exactly the paths that no source shows", () => {
  const list = html(webhooksPage(site));
  const weak = webhooks.filter(({ pathProvenance = "" }) => ["observed", "proposed"].includes(pathProvenance));
  expect(weak.length).toBeGreaterThan(0);
  const marked = [...list.matchAll(/<code>(\/[^<]*)<\/code> <span class="mark mark-\w+"/g)].map(([, path]) => path);
  expect(marked.sort()).toEqual(weak.map(({ path }) => path).sort());
});

test.each(["proposed", "reference"] as const)(
  "the rules of redelivery are marked if they are proposed: %s",
  (provenance) => {
    if (delivery === undefined) expect.fail("The contract does not say how deliveries are repeated.");
    const marked = { ...site, contract: { ...site.contract, delivery: { ...delivery, provenance } } };
    const page = renderPage(webhooksPage(marked), { site: marked, assets: {} });
    const told = page.split("A delivery is tried at most")[1]?.split("Events can arrive")[0];
    expect(told).toBeDefined();
    expect(told?.includes("mark-proposed")).toBe(provenance === "proposed");
  },
);
