/** The fields of a body: types, constraints, marks and questions, nested as deep as they are. */
import type { Place, Provenance } from "../../contract/index.ts";
import { type Field, type Shape, shapeOf } from "./field-data.ts";
import { Details } from "./field-details.tsx";
import { ProvenanceMark, SensitiveMark } from "./marks.tsx";
import { Prose } from "./prose.tsx";
import { QuestionNotes } from "./questions.tsx";

/** Levels of fields that are open; deeper ones open on demand. */
const openLevels = 2;

/** How a field of the list `required` is called: of what is sent, and of what is received, where few of the lists are stated. */
type Presence = "required" | "expected";

interface SchemaFieldsProps {
  schema: Place;
  /** The first part of the anchors of the fields: `request`, `response-201`. */
  id: string;
  /** The effective provenance of what encloses the schema. */
  enclosing: Provenance;
  /** How sure the operation or webhook is: what is weaker has a mark. */
  than: Provenance;
  /** Accepted content types by field, for a multipart body. */
  partTypes?: Readonly<Record<string, readonly string[]>>;
  /** Whether the reader of the page sends the body; unless told otherwise, the reader receives it. */
  isSent?: boolean;
}

/** What a schema says: its description, what holds for it as a whole, and its fields. */
export function SchemaFields({ schema, id, enclosing, than, partTypes = {}, isSent = false }: SchemaFieldsProps) {
  const shape = withPartTypes(shapeOf(schema, id, enclosing, than), partTypes);
  const isObject = shape.fields.length > 0 || shape.choices.length > 0;
  return (
    <div class="schema">
      {(shape.type !== "object" || shape.provenance !== enclosing || shape.isSensitive) && (
        <p class="field-head">
          <span class="type">{shape.type}</span>{" "}
          {shape.provenance !== enclosing && <ProvenanceMark provenance={shape.provenance} />}{" "}
          {shape.isSensitive && <SensitiveMark />}
        </p>
      )}
      <Prose text={shape.description} />
      <Details shape={{ ...shape, questions: [] }} />
      {isObject && <Inner shape={shape} level={1} presence={isSent ? "required" : "expected"} name="" />}
      <QuestionNotes ids={shape.questions} />
    </div>
  );
}

/** The fields with the media types that their parts accept. */
function withPartTypes(shape: Shape, partTypes: Readonly<Record<string, readonly string[]>>): Shape {
  const fields = shape.fields.map((field) => {
    const types = partTypes[field.name];
    if (types === undefined) return field;
    return { ...field, facts: [...field.facts, { words: "media types", values: [...types] }] };
  });
  return { ...shape, fields };
}

interface FieldProps {
  field: Field;
  level: number;
  presence: Presence;
}

function FieldEntry({ field, level, presence }: FieldProps) {
  const { id, name, type, isRequired, requiredMark, mark, isSensitive, description } = field;
  return (
    <li class="field" id={id}>
      <p class="field-head">
        <a href={`#${id}`}>
          <code>{name}</code>
        </a>{" "}
        <span class="type">{type}</span>
        {isRequired && <Required words={presence} mark={requiredMark} />}
        {mark !== undefined && (
          <>
            {" "}
            <ProvenanceMark provenance={mark} />
          </>
        )}
        {isSensitive && (
          <>
            {" "}
            <SensitiveMark />
          </>
        )}
      </p>
      <Prose text={description} />
      <Details shape={field} />
      <Inner shape={field} level={level + 1} presence={presence} name={name} />
    </li>
  );
}

/** That a field or parameter has to be there, and how sure that is where it is less sure than the field. */
export function Required({ words, mark }: { words: Presence; mark?: Provenance | undefined }) {
  return (
    <>
      {" "}
      <span class={words === "required" ? "required" : "present"}>
        {words}
        {mark !== undefined && (
          <>
            {" "}
            (<ProvenanceMark provenance={mark} />)
          </>
        )}
      </span>
    </>
  );
}

interface InnerProps {
  shape: Shape;
  level: number;
  presence: Presence;
  /** What the fields belong to. */
  name: string;
}

/** The fields inside of something, and the alternatives of its form. */
function Inner({ shape, level, presence, name }: InnerProps) {
  const { fields, choices, innerDescription } = shape;
  if (fields.length === 0 && choices.length === 0) return null;
  const content = (
    <>
      <Prose text={innerDescription} />
      {fields.length > 0 && (
        <ul class="fields">
          {fields.map((field) => (
            <FieldEntry key={field.id} field={field} level={level} presence={presence} />
          ))}
        </ul>
      )}
      {choices.length > 0 && <Choices shape={shape} level={level} presence={presence} name={name} />}
    </>
  );
  // What is opened shows everything below it.
  if (level !== openLevels + 1) return content;
  return (
    <details class="deeper">
      <summary>
        Fields of <code>{name}</code>
      </summary>
      {content}
    </details>
  );
}

function Choices({ shape, level, presence, name }: InnerProps) {
  return (
    <ul class="choices">
      {shape.choices.map(({ title, shape: choice }) => (
        <li key={title}>
          <p class="field-head">
            One of: {title}{" "}
            {choice.provenance !== shape.provenance && <ProvenanceMark provenance={choice.provenance} />}
          </p>
          <Prose text={choice.description} />
          <Details shape={choice} />
          <Inner shape={choice} level={level} presence={presence} name={name} />
        </li>
      ))}
    </ul>
  );
}
