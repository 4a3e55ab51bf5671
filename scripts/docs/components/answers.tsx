/** What an operation answers when it succeeds: statuses, fields and examples. */
import {
  type Answer,
  type Body,
  type Example,
  type Marks,
  markOn,
  type Operation,
  type Provenance,
  weakest,
} from "../../contract/index.ts";
import { schemaParts } from "../site/marked-parts.ts";
import { CodeBlock } from "./code-block.tsx";
import { CodeTable, codeRowsOf } from "./code-table.tsx";
import { WeakerMark } from "./effects.tsx";
import { SchemaFields } from "./fields.tsx";
import { Prose } from "./prose.tsx";
import { QuestionNotes } from "./questions.tsx";

interface Props {
  operation: Operation;
  /** Bodies that the page shows elsewhere: their examples are left out. */
  shownBodies: readonly unknown[];
}

/** The answers of an operation that are no failures. */
export function Successes({ operation, shownBodies }: Props) {
  const { provenance = "proposed" } = operation;
  return (
    <>
      {operation.answers
        .filter(({ status }) => !(status >= 400))
        .map((answer) => (
          <Success key={answer.key} answer={answer} enclosing={provenance} shownBodies={shownBodies} />
        ))}
    </>
  );
}

interface SuccessProps {
  answer: Answer;
  enclosing: Provenance;
  shownBodies: readonly unknown[];
}

function Success({ answer, enclosing, shownBodies }: SuccessProps) {
  const { key, description, bodies, place } = answer;
  const own = weakest(enclosing, markOn(place), markOn(place.target));
  const rows = codeRowsOf([answer]);
  return (
    <section class="answer" id={`response-${key}`}>
      <h3>
        <a href={`#response-${key}`}>{key}</a> <WeakerMark provenance={own} than={enclosing} />
      </h3>
      <Prose text={description} />
      <QuestionNotes ids={questionsOn(place.target.value)} />
      {rows.length > 0 && (
        <>
          <CodeTable rows={rows} enclosing={enclosing} />
          <QuestionNotes ids={questionsWithin(bodies)} />
        </>
      )}
      {rows.length === 0 &&
        bodies.map((body, index) => (
          <AnswerBody
            key={body.mediaType}
            body={body}
            than={enclosing}
            id={`response-${key}${index === 0 ? "" : `-${index + 1}`}`}
            enclosing={own}
            shownBodies={shownBodies}
          />
        ))}
    </section>
  );
}

interface BodyProps {
  body: Body;
  id: string;
  enclosing: Provenance;
  /** How sure the operation is. */
  than: Provenance;
  shownBodies: readonly unknown[];
}

function AnswerBody({ body, id, enclosing, than, shownBodies }: BodyProps) {
  const { mediaType, schema, examples } = body;
  const shown = new Set(shownBodies.map((value) => JSON.stringify(value)));
  const isShown = ({ value, place }: Example) =>
    shown.has(JSON.stringify(value)) &&
    questionsOn(place.target.value).length === 0 &&
    markOn(place.target) === undefined;
  const others = examples.filter((example) => !isShown(example));
  return (
    <>
      {mediaType !== "application/json" && (
        <p class="media-type">
          Media type <code>{mediaType}</code>
        </p>
      )}
      <SchemaFields schema={schema} id={id} enclosing={enclosing} than={than} />
      <Examples
        examples={others}
        mediaType={mediaType}
        enclosing={enclosing}
        isOpen={others.length === examples.length}
      />
    </>
  );
}

interface ExamplesProps {
  examples: readonly Example[];
  mediaType: string;
  enclosing: Provenance;
  /** Whether they are open; they open on demand where the samples show another one. */
  isOpen: boolean;
}

/** Examples of a body, each with what makes it less sure than the body. */
export function Examples({ examples, mediaType, enclosing, isOpen }: ExamplesProps) {
  if (examples.length === 0) return null;
  return (
    <details class="examples" open={isOpen}>
      <summary>
        {examples.length} {isOpen ? "" : "more "}
        {examples.length === 1 ? "example" : "examples"}
      </summary>
      {examples.map(({ name, summary = name, value, place }) => (
        <div key={name} class="example">
          <CodeBlock label={summary} {...codeOfValue(value, mediaType)} />
          <WeakerMark provenance={markOn(place.target)} than={enclosing} />
          <QuestionNotes ids={questionsOn(place.target.value)} />
        </div>
      ))}
    </details>
  );
}

/** A body as code, with the language that it is highlighted as. */
export function codeOfValue(value: unknown, mediaType: string | undefined): { code: string; language: string } {
  if (typeof value !== "string") return { code: JSON.stringify(value, null, 2), language: "json" };
  return { code: value, language: mediaType === "text/html" ? "xml" : "text" };
}

/** The questions on a body whose fields are on the pages of its codes. */
function questionsWithin(bodies: readonly Body[]): string[] {
  return [...new Set(bodies.flatMap(({ schema }) => schemaParts(schema, "").flatMap(({ questions }) => questions)))];
}

function questionsOn(node: unknown): string[] {
  return ((node ?? {}) as Marks)["x-open-questions"] ?? [];
}
