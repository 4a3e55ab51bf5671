/** The open questions, by area. */
import { Link } from "../components/link.tsx";
import { useHrefs } from "../components/page-context.ts";
import { InlineProse } from "../components/prose.tsx";
import { slugOf } from "../site/pages.ts";
import { generalQuestions, placesOfQuestions, type QuestionPlace, schemasOfQuestion } from "../site/question-places.ts";
import type { EditionSite } from "../site/site.ts";
import { plainText } from "../text/markdown.tsx";
import type { SitePage } from "./page.ts";

const title = "Open questions";

/** A page for each area that questions are open in, and one for those on more than one area. */
export function questionPages(site: EditionSite): SitePage[] {
  const places = placesOfQuestions(site.contract);
  return homesOf(site).map((home) => {
    const ids = questionsOf(site, home);
    return {
      ref: { kind: "questions-of", name: home },
      title: home === generalQuestions ? "Open questions on the interface as a whole" : `Open questions: ${home}`,
      description: `What nobody has stated yet (${ids.length}), and what this contract assumes instead.`,
      section: "Open question",
      trail: [{ ref: { kind: "questions" }, title }],
      content: () => ids.map((id) => <Question key={id} id={id} site={site} places={places.get(id) ?? []} />),
    };
  });
}

/** The list of all questions, in their words. */
export function questionsPage(site: EditionSite): SitePage {
  const count = Object.keys(site.questions).length;
  return {
    ref: { kind: "questions" },
    title,
    description: `${count} questions that the documents of the service do not answer, by area.`,
    section: "Open question",
    synonyms: ["assumption", "unknown", "not stated"],
    headings: homesOf(site).map((home) => ({ id: slugOf(home), title: home })),
    content: () => (
      <>
        <p class="lead">
          {count} questions on this edition are open: the documents of the service do not answer them, or they
          contradict each other. Each one says what this contract assumes until it is answered, and what changes with
          the answer.
        </p>
        {homesOf(site).map((home) => (
          <section key={home} id={slugOf(home)}>
            <h2>
              <HomeLink name={home} />
            </h2>
            <ul class="plain">
              {questionsOf(site, home).map((id) => (
                <li key={id}>
                  <Link to="question" name={id}>
                    {plainText(site.questions[id]?.question ?? id)}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </>
    ),
  };
}

function HomeLink({ name }: { name: string }) {
  const hrefs = useHrefs();
  return <a href={hrefs.to({ kind: "questions-of", name })}>{name}</a>;
}

/** The areas in their order, then what concerns several of them. */
function homesOf({ areas, questionHomes }: EditionSite): string[] {
  const used = new Set(questionHomes.values());
  return [...areas.map(({ name }) => name), generalQuestions].filter((name) => used.has(name));
}

function questionsOf({ questionHomes }: EditionSite, home: string): string[] {
  return [...questionHomes].filter(([, candidate]) => candidate === home).map(([id]) => id);
}

function Question({ id, site, places }: { id: string; site: EditionSite; places: QuestionPlace[] }) {
  const entry = site.questions[id];
  if (entry === undefined) return null;
  const { question, assumption, evidence, change, section, statedAs } = entry;
  return (
    <section class="question" id={id.toLowerCase()}>
      <h2>
        <InlineProse text={question} />
      </h2>
      <dl>
        <dt>This contract assumes</dt>
        <dd>
          <InlineProse text={assumption} />
        </dd>
        <dt>Evidence</dt>
        <dd>
          <InlineProse text={evidence} />
        </dd>
        <dt>If the answer differs</dt>
        <dd>
          <InlineProse text={change} />
        </dd>
        <dt>Left open in</dt>
        <dd>
          Interface specification, {section}
          {statedAs !== undefined && (
            <>
              : <q>{statedAs}</q>
            </>
          )}
        </dd>
        <dt>Concerns</dt>
        <dd>
          <Concerned id={id} site={site} places={places} />
        </dd>
      </dl>
      <p class="id">
        <code>{id}</code>
      </p>
    </section>
  );
}

function Concerned({ id, site, places }: { id: string; site: EditionSite; places: QuestionPlace[] }) {
  if (places.length === 0) {
    const schemas = schemasOfQuestion(id, site.contract);
    return <>{schemas.length === 0 ? "The interface as a whole." : `${schemas.join(", ")}.`}</>;
  }
  return (
    <ul class="plain">
      {places.map(({ subject, parts }) => (
        <li key={subject.label}>
          <Link to={subject.kind} name={subject.name} />
          {subject.kind === "webhook" && " (webhook)"}
          {parts.length > 0 && (
            <>
              {": "}
              <InlineProse text={parts.join(", ")} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
