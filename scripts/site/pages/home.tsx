import { Cards, GuideCards } from "../components/cards.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Link } from "../components/link.tsx";
import { QuickStarts } from "../components/quick-starts.tsx";
import { mockCommandLine, operationSamples, type Sample } from "../samples/index.ts";
import { apiTitle, type SiteContent } from "../site/site.ts";
import { plainText } from "../text/markdown.tsx";
import { firstSentence } from "../text/words.ts";
import type { SitePage } from "./page.ts";

/** A read that can be repeated and succeeds in a mock that was started with the scenario. */
const firstOperation = "getUserBalances";

export function homePage(site: SiteContent): SitePage {
  const { contract, guides } = site;
  const { summary = "", description = "" } = contract.document.info as { summary?: string; description?: string };
  const start = guides.filter(({ group }) => group === guides[0]?.group);
  const areas = site.areas.map(({ name, description: words }) => ({
    ref: { kind: "area" as const, name },
    title: name,
    words: plainText(firstSentence(words)),
  }));
  return {
    ref: { kind: "home" },
    title: apiTitle(site),
    description: plainText(summary),
    section: "Start",
    synonyms: ["overview", "introduction", "start"],
    content: () => ({
      head: (
        <>
          <p class="lead">{plainText(`${description.split("\n\n")[0]}`)}</p>
          <QuickStarts />
        </>
      ),
      sections: [
        ["first-call", "A first call in two minutes", <FirstCall key="first-call" site={site} />],
        ["start", "Start here", <GuideCards key="start" guides={start} />],
        ["areas", "Areas", <Cards key="areas" pages={areas} />],
        [
          "certainty",
          "How sure each statement is",
          <p key="certainty">
            The documents of the service do not describe everything. What is observed in a program or proposed has a
            mark; everything else is stated in the specification or seen in the public reference. The edition{" "}
            <strong>test</strong> is the whole contract; the edition <strong>latest</strong>, which the client and the
            mock take by default, leaves out the operations whose path is proposed. See{" "}
            <Link to="guide" name="provenance-and-editions" />.
          </p>,
        ],
      ],
    }),
  };
}

function FirstCall({ site }: { site: SiteContent }) {
  const operation = site.contract.operations.find(({ operationId }) => operationId === firstOperation);
  // The contracts of some tests lack this operation.
  if (operation === undefined) return null;
  const [sample] = operationSamples(operation, site) as [Sample];
  const { status, body } = sample.response as NonNullable<Sample["response"]>;
  return (
    <ol class="steps">
      <li>
        <h3>Start the mock</h3>
        <p>
          It needs Node.js 20.19 or newer, keeps its state, applies the rules of this reference and sends the webhooks.
        </p>
        <CodeBlock code={`${site.install}\n${mockCommandLine}`} language="bash" />
      </li>
      <li>
        <h3>Call it</h3>
        <p>Any API key is accepted. Each key has data of its own.</p>
        <CodeBlock code={sample.snippets.curl} language="bash" label="curl" />
        <p>
          The response is {status} with <code>{Object.keys(body as object).join(", ")}</code>.
        </p>
      </li>
      <li>
        <h3>Call it with the client</h3>
        <p>
          A call returns <code>data</code> or <code>error</code> and never rejects. <code>error.errorCode</code> is
          typed with every code of the reference; <code>error.documented</code> says whether{" "}
          <Link to="operation" name={firstOperation} /> is known to answer it.
        </p>
        <CodeBlock code={sample.snippets.typescript} language="typescript" label="first-call.mjs" />
      </li>
    </ol>
  );
}
