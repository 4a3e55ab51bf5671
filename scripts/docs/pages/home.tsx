/** The first page: what the service does, a first call, and where everything is. */
import type { Operation } from "../../contract/index.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { Link } from "../components/link.tsx";
import { useHrefs } from "../components/page-context.ts";
import { operationSamples } from "../samples/index.ts";
import { type Area, apiTitle, editionOf, type SiteContent } from "../site/site.ts";
import { counted } from "../text/counted.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { plainText } from "../text/markdown.tsx";
import type { SitePage } from "./page.ts";

/** The operation of the first call: it reads, so that it can be repeated, and needs nothing but what the scenario has. */
const firstOperation = "getUserBalances";

export function homePage(site: SiteContent): SitePage {
  const { contract, guides } = site;
  const { summary = "", description = "" } = contract.document.info as { summary?: string; description?: string };
  const start = guides.filter(({ group }) => group === guides[0]?.group);
  return {
    ref: { kind: "home" },
    title: apiTitle(site),
    description: plainText(summary),
    section: "Start",
    synonyms: ["overview", "introduction", "start"],
    content: () => (
      <>
        <p class="lead">{plainText(description.split("\n\n")[0] ?? summary)}</p>
        <section id="first-call">
          <h2>A first call in two minutes</h2>
          <FirstCall site={site} />
        </section>
        {start.length > 0 && (
          <section id="start">
            <h2>Start here</h2>
            <ul class="cards">
              {start.map(({ name, title, summary: words }) => (
                <Card key={name} target={{ kind: "guide", name }} title={title} words={words} />
              ))}
            </ul>
          </section>
        )}
        <section id="areas">
          <h2>Areas</h2>
          <ul class="cards">
            {site.areas.map((area) => (
              <AreaCard key={area.name} area={area} />
            ))}
          </ul>
        </section>
        <section id="reference">
          <h2>Reference</h2>
          <Counts site={site} />
        </section>
        <section id="certainty">
          <h2>How sure each statement is</h2>
          <p>
            The documents of the service do not describe everything. Each part of this reference says where it comes
            from: stated in the specification, seen in the public reference, observed in a program, or proposed. The
            edition <strong>test</strong> is the whole contract; the edition <strong>latest</strong>, which the client
            and the mock take by default, leaves out the operations whose path is proposed. See{" "}
            <Link to="guide" name="provenance-and-editions" />.
          </p>
        </section>
      </>
    ),
  };
}

/** The mock, curl and the client: three blocks to copy. */
function FirstCall({ site }: { site: SiteContent }) {
  const operation = site.contract.operations.find(({ operationId }) => operationId === firstOperation);
  // A contract of tests does not have it.
  if (operation === undefined) return null;
  const [sample] = operationSamples(operation, site);
  const codeOf = (language: string) => sample?.snippets.find((snippet) => snippet.language === language)?.code ?? "";
  return (
    <ol class="steps">
      <li>
        <h3>Start the mock</h3>
        <p>
          It needs Node.js 20.19 or newer, keeps its state, applies the rules of this reference and sends the webhooks.
        </p>
        <CodeBlock code={`npm install partner-wallet-api\nnpx partner-wallet-api mock --scenario`} language="bash" />
      </li>
      <li>
        <h3>Call it</h3>
        <p>Any API key is accepted. Each key has data of its own.</p>
        <CodeBlock code={codeOf("curl")} language="bash" label="curl" />
        {sample?.answer !== undefined && (
          <p>
            The response is {sample.answer.status} with <code>{Object.keys(sample.answer.body ?? {}).join(", ")}</code>.
          </p>
        )}
      </li>
      <li>
        <h3>Call it with the client</h3>
        <p>
          A call returns <code>data</code> or <code>error</code> and never rejects. <code>error.errorCode</code> is
          typed with every code of the reference; <code>error.documented</code> says whether{" "}
          <Link to="operation" name={firstOperation} /> is known to answer it.
        </p>
        <CodeBlock code={codeOf("typescript")} language="typescript" label="first-call.mjs" />
      </li>
    </ol>
  );
}

type CardTarget = { kind: "guide" | "area"; name: string };

function Card({ target, title, words, count }: { target: CardTarget; title: string; words: string; count?: string }) {
  const hrefs = useHrefs();
  return (
    <li>
      <h3>
        <a href={hrefs.to(target)}>{title}</a>
      </h3>
      <p>{words}</p>
      {count !== undefined && <p class="count">{count}</p>}
    </li>
  );
}

function AreaCard({ area: { name, description, operations, webhooks } }: { area: Area }) {
  const counts = [operationCount(operations), counted(webhooks.length, "webhook")];
  return (
    <Card
      target={{ kind: "area", name }}
      title={name}
      words={plainText(firstSentence(description))}
      count={counts.filter((words) => !words.startsWith("0 ")).join(", ")}
    />
  );
}

/** `5 operations (2 proposed)` */
function operationCount(operations: readonly Operation[]): string {
  const proposed = operations.filter((operation) => editionOf(operation) === "test").length;
  return counted(operations.length, "operation") + (proposed === 0 ? "" : ` (${proposed} proposed)`);
}

function Counts({ site }: { site: SiteContent }) {
  const hrefs = useHrefs();
  const { operations, webhooks, errorCodes, resources } = site.contract;
  const questions = Object.keys(site.questions).length;
  return (
    <ul>
      <li>
        <a href={hrefs.to({ kind: "operations" })}>{operationCount(operations)}</a>, each with samples in curl,
        TypeScript and fetch
      </li>
      <li>
        <a href={hrefs.to({ kind: "webhooks" })}>{counted(webhooks.length, "webhook")}</a>, each with a receiver
      </li>
      <li>
        <a href={hrefs.to({ kind: "errors" })}>{counted(errorCodes.length, "P-code")}</a>, each with who acts and what
        to do
      </li>
      <li>
        <a href={hrefs.to({ kind: "lifecycles" })}>{counted(resources.length, "resource")}</a> and how their states
        follow each other
      </li>
      <li>
        <a href={hrefs.to({ kind: "questions" })}>{counted(questions, "open question")}</a>, each with what this
        reference assumes
      </li>
    </ul>
  );
}
