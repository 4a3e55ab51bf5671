import { found } from "../../base/index.ts";
import { Cards, GuideCards } from "../components/cards.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Link } from "../components/link.tsx";
import { plainText } from "../components/markdown.tsx";
import { QuickStarts } from "../components/quick-starts.tsx";
import { BareSample } from "../components/samples.tsx";
import type { SitePage } from "../components/site-page.ts";
import { apiTitle, type SiteContent } from "../content/site.ts";
import { firstOperation, firstSample, mockCommandLine } from "../samples/index.ts";
import { firstSentence } from "../text/words.ts";

/** By the name of the guide that shows how to do the task. */
const taskGuides = {
  sepa: "Pay out to a bank account",
  crypto: "Pay out to a crypto wallet",
  webhooks: "Receive events",
  onboarding: "Onboard a user",
  exchange: "Exchange currencies",
  cards: "Issue a card",
  reconciliation: "Reconcile",
  "payment-links": "Accept a crypto payment",
};

const tryOutOperation = { kind: "operation" as const, name: "createTransfer" };

const tryOutCard = {
  ref: tryOutOperation,
  title: "Try it without code",
  description: "Start the mock, change a request in the page, send it, and see what it led to.",
};

export function homePage(site: SiteContent): SitePage {
  const { contract, guides } = site;
  const { summary = "" } = contract.document.info as { summary?: string };
  const taskCards = Object.entries(taskGuides).flatMap(([name, title]) => {
    const description = guides.find((guide) => guide.name === name)?.summary;
    return description === undefined ? [] : [{ ref: { kind: "guide" as const, name }, title, description }];
  });
  const tryOutCards = contract.operations.flatMap(({ name }) => (name === tryOutOperation.name ? [tryOutCard] : []));
  const startGuides = guides.filter(({ group }) => group === guides[0]?.group);
  const areaCards = site.areas.map(({ name, description }) => ({
    ref: { kind: "area" as const, name },
    title: name,
    description: plainText(firstSentence(description)),
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
          <p class="lead">{plainText(summary)} Results arrive by webhook.</p>
          <QuickStarts typescriptGuide="getting-started" />
        </>
      ),
      sections: [
        [
          "tasks",
          "What do you want to do?",
          taskCards.length > 0 && <Cards key="tasks" pages={[...taskCards, ...tryOutCards]} />,
        ],
        ["first-call", "A first call in two minutes", <FirstCall key="first-call" site={site} />],
        [
          "start",
          "Start here",
          <GuideCards key="start" guides={startGuides.filter(({ name }) => !(name in taskGuides))} />,
        ],
        ["areas", "Areas", <Cards key="areas" pages={areaCards} />],
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
  const sample = firstSample(site);
  if (sample === undefined || operation === undefined) return null;
  const { status, body } = found(sample.response, `response of the sample of ${firstOperation}`);
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
        <BareSample operation={operation} sample={sample} />
        <p>
          The response is {status} with <code>{Object.keys(Object(body)).join(", ")}</code>.
        </p>
        <p>
          A call of the client returns <code>data</code> or <code>error</code> and never rejects.{" "}
          <code>error.errorCode</code> is typed with every code of the reference; <code>error.documented</code> says
          whether <Link to="operation" name={firstOperation} /> is known to answer it.
        </p>
      </li>
    </ol>
  );
}
