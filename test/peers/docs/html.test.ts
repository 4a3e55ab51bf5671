import { expect, test } from "vitest";
import { htmlOf, renderedSite } from "../../site/rendered-site.ts";
import { htmlComplaints } from "./html.ts";

test("every page is valid HTML", async () => {
  const files = await renderedSite();
  const paths = Object.keys(files).filter((path) => path.endsWith(".html"));
  expect(paths.length).toBeGreaterThan(170);
  const complaints: string[] = [];
  for (const path of paths) complaints.push(...(await htmlComplaints(path, htmlOf(files, path))));
  expect(complaints).toEqual([]);
}, 300_000);

test("invalid HTML is found", async () => {
  const path = "errors/P412.html";
  const html = htmlOf(await renderedSite(), path).replace("</main>", "<p><div></div></p><img></main>");
  expect((await htmlComplaints(path, html)).length).toBeGreaterThan(1);
});
