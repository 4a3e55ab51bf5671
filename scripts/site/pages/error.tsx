import type { ErrorCode } from "../../contract/model/index.ts";
import { BodyBlock } from "../components/code-block.tsx";
import {
  actorWords,
  type CodePair,
  causesOfPair,
  effectOf,
  generalCodes,
  pairsOf,
  retryWords,
  strongestPair,
} from "../components/code-data.ts";
import { ErrorsWithoutCode, ErrorTable, PairList, Resolution } from "../components/codes.tsx";
import { Link } from "../components/link.tsx";
import { plainText } from "../components/markdown.tsx";
import { isWeak, WeakMark } from "../components/marks.tsx";
import { InlineProse, Prose } from "../components/prose.tsx";
import { Samples } from "../components/samples.tsx";
import type { PageContent, SitePage } from "../components/site-page.ts";
import { list } from "../components/table.tsx";
import { slugOf } from "../content/pages.ts";
import { questionsIn } from "../content/question-locations.ts";
import type { SiteContent } from "../content/site.ts";
import { failuresOf } from "../content/subjects.ts";
import { codeSample } from "../samples/index.ts";
import { listWords } from "../text/words.ts";

export function errorsPage({ contract: { errorCodes, operations } }: SiteContent): SitePage {
  const failures = operations.flatMap(failuresOf);
  return {
    ref: { kind: "errors" },
    title: "Errors",
    description: `The ${errorCodes.length} P-codes, with who acts and what to do, and the responses without a code.`,
    section: "Reference",
    synonyms: [..."P-code,error code,errorCode,401,unauthorized,access denied,IP allow-list,whitelist".split(",")],
    content: () => ({
      head: (
        <p class="lead">
          A failure names its cause with a P-code. Decide by the code, not by the status or the message:{" "}
          <Link to="guide" name="errors-and-retries" />.
        </p>
      ),
      sections: [
        [
          "codes",
          "All codes",
          <>
            <ErrorTable />
            <p class="note">Who acts and whether to retry is advice of this contract.</p>
          </>,
        ],
        ["without-a-code", "Responses without a P-code", <ErrorsWithoutCode key="without" />],
      ],
      questions: [
        ...errorCodes.flatMap(({ location }) => questionsIn(location, true)),
        ...failures.flatMap(({ location }) => location.target.texts("x-open-questions")),
      ],
    }),
  };
}

export function errorPages(site: SiteContent): SitePage[] {
  return site.contract.errorCodes.map((error) => {
    const { code, meaning, status } = error;
    const pairs = pairsOf(code, site.contract);
    const lead = leadOf(error, pairs, site);
    return {
      ref: { kind: "error", name: code },
      title: `${code} ${meaning}`,
      description: `${code}, HTTP status ${status}: ${meaning}. ${plainText(lead)}`,
      section: "Error",
      // Readers also search for the number alone.
      synonyms: [code, code.replace(/^P/, "")],
      trail: [{ ref: { kind: "errors" }, title: "Errors" }],
      content: () => contentOf(error, pairs, lead, site),
    };
  });
}

function leadOf({ status, retry }: ErrorCode, pairs: readonly CodePair[], site: SiteContent): string {
  const conditions = new Set(Object.values(site.conditions).map(({ otherwise }) => otherwise));
  const causes = pairs.flatMap((pair) => causesOfPair(pair, site));
  const reasons = [
    ...new Set(causes.map((cause) => (conditions.has(cause) ? cause : "the request breaks its schema"))),
  ];
  return [
    ...(reasons.length === 0 ? [] : [`Returned when ${listWords(reasons, "or")}.`]),
    ...(retry === "none" ? [`It is not an error: the status is ${status}, and the code is in \`data\`.`] : []),
    pairCountWords(pairs, site.contract.operations.length),
  ].join(" ");
}

function pairCountWords(pairs: readonly CodePair[], count: number): string {
  const knownCount = pairs.filter(({ provenance }) => !isWeak(provenance)).length;
  const otherCount = pairs.length - knownCount;
  if (pairs.length === 0) return "No operation is known to return it.";
  if (knownCount === 0) return `${otherCount} of ${count} operations may return it.`;
  return `${knownCount} of ${count} operations ${knownCount === 1 ? "returns" : "return"} it${otherCount === 0 ? "." : `; ${otherCount} more may.`}`;
}

function contentOf(error: ErrorCode, pairs: readonly CodePair[], lead: string, site: SiteContent): PageContent {
  const { code, openQuestions } = error;
  const shownPair = strongestPair(pairs, site);
  const sample = shownPair && codeSample(shownPair.operation, code, site);
  const body = sample?.response?.body ?? error.location.child("examples", 0).value;
  return {
    head: (
      <>
        <p class="lead">
          <InlineProse text={lead} />
        </p>
        <CodeFacts error={error} />
      </>
    ),
    sections: [
      ["guides", "Guides", list(guideLinksFor(code, site), (target) => <Link to="guide" {...target} />)],
      [
        "operations",
        "Operations that return it",
        pairs.length > 0 &&
          (generalCodes(site.contract).has(code) ? (
            <details>
              <summary>All {pairs.length} operations that document it</summary>
              <PairList pairs={pairs} />
            </details>
          ) : (
            <PairList pairs={pairs} />
          )),
      ],
      ["body", "Body", body !== undefined && <BodyBlock value={body} />],
    ],
    questions: openQuestions,
    samples: sample && <Samples operation={shownPair.operation} samples={[{ ...sample, response: undefined }]} />,
  };
}

function guideLinksFor(code: string, { guides }: SiteContent) {
  return guides.flatMap(({ name, title, text }) =>
    [...text.matchAll(/^## (.*)$/gm)].flatMap(([, heading = ""]) =>
      new RegExp(`\\b${code}\\b`).test(heading)
        ? [{ name: `${name}#${slugOf(heading)}`, children: `${title}: ${heading}` }]
        : [],
    ),
  );
}

function CodeFacts({ error }: { error: ErrorCode }) {
  const { status, actor, retry, onCall, effectiveProvenance: provenance } = error;
  const advice = {
    "Took effect": (
      <>
        {effectOf(error).longText}{" "}
        {effectOf(error).shortText === "Unknown" && <Link to="guide" name="unknown-outcomes" />}
      </>
    ),
    "Who acts": actorWords[actor],
    Retry: retryWords[retry].longText,
    "What to do": <Resolution error={error} />,
    "On call": <Prose text={onCall} />,
  };
  return (
    <dl class="subject-facts">
      <dt>HTTP status</dt>
      <dd>
        {status}
        <WeakMark provenance={provenance} />
      </dd>
      {Object.entries(advice).map(([term, words]) => [
        <dt key={term}>{term}</dt>,
        <dd key={`${term}-advice`}>{words}</dd>,
      ])}
    </dl>
  );
}
