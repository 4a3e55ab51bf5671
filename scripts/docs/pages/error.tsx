/** The page of a P-code. */
import type { ErrorCode } from "../../contract/index.ts";
import { AdviceMark } from "../components/advice.tsx";
import { codeOfValue } from "../components/answers.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { CodeOperations } from "../components/code-operations.tsx";
import { type CodePair, causesOfPair, notTrueWords, pairsOf, surestPair } from "../components/code-pairs.ts";
import { actorWords, retryWords } from "../components/error-tables.tsx";
import { generalCodes } from "../components/general-answers.ts";
import { Link } from "../components/link.tsx";
import { ProvenanceMark } from "../components/marks.tsx";
import { type PageSection, Sections } from "../components/open-section.tsx";
import { OperationLinks } from "../components/operation-links.tsx";
import { InlineProse, Prose } from "../components/prose.tsx";
import { ProvokeCode } from "../components/provoke-code.tsx";
import { QuestionNotes } from "../components/questions.tsx";
import { Samples } from "../components/samples.tsx";
import { codeSample, type Sample } from "../samples/index.ts";
import type { SiteContent } from "../site/site.ts";
import { plainText } from "../text/markdown.tsx";
import type { SitePage } from "./page.ts";

/** The pages of all P-codes, in the order of their numbers. */
export function errorPages(site: SiteContent): SitePage[] {
  return site.contract.errorCodes.map((error) => errorPage(error, site));
}

function errorPage(error: ErrorCode, site: SiteContent): SitePage {
  const { code, meaning, status } = error;
  const pairs = pairsOf(code, site.contract);
  const shown = surestPair(pairs, site);
  const sample = shown && codeSample(shown.operation, code, site);
  const sections = sectionsOf({ error, pairs, shown, sample, site }).filter(({ isShown }) => isShown);
  const headings = sections.map(({ id, title }) => ({ id, title }));
  const lead = leadOf(error, pairs, site);
  return {
    ref: { kind: "error", name: code },
    title: `${code} ${meaning}`,
    description: `${code}, HTTP status ${status}: ${meaning}. ${plainText(lead)}`,
    section: "Error",
    synonyms: [code, code.toLowerCase(), "P-code", "error code"],
    trail: [{ ref: { kind: "errors" }, title: "Errors" }],
    headings: sample === undefined ? headings : [...headings, { id: "samples", title: "Samples" }],
    content: () => (
      <>
        <p class="lead">
          <InlineProse text={lead} />
        </p>
        <CodeFacts error={error} />
        <div class={sample === undefined ? undefined : "columns"}>
          <div class="text">
            <Sections sections={sections} />
          </div>
          {sample !== undefined && <Samples samples={[{ ...sample, answer: undefined }]} />}
        </div>
      </>
    ),
  };
}

/** Who returns the code and what is known to lead to it, as Markdown. */
function leadOf({ status, retry }: ErrorCode, pairs: readonly CodePair[], site: SiteContent): string {
  const causes = pairs.map((pair) => causesOfPair(pair, site));
  const conditions = new Set(causes.flatMap((cause) => cause.conditions));
  const reasons = [
    ...(conditions.size === 0 ? [] : [`when ${notTrueWords([...conditions])}`]),
    ...(causes.some(({ invalid }) => invalid.length > 0) ? ["when the request breaks its schema"] : []),
  ];
  const sentences = [
    ...(retry === "none" ? [`It is not an error: the status is ${status}.`] : []),
    pairs.length === 0
      ? "No operation is known to return it."
      : `${pairs.length} of ${site.contract.operations.length} operations can return it.`,
    ...(reasons.length === 0 ? [] : [`It arises ${reasons.join(", or ")}.`]),
  ];
  return sentences.join(" ");
}

/** What has to be known first. */
function CodeFacts({ error }: { error: ErrorCode }) {
  const { status, actor, retry, resolution, resolvedBy, provenance = "proposed" } = error;
  return (
    <dl class="subject-facts">
      <dt>HTTP status</dt>
      <dd>{status}</dd>
      <dt>Who acts</dt>
      <dd>
        {actorWords[actor]} <AdviceMark />
      </dd>
      <dt>Retry</dt>
      <dd>
        {retryWords[retry].long} <AdviceMark />
      </dd>
      <dt>What to do</dt>
      <dd>
        <InlineProse text={resolution} />
        {resolvedBy.length > 0 && (
          <>
            {" "}
            Call: <OperationLinks operationIds={resolvedBy} joint="or" />.
          </>
        )}{" "}
        <AdviceMark />
      </dd>
      <dt>The code itself</dt>
      <dd>
        <ProvenanceMark provenance={provenance} isLong />
      </dd>
    </dl>
  );
}

interface Subject {
  error: ErrorCode;
  pairs: readonly CodePair[];
  shown: CodePair | undefined;
  sample: Sample | undefined;
  site: SiteContent;
}

function sectionsOf({ error, pairs, shown, sample, site }: Subject): PageSection[] {
  const { code, onCall, openQuestions } = error;
  const body = sample?.answer?.body ?? error.place.own("examples", 0).value;
  return [
    {
      id: "on-call",
      title: "On call",
      isShown: true,
      content: () => (
        <>
          <Prose text={onCall} />
          <p class="advice">
            <AdviceMark /> The service does not state this.
          </p>
        </>
      ),
    },
    {
      id: "operations",
      title: "Operations that return it",
      isShown: pairs.length > 0,
      content: () =>
        generalCodes(site.contract).has(code) ? (
          <GeneralOperations error={error} pairs={pairs} />
        ) : (
          <CodeOperations error={error} pairs={pairs} />
        ),
    },
    {
      id: "provoke",
      title: "In the mock",
      isShown: shown !== undefined,
      content: () => shown !== undefined && <ProvokeCode error={error} pairs={pairs} shown={shown} />,
    },
    {
      id: "body",
      title: "Body",
      isShown: body !== undefined,
      content: () => (
        <>
          <CodeBlock {...codeOfValue(body, "application/json")} />
          <p>
            Decide by <code>errorCode</code>, not by the status or the message:{" "}
            <Link to="guide" name="errors-and-retries" />.
          </p>
        </>
      ),
    },
    { id: "client", title: "In the client", isShown: true, content: () => <InClient error={error} /> },
    {
      id: "questions",
      title: "Open questions",
      isShown: openQuestions.length > 0,
      content: () => <QuestionNotes ids={openQuestions} />,
    },
  ];
}

/** The operations of a code that says nothing of a single one. */
function GeneralOperations({ error, pairs }: { error: ErrorCode; pairs: readonly CodePair[] }) {
  return (
    <>
      <p>It can come from nearly every operation and says nothing of a single one.</p>
      <details>
        <summary>All {pairs.length} operations that document it</summary>
        <CodeOperations error={error} pairs={pairs} />
      </details>
    </>
  );
}

/** How the client shows the code. */
function InClient({ error: { code, retry, status } }: { error: ErrorCode }) {
  if (status < 300) {
    return (
      <>
        <CodeBlock
          language="typescript"
          code={`if (data && "errorCode" in data && data.errorCode === "${code}") {\n  // accepted, the result comes by webhook\n}`}
        />
        <p>
          The call has succeeded, so the code is in <code>data</code>.
        </p>
      </>
    );
  }
  return (
    <>
      <CodeBlock
        language="typescript"
        code={`if (error?.errorCode === "${code}") {\n  console.error(error.meaning, error.resolution);\n}`}
      />
      <p>
        <code>error.retry</code> is <code>{retry}</code>, and <code>error.outcome</code> says whether the call may have
        had an effect.
      </p>
    </>
  );
}
