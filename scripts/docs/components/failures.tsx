/** How an operation fails: its own P-codes first, what comes of every operation in one line each. */
import { type Answer, type Marks, markOn, type Operation, type Provenance, weakest } from "../../contract/index.ts";
import { CodeLink, type CodeRow, CodeTable, codeRowsOf, MeaningOf, PairMark, questionsOf } from "./code-table.tsx";
import { WeakerMark } from "./effects.tsx";
import { generalCodes, isAnswerOfAll } from "./general-answers.ts";
import { useHrefs, usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { QuestionNotes } from "./questions.tsx";

/** The failures of an operation. */
export function Failures({ operation }: { operation: Operation }) {
  const { site } = usePage();
  const hrefs = useHrefs();
  const { provenance = "proposed", answers } = operation;
  const failures = answers.filter(({ status }) => status >= 400);
  const general = generalCodes(site.contract);
  const rows = codeRowsOf(failures);
  const own = rows.filter(({ ref }) => !general.has(ref.code));
  const codeless = failures.filter(({ codes }) => codes.length === 0);
  const questions = failures.filter(({ codes }) => codes.length > 0).flatMap(questionsOn);
  const isOfAll = (answer: Answer) => isAnswerOfAll(answer, site.contract);
  const asItem = (answer: Answer) => <CodelessAnswer key={answer.key} answer={answer} enclosing={provenance} />;
  const others = [
    ...codeless.filter((answer) => !isOfAll(answer)).map(asItem),
    ...rows
      .filter(({ ref }) => general.has(ref.code))
      .map((row) => <GeneralCode key={row.ref.place.id} row={row} enclosing={provenance} />),
    ...codeless.filter(isOfAll).map(asItem),
  ];
  return (
    <>
      {own.length > 0 && (
        <>
          <CodeTable rows={own} enclosing={provenance} />
          <p class="advice">
            What to do is advice of this contract; the service does not state it. The page of a code shows how the mock
            gives it.
          </p>
        </>
      )}
      {others.length > 0 && <ul class="general">{others}</ul>}
      <QuestionNotes ids={[...new Set(questions)]} />
      <p>
        {answers.some(({ isOpen }) => isOpen) && "Other codes may occur. "}
        <a href={hrefs.to({ kind: "errors" })}>All codes and the form of an error</a>
      </p>
    </>
  );
}

function GeneralCode({ row, enclosing }: { row: CodeRow; enclosing: Provenance }) {
  return (
    <li id={`response-${row.answer.key}-${row.ref.code}`}>
      <CodeLink code={row.ref.code} /> ({row.answer.key}): <MeaningOf code={row.ref.code} />{" "}
      <PairMark row={row} enclosing={enclosing} />
      <QuestionNotes ids={questionsOf(row.ref)} />
    </li>
  );
}

/** A response of which no P-code is known. */
function CodelessAnswer({ answer, enclosing }: { answer: Answer; enclosing: Provenance }) {
  const { key, description, place } = answer;
  const own = weakest(enclosing, markOn(place), markOn(place.target));
  return (
    <li id={`response-${key}`}>
      <strong>{key}</strong>: <InlineProse text={description} /> <WeakerMark provenance={own} than={enclosing} />
      <QuestionNotes ids={questionsOn(answer)} />
    </li>
  );
}

function questionsOn({ place }: Answer): string[] {
  return ((place.target.value ?? {}) as Marks)["x-open-questions"] ?? [];
}
