import { editions } from "../../base/index.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { Link } from "../components/link.tsx";
import { useHrefs } from "../components/page-context.ts";
import { Prose } from "../components/prose.tsx";
import type { Section, SitePage } from "../components/site-page.ts";
import { list } from "../components/table.tsx";
import { bundleName, collectionName, redocName, slugOf } from "../content/pages.ts";
import type { SiteContent } from "../content/site.ts";
import { feedPath } from "../machine/feed.ts";
import { mockCommandLine } from "../samples/index.ts";

export function changelogPage({ changelog }: SiteContent): SitePage {
  const [intro = "", ...versions] = changelog.replace(/^# .*\n/, "").split(/^## /m);
  return {
    ref: { kind: "changelog" },
    title: "Changelog",
    description: "What changed in the contract, the client, the mock and these pages, by version.",
    section: "About",
    synonyms: ["release notes", "what is new", "versions", "breaking changes", "feed", "RSS", "Atom"],
    content: () => ({
      head: (
        <>
          <Prose text={intro.trim()} />
          <p>
            <File path={feedPath} />: a feed (Atom) with an entry for each version.
          </p>
        </>
      ),
      // An empty section is left out, such as "Unreleased" after a release.
      sections: versions.flatMap((text): Section[] => {
        const [title = "", ...lines] = text.split("\n");
        // The parts of a version are not headings: several versions have a part "Added", but the ids of headings must be unique.
        const body = lines
          .join("\n")
          .replace(/^### (.*)$/gm, "**$1**")
          .trim();
        return body === "" ? [] : [[`version-${slugOf(title)}`, title, <Prose key={title} text={body} />]];
      }),
    }),
  };
}

const importText = `
Postman, Bruno and Insomnia import the collection (*Import*; in Bruno *Import Collection*, *Postman*). It has the first sample of
each operation, and its variables \`base_url\`, \`deposit_base_url\` and \`api_key\` are those of the mock. Each request succeeds
once the mock runs:

\`\`\`bash Start the mock
${mockCommandLine}
\`\`\`

For staging, set the three variables to what you were given. The two uploads send a few words in the place of pictures: for real
files, change their body to a form.

The OpenAPI document can be imported as well:

- **Postman**: *Import*, with *Parameter generation: Example* and *Folder organization: Tags* in the settings. Set \`base_url\`,
  \`deposit_base_url\` and \`apiKey\`, and choose the files of the two uploads.
- **Scalar**: \`npx @scalar/cli document serve openapi.yaml\` shows the document in a browser, with a client.
- **Bruno** ignores the address of an operation: take the collection.

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
                <File path={bundleName(edition, "json30")} />, as a collection <File path={collectionName(edition)} />,
                as one page of Redoc <File path={redocName(edition)} />;{" "}
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
            <CodeBlock code={install} language="bash" label="Install the package" />
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

export function notFoundPage(): SitePage {
  return {
    ref: { kind: "not-found" },
    title: "Page not found",
    description: "There is no page at this address.",
    section: "About",
    content: () => ({ head: <NotFound /> }),
  };
}

const suggestedPages = [
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
      {list(suggestedPages, ([kind, words]) => (
        <a href={hrefs.page({ kind })}>{words}</a>
      ))}
    </>
  );
}
