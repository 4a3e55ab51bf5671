/** The changelog, the downloads, and the 404 page. */
import { editions } from "../../contract/model/index.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { Link } from "../components/link.tsx";
import { useHrefs } from "../components/page-context.ts";
import { Prose } from "../components/prose.tsx";
import { list } from "../components/table.tsx";
import { bundleName, slugOf } from "../site/pages.ts";
import type { SiteContent } from "../site/site.ts";
import type { Section, SitePage } from "./page.ts";

/** The versions, newest first, each under a heading `## 0.2.0 (2026-11-30)` of the changelog. */
export function changelogPage({ changelog }: SiteContent): SitePage {
  const [intro = "", ...versions] = changelog.replace(/^# .*\n/, "").split(/^## /m);
  return {
    ref: { kind: "changelog" },
    title: "Changelog",
    description: "What changed in the contract, the client, the mock and these pages, by version.",
    section: "About",
    synonyms: ["release notes", "what is new", "versions", "breaking changes"],
    content: () => ({
      head: <Prose text={intro.trim()} />,
      // The section "Unreleased" is empty after a release.
      sections: versions.flatMap((text): Section[] => {
        const [title = "", ...lines] = text.split("\n");
        const body = lines.join("\n").trim();
        return body === "" ? [] : [[`version-${slugOf(title)}`, title, <Prose key={title} text={body} />]];
      }),
    }),
  };
}

const importText = `
- **Postman**: *Import*, then the file or its address. The folders of the collection are the areas.
- **Bruno**: *Import Collection*, *OpenAPI*, then the file. In a terminal:
  \`\`\`bash
  bru import openapi --source openapi.yaml --output .
  \`\`\`
- **Insomnia**: *Import*, then the file or its address.
- **Scalar**: \`npx @scalar/cli document serve openapi.yaml\` shows the document in a browser, with a client.

Then set the variable \`base_url\` to \`http://127.0.0.1:4010\` and \`deposit_base_url\` to \`http://127.0.0.1:4011\`, the two
addresses of the mock, and the API key \`x-api-key\` to any text; or all three to what you were given for staging.
[Get Crypto Deposit Details](operation:getCryptoDepositDetails) is at the second address: sent to the first one, it is answered with
a 404 that looks like an unknown deposit. A program that keeps one address for all requests needs the second one at this request.`;

export function downloadsPage({ contract, install }: SiteContent): SitePage {
  return {
    ref: { kind: "downloads" },
    title: "Downloads",
    description: "The OpenAPI documents, the package, these pages as text, and how to import them into other programs.",
    section: "About",
    synonyms: [
      ..."download openapi,swagger,openapi.json,openapi.yaml,specification,import,collection,sdk".split(","),
      ...["npm package", "llms.txt", "markdown", "language model", "agent", "Postman", "Bruno", "Insomnia", "Scalar"],
    ],
    content: () => ({
      sections: [
        [
          "openapi",
          "OpenAPI",
          <>
            {list(editions, (edition) => (
              <>
                Edition {edition}: <File path={bundleName(edition, "yaml")} />,{" "}
                <File path={bundleName(edition, "json")} />, in OpenAPI 3.0{" "}
                <File path={bundleName(edition, "json30")} />;{" "}
                {edition === "test" ? "everything" : "everything but the operations whose path is proposed"}.
              </>
            ))}
            <p>
              OpenAPI 3.1, contract version {contract.document.info.version}. The form in 3.0 is for tools that do not
              read 3.1; its description says what it leaves out. Each page of an operation links the document of that
              operation alone.
            </p>
          </>,
        ],
        ["import", "Import into other programs", <Prose key="import" text={importText} />],
        [
          "package",
          "Package",
          <>
            <p>
              The typed client, the receiver for webhooks and the mock: <Link to="guide" name="getting-started" />.
            </p>
            <CodeBlock code={install} language="bash" />
          </>,
        ],
        [
          "text",
          "Text for programs and language models",
          <p key="text">
            <File path="llms.txt" />: how to call, a list of all pages as Markdown, and files with the pages of one
            subject each.
          </p>,
        ],
      ],
    }),
  };
}

function File({ path }: { path: string }) {
  return <a href={useHrefs().file(path)}>{path}</a>;
}

/** The 404 page. */
export function notFoundPage(): SitePage {
  return {
    ref: { kind: "not-found" },
    title: "Page not found",
    description: "There is no page at this address.",
    section: "About",
    content: () => ({ head: <NotFound /> }),
  };
}

const beginnings = [
  ["home", "The first page"],
  ["operations", "All operations"],
  ["errors", "All P-codes"],
  ["guides", "All guides"],
] as const;

function NotFound() {
  const hrefs = useHrefs();
  return (
    <>
      <p class="lead">There is no page at this address. Search for it, or begin at one of these:</p>
      {list(beginnings, ([kind, words]) => (
        <a href={hrefs.to({ kind })}>{words}</a>
      ))}
    </>
  );
}
