/** The end of every page: the same page for machines, the downloads, the version. */
import { twinOf } from "../machine/twins.ts";
import { pathOf } from "../site/pages.ts";
import { useHrefs, usePage } from "./page-context.ts";

export function Footer() {
  const { site, ref } = usePage();
  const hrefs = useHrefs();
  const { version } = site.contract.document.info;
  return (
    <footer class="foot">
      <ul>
        <li>
          <a href={hrefs.file(twinOf(pathOf(ref)))}>This page as Markdown</a>
        </li>
        <li>
          <a href={hrefs.file("openapi.yaml")}>openapi.yaml</a>
        </li>
        <li>
          <a href={hrefs.file("openapi.json")}>openapi.json</a>
        </li>
        <li>
          <a href={hrefs.file("postman.json")}>Postman collection</a>
        </li>
        <li>
          <a href={hrefs.file("single-page/index.html")}>Single page</a>
        </li>
        <li>
          <a href={hrefs.file("llms.txt")}>llms.txt</a>
        </li>
      </ul>
      <p>
        Contract version {version}, edition {site.edition}. Made from <code>openapi/</code>; examples are made up.
      </p>
    </footer>
  );
}
