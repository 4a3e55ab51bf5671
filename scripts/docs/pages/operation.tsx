/** The page of an operation. */
import type { Operation } from "../../contract/index.ts";
import { Successes } from "../components/answers.tsx";
import { Effects } from "../components/effects.tsx";
import { Failures } from "../components/failures.tsx";
import { NextCalls, nextCallsOf, Triggers } from "../components/next-calls.tsx";
import { type PageSection, Sections } from "../components/open-section.tsx";
import { OperationHead } from "../components/operation-head.tsx";
import { Parameters } from "../components/parameters.tsx";
import { Prose } from "../components/prose.tsx";
import { QuestionNotes } from "../components/questions.tsx";
import { RequestBodySection } from "../components/request-body.tsx";
import { Requirements } from "../components/requirements.tsx";
import { Samples } from "../components/samples.tsx";
import { UsedIn } from "../components/used-in.tsx";
import { operationSamples, type Sample } from "../samples/index.ts";
import { editionOf, type SiteContent } from "../site/site.ts";
import { guidesOf, journeysOf } from "../site/uses.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { plainText } from "../text/markdown.tsx";
import type { SitePage } from "./page.ts";

/** The pages of all operations, in the order of the contract. */
export function operationPages(site: SiteContent): SitePage[] {
  return site.contract.operations.map((operation) => operationPage(operation, site));
}

function operationPage(operation: Operation, site: SiteContent): SitePage {
  const { operationId, summary, description, path, method, tag } = operation;
  const samples = operationSamples(operation, site);
  const sections = sectionsOf(operation, samples, site).filter(({ isShown }) => isShown);
  const headings = sections.map(({ id, title }) => ({ id, title }));
  return {
    ref: { kind: "operation", name: operationId },
    title: summary,
    description: plainText(firstSentence(description)),
    section: "Operation",
    synonyms: [operationId, path, `${method.toUpperCase()} ${path}`],
    edition: editionOf(operation),
    trail: [{ ref: { kind: "area", name: tag }, title: tag }],
    headings: samples.length === 0 ? headings : [...headings, { id: "samples", title: "Samples" }],
    content: () => (
      <>
        <OperationHead operation={operation} />
        <div class="columns">
          <div class="text">
            <Sections sections={sections} />
          </div>
          <Samples samples={samples} />
        </div>
      </>
    ),
  };
}

function sectionsOf(operation: Operation, samples: readonly Sample[], site: SiteContent): PageSection[] {
  const { description, effects, requires, parameters, requestBody, answers, triggers, openQuestions } = operation;
  const journeys = journeysOf(operation, site);
  const guides = guidesOf(operation, site);
  const answered = samples.flatMap(({ answer }) => (answer === undefined ? [] : [answer.body]));
  return [
    {
      id: "what-it-does",
      title: "What it does",
      isShown: description !== "" || effects.length > 0,
      content: () => (
        <>
          <Prose text={description} />
          <Effects operation={operation} />
        </>
      ),
    },
    {
      id: "before",
      title: "Before you call it",
      isShown: requires.length > 0,
      content: () => <Requirements operation={operation} />,
    },
    {
      id: "parameters",
      title: "Parameters",
      isShown: parameters.length > 0,
      content: () => <Parameters operation={operation} />,
    },
    {
      id: "request",
      title: "Request body",
      isShown: requestBody !== undefined,
      content: () => <RequestBodySection operation={operation} />,
    },
    {
      id: "responses",
      title: "Responses",
      isShown: answers.some(({ status }) => !(status >= 400)),
      content: () => <Successes operation={operation} shownBodies={answered} />,
    },
    {
      id: "errors",
      title: "Errors",
      isShown: answers.some(({ status }) => status >= 400),
      content: () => <Failures operation={operation} />,
    },
    {
      id: "webhooks",
      title: "Webhooks it leads to",
      isShown: triggers.length > 0,
      content: () => <Triggers operation={operation} />,
    },
    {
      id: "next",
      title: "What next",
      isShown: nextCallsOf(operation).length > 0,
      content: () => <NextCalls operation={operation} />,
    },
    {
      id: "questions",
      title: "Open questions",
      isShown: openQuestions.length > 0,
      content: () => <QuestionNotes ids={openQuestions} />,
    },
    {
      id: "used-in",
      title: "Where it is used",
      isShown: journeys.length + guides.length > 0,
      content: () => <UsedIn journeys={journeys} guides={guides} />,
    },
  ];
}
