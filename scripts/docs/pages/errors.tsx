/** The list of all P-codes, and the responses without one. */
import type { Contract, Marks } from "../../contract/index.ts";
import { CodesByActor, ErrorsWithoutCode, ErrorTable } from "../components/error-tables.tsx";
import { Link } from "../components/link.tsx";
import { type PageSection, Sections } from "../components/open-section.tsx";
import { QuestionNotes } from "../components/questions.tsx";
import { schemaParts } from "../site/marked-parts.ts";
import type { SiteContent } from "../site/site.ts";
import type { SitePage } from "./page.ts";

export function errorsPage(site: SiteContent): SitePage {
  const sections = sectionsOf(site).filter(({ isShown }) => isShown);
  const count = site.contract.errorCodes.length;
  return {
    ref: { kind: "errors" },
    title: "Errors",
    description: `The ${count} P-codes, with who acts and what to do, and the responses without a code.`,
    section: "Reference",
    synonyms: [
      "P-code",
      "error code",
      "errorCode",
      "401",
      "unauthorized",
      "access denied",
      "IP allow-list",
      "whitelist",
    ],
    headings: sections.map(({ id, title }) => ({ id, title })),
    content: () => (
      <>
        <p class="lead">
          A failure names its cause with a P-code. Decide by the code, not by the status or the message:{" "}
          <Link to="guide" name="errors-and-retries" />.
        </p>
        <Sections sections={sections} />
      </>
    ),
  };
}

function sectionsOf({ contract }: SiteContent): PageSection[] {
  const questions = questionsOnErrors(contract);
  return [
    {
      id: "codes",
      title: "All codes",
      isShown: true,
      content: () => (
        <>
          <ErrorTable />
          <p class="advice">Who acts and whether to retry is advice of this contract; the service does not state it.</p>
        </>
      ),
    },
    { id: "by-actor", title: "By who acts", isShown: true, content: () => <CodesByActor /> },
    {
      id: "without-a-code",
      title: "Responses without a P-code",
      isShown: true,
      content: () => <ErrorsWithoutCode />,
    },
    {
      id: "questions",
      title: "Open questions",
      isShown: questions.length > 0,
      content: () => <QuestionNotes ids={questions} />,
    },
  ];
}

/** The questions on codes, on the fields of their bodies, and on the answers without a code. */
function questionsOnErrors({ errorCodes, operations }: Contract): string[] {
  const failures = operations.flatMap(({ answers }) => answers.filter(({ status }) => status >= 400));
  const onAnswers = failures.flatMap(({ place }) => ((place.target.value ?? {}) as Marks)["x-open-questions"] ?? []);
  const onBodies = errorCodes.flatMap(({ place }) => schemaParts(place, "").flatMap(({ questions }) => questions));
  return [...new Set([...onBodies, ...onAnswers])];
}
