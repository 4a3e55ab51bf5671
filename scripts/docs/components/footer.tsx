/** The end of every page: the same page for machines, the downloads, the version. */
import { editions } from "../../contract/index.ts";
import { twinOf } from "../machine/twins.ts";
import { bundleName, pathOf } from "../site/pages.ts";
import { useHrefs, usePage } from "./page-context.ts";

const formats = ["yaml", "json"] as const;

export function Footer() {
  const { site, ref } = usePage();
  const hrefs = useHrefs();
  const { version } = site.contract.document.info;
  const bundles = editions.flatMap((edition) => formats.map((format) => bundleName(edition, format)));
  return (
    <footer class="foot">
      <ul>
        <li>
          <a href={hrefs.file(twinOf(pathOf(ref)))}>This page as Markdown</a>
        </li>
        {[...bundles, "llms.txt"].map((path) => (
          <li key={path}>
            <a href={hrefs.file(path)}>{path}</a>
          </li>
        ))}
      </ul>
      <p>
        Contract version {version}. Made from <code>openapi/</code>; examples are made up.
      </p>
    </footer>
  );
}
