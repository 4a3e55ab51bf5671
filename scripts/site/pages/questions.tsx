import type { ComponentChildren } from "preact";
import { type OpenQuestion, type Rank, rankNames, ranks } from "../../contract/model/index.ts";
import { Link } from "../components/link.tsx";
import { plainText } from "../components/markdown.tsx";
import { useHrefs } from "../components/page-context.ts";
import { InlineProse } from "../components/prose.tsx";
import type { SitePage } from "../components/site-page.ts";
import { list, Table } from "../components/table.tsx";
import { howToRun } from "../content/answers.ts";
import { type QuestionLocation, questionLocations, schemasOfQuestion } from "../content/question-locations.ts";
import { rowsOf } from "../content/question-rows.ts";
import type { SiteContent } from "../content/site.ts";

const title = "Open questions";

function ranksOf({ questions }: SiteContent): Rank[] {
  const usedRanks = new Set(Object.values(questions).map(({ rank }) => rank));
  return rankNames.filter((rank) => usedRanks.has(rank));
}

export function questionPages(site: SiteContent): SitePage[] {
  const locations = questionLocations(site.contract);
  return ranksOf(site).map((rank) => {
    const entries = questionsOf(site, rank);
    return {
      ref: { kind: "questions-of", name: rank },
      title: `Open questions: ${rank}`,
      description: `${ranks[rank]}. ${entries.length} questions, and what this contract assumes meanwhile.`,
      section: "Open question",
      trail: [{ ref: { kind: "questions" }, title }],
      content: () => ({
        head: entries.map(([id, entry]) => (
          <Question key={id} id={id} entry={entry} site={site} locations={locations.get(id) ?? []} />
        )),
      }),
    };
  });
}

export function questionsPage(site: SiteContent): SitePage {
  const count = Object.keys(site.questions).length;
  return {
    ref: { kind: "questions" },
    title,
    description: `${count} questions that the documents of the service do not answer, by what a wrong assumption costs.`,
    section: "Open question",
    synonyms: ["assumption", "unknown", "not stated", "questionnaire", "print"],
    content: () => ({
      head: (
        <>
          <p class="lead">
            {count} questions are open: the documents of the service do not answer them, or they contradict each other.
            Each one says what this contract assumes until it is answered, and what changes with the answer.
          </p>
          <Questionnaire />
        </>
      ),
      sections: ranksOf(site).map((rank) => [
        rank,
        ranks[rank],
        list(
          questionsOf(site, rank),
          ([id, { question }]) => (
            <Link to="question" name={id}>
              {plainText(question)}
            </Link>
          ),
          { class: "plain" },
        ),
      ]),
    }),
  };
}

function Questionnaire() {
  const hrefs = useHrefs();
  return (
    <p>
      All of them with room for the answers, to print or to send to the team of the service:{" "}
      <a href={hrefs.file("questions/questionnaire.txt")}>questionnaire.txt</a> (text, to print), and{" "}
      <a href={hrefs.file("questions/questionnaire.csv")}>questionnaire.csv</a> (spreadsheet). The pages of the four
      kinds print without the navigation.
    </p>
  );
}

function questionsOf({ questions }: SiteContent, rank: Rank): [id: string, entry: OpenQuestion][] {
  return Object.entries(questions).filter(([, entry]) => entry.rank === rank);
}

interface QuestionProps {
  id: string;
  entry: OpenQuestion;
  site: SiteContent;
  locations: QuestionLocation[];
}

function Question({ id, entry, site, locations }: QuestionProps) {
  const { question, rank, who, assumption, evidence, change, section, statedAs } = entry;
  return (
    <section class="question" id={id.toLowerCase()}>
      <h2>
        <InlineProse text={question} />
      </h2>
      <dl>
        <dt>Assumed</dt>
        <dd>
          <InlineProse text={assumption} />
          <Rows id={id} entry={entry} site={site} />
        </dd>
        <dt>Evidence</dt>
        <dd>
          <InlineProse text={evidence} />
        </dd>
        <dt>If it is otherwise</dt>
        {Object.entries(change).map(([answer, consequence]) => (
          <dd key={answer}>
            <InlineProse text={`${answer}: ${consequence}`} />
            <HowToRun text={howToRun(id, answer)} />
          </dd>
        ))}
        <dt>Left open in</dt>
        <dd>
          {section.startsWith("Public reference") ? section : `Interface specification, ${section}`}
          <Quote text={statedAs} />
        </dd>
        <dt>Rank, and who can answer</dt>
        <dd>
          {rank}, {who}
        </dd>
        {typeof entry.matrix !== "string" && [
          <dt key="term">Concerns</dt>,
          <dd key="places">{concernedSubjects(id, site, locations)}</dd>,
        ]}
      </dl>
      <p class="quiet">
        <code>{id}</code>
      </p>
    </section>
  );
}

function HowToRun({ text }: { text: string }) {
  if (text === "") return null;
  return (
    <p class="quiet">
      <InlineProse text={text} />
    </p>
  );
}

function Rows({ id, entry, site }: Omit<QuestionProps, "locations">) {
  const rows = rowsOf(id, entry, site.contract);
  if (rows.length === 0) return null;
  const haveSameAssumption = rows.every(({ assumption }) => assumption === entry.assumption);
  const hasEvidence = rows.some(({ evidence, statedAs }) => evidence !== undefined || statedAs !== undefined);
  return (
    <Table
      rows={rows}
      columns={{
        Area: rows[0]?.area ? ({ area }) => area : undefined,
        For: ({ row }) => <InlineProse text={row} />,
        Assumed: haveSameAssumption ? undefined : ({ assumption }) => <InlineProse text={assumption} />,
        Evidence: hasEvidence
          ? ({ evidence = "", statedAs }) => (
              <>
                <InlineProse text={evidence} />
                <Quote text={statedAs} />
              </>
            )
          : undefined,
      }}
    />
  );
}

function Quote({ text }: { text: string | undefined }) {
  return text === undefined ? null : [" ", <q key="quote">{text}</q>];
}

/** Up to this number of operations and webhooks, the page lists the affected parts of each. */
const maxDetailedSubjects = 8;

function concernedSubjects(id: string, site: SiteContent, locations: readonly QuestionLocation[]): ComponentChildren {
  const schemas = schemasOfQuestion(id, site.contract);
  const subjectList = list(
    locations,
    ({ subject, parts }) => (
      <>
        <Link to={subject.kind} name={subject.name} />
        {subject.kind === "webhook" && " (webhook)"}
        {parts.length > 0 &&
          locations.length <= maxDetailedSubjects && [": ", <InlineProse key="parts" text={parts.join(", ")} />]}
      </>
    ),
    { class: "plain" },
  );
  return subjectList ?? (schemas.length === 0 ? "The interface as a whole." : `${schemas.join(", ")}.`);
}
