import type { ComponentChildren } from "preact";
import type { Body, Example, Operation, Provenance } from "../../contract/model/index.ts";
import { failuresOf } from "../content/subjects.ts";
import { formatCount } from "../text/words.ts";
import { BodyBlock } from "./code-block.tsx";
import { anchorOf, type Field, type Shape, shapeOf } from "./field-data.ts";
import { codeWords, valueText } from "./field-words.ts";
import { Link } from "./link.tsx";
import { SensitiveMark, WeakMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse, Prose } from "./prose.tsx";
import { list } from "./table.tsx";

const openLevels = 2;

const maxOpenValues = 8;

interface FieldDisplay {
  /** The provenance of the operation or webhook. A field gets a mark if its provenance is weaker, and `observed` or `proposed`. */
  baseProvenance: Provenance;
  /**
   * The word for a required field. In received bodies, it is `expected`, because the specification states few `required` lists of such
   * bodies.
   */
  presence: "required" | "expected";
}

interface BodyProps {
  body: Body;
  id: string;
  enclosingProvenance: Provenance;
  baseProvenance: Provenance;
  isSent?: boolean;
}

export function BodyFields({
  body: { schema, partTypes },
  id,
  enclosingProvenance,
  baseProvenance,
  isSent,
}: BodyProps) {
  const shape = withPartTypes(shapeOf(schema, id, enclosingProvenance), partTypes);
  return (
    <div>
      {(shape.type !== "object" || shape.provenance !== enclosingProvenance || shape.isSensitive) && (
        <p class="field-head">
          <span class="type">{shape.type}</span>
          <Marks shape={shape} baseProvenance={baseProvenance} />
        </p>
      )}
      <Prose text={shape.description} />
      <Details shape={shape} />
      {hasSensitive(shape) && <SensitiveNote />}
      <InnerFields
        shape={shape}
        level={1}
        display={{ baseProvenance, presence: isSent ? "required" : "expected" }}
        name=""
      />
    </div>
  );
}

/** The accepted media types of each part of a multipart body become facts. */
function withPartTypes(shape: Shape, partTypes: Body["partTypes"]): Shape {
  const fields = shape.fields.map((field) => {
    const types = partTypes[field.name];
    if (types === undefined) return field;
    return { ...field, facts: [...field.facts, `media types ${types.map(codeWords).join(", ")}`] };
  });
  return { ...shape, fields };
}

function Marks({ shape: { provenance, isSensitive }, baseProvenance }: { shape: Shape; baseProvenance: Provenance }) {
  return (
    <>
      <WeakMark provenance={provenance} baseProvenance={baseProvenance} /> {isSensitive && <SensitiveMark />}
    </>
  );
}

function hasSensitive({ fields, choices }: Shape): boolean {
  const innerShapes = [...fields, ...choices.map((choice) => choice.shape)];
  return innerShapes.some((shape) => shape.isSensitive || hasSensitive(shape));
}

function SensitiveNote() {
  return (
    <p class="note">
      <SensitiveMark isLong />
    </p>
  );
}

export function Parameters({ operation: { parameters, effectiveProvenance: provenance } }: { operation: Operation }) {
  const fields = parameters.map(
    ({ name, in: location, required, node, schema, effectiveProvenance, example }): Field => {
      const id = `${location}-${anchorOf(name)}`;
      const shape = shapeOf(schema, id, effectiveProvenance);
      const { type, description } = shape;
      const parameterWords = { type: `${type}, in the ${location}`, description: node.description ?? description };
      return { ...shape, ...parameterWords, name, id, isRequired: required, example: example ?? shape.example };
    },
  );
  return (
    <>
      {fields.some(({ isSensitive }) => isSensitive) && <SensitiveNote />}
      <FieldList fields={fields} level={1} display={{ baseProvenance: provenance, presence: "required" }} />
    </>
  );
}

interface FieldListProps {
  fields: readonly Field[];
  level: number;
  display: FieldDisplay;
}

function FieldList({ fields, level, display }: FieldListProps) {
  const rankOf = ({ name, isRequired }: Field) => (!isRequired ? 2 : name === "externalUserId" ? 0 : 1);
  const sortedFields = display.presence === "required" ? [...fields].sort((a, b) => rankOf(a) - rankOf(b)) : fields;
  return list(
    sortedFields,
    (field) => (
      <>
        <p class="field-head">
          <a href={`#${field.id}`}>
            <code>{field.name}</code>
          </a>{" "}
          <span class="type">{field.type}</span>{" "}
          {field.isRequired && (
            <span class={display.presence === "required" ? "required" : "present"}>{display.presence}</span>
          )}
          <Marks shape={field} baseProvenance={display.baseProvenance} />
        </p>
        <Prose text={field.description} />
        <Details shape={field} />
        <InnerFields shape={field} level={level + 1} display={display} name={field.name} />
      </>
    ),
    { class: "fields", attributesOf: ({ id }) => ({ class: "field", id }) },
  );
}

interface InnerFieldsProps extends Omit<FieldListProps, "fields"> {
  shape: Shape;
  name: string;
}

function InnerFields({
  shape: { fields, choices, innerDescription, provenance },
  level,
  display,
  name,
}: InnerFieldsProps) {
  if (fields.length === 0 && choices.length === 0) return null;
  const content = (
    <>
      <Prose text={innerDescription} />
      <FieldList fields={fields} level={level} display={display} />
      {list(
        choices,
        ({ title, shape }) => (
          <>
            <p class="field-head">
              One of: {title}
              <WeakMark provenance={shape.provenance} baseProvenance={provenance} />
            </p>
            <Prose text={shape.description} />
            <Details shape={shape} />
            <InnerFields shape={shape} level={level} display={display} name={name} />
          </>
        ),
        { class: "choices" },
      )}
    </>
  );
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

function Details({ shape }: { shape: Shape }) {
  const { facts, example, rules } = shape;
  const examples = example === undefined ? [] : [`example ${codeWords(valueText(example))}`];
  const toProse = (text: string) => <InlineProse text={text} />;
  return (
    <>
      {list([...facts, ...examples], toProse, { class: "facts" })}
      <Values shape={shape} />
      {list(rules, toProse, { class: "rules" })}
    </>
  );
}

function Values({ shape: { values, valuesSchemaName, provenance: baseProvenance } }: { shape: Shape }) {
  const { resources } = usePage().site.contract;
  if (values.length === 0) return null;
  const resource = resources.find(({ states }) =>
    states.some(({ schema }) => schema !== undefined && schema === valuesSchemaName),
  );
  return (
    <details class="values" open={values.length <= maxOpenValues}>
      <summary>{formatCount(values.length, "known value")}; more can be added</summary>
      {list(values, ({ value, meaning, provenance }) => (
        <>
          <code>{value}</code> <InlineProse text={meaning} />
          <WeakMark provenance={provenance} baseProvenance={baseProvenance} />
        </>
      ))}
      {resource !== undefined && (
        <p>
          <Link to="lifecycle" name={resource.name}>
            How the values follow each other
          </Link>
        </p>
      )}
    </details>
  );
}

interface ExamplesProps {
  examples: readonly Example[];
  mediaType: string;
  enclosingProvenance: Provenance;
  isOpen: boolean;
}

function Examples({ examples, mediaType, enclosingProvenance, isOpen }: ExamplesProps) {
  if (examples.length === 0) return null;
  return (
    <details class="examples" open={isOpen}>
      <summary>{formatCount(examples.length, isOpen ? "example" : "more example")}</summary>
      {examples.map(({ name, summary = name, value, effectiveProvenance }) => (
        <div key={name}>
          <BodyBlock label={summary} value={value} mediaType={mediaType} />
          <WeakMark provenance={effectiveProvenance} baseProvenance={enclosingProvenance} />
        </div>
      ))}
    </details>
  );
}

export function RequestBodies({
  operation: { requestBody, effectiveProvenance: provenance },
}: {
  operation: Operation;
}) {
  if (requestBody === undefined) return null;
  const { bodies, required, effectiveProvenance } = requestBody;
  return bodies.map((body) => (
    <div key={body.mediaType}>
      {(body.mediaType !== "application/json" || !required) && (
        <Prose text={`\`${body.mediaType}\`${required ? "" : ", optional"}`} />
      )}
      <BodyFields
        body={body}
        id="request"
        enclosingProvenance={effectiveProvenance}
        baseProvenance={provenance}
        isSent
      />
    </div>
  ));
}

interface ResponseProps {
  operation: Operation;
  /** Examples with one of these values are left out. */
  shownBodies: readonly unknown[];
  codes: (response: Operation["responses"][number]) => ComponentChildren;
}

export function Successes({ operation, shownBodies, codes }: ResponseProps) {
  const { effectiveProvenance: baseProvenance } = operation;
  const shownTexts = new Set(shownBodies.map((value) => JSON.stringify(value)));
  const failures = failuresOf(operation);
  const otherResponses = operation.responses.filter((response) => !failures.includes(response));
  return otherResponses.map((response) => {
    const { key, description, bodies, effectiveProvenance: enclosingProvenance } = response;
    return (
      <section key={key} class="response" id={`response-${key}`}>
        <h3>
          <a href={`#response-${key}`}>{key}</a>
          <WeakMark provenance={enclosingProvenance} baseProvenance={baseProvenance} />
        </h3>
        <Prose text={description} />
        {response.codes.length > 0
          ? codes(response)
          : bodies.map((body) => {
              const { mediaType, examples } = body;
              const otherExamples = examples.filter(({ value }) => !shownTexts.has(JSON.stringify(value)));
              const isOpen = otherExamples.length === examples.length;
              return (
                <>
                  {mediaType !== "application/json" && <Prose text={`\`${mediaType}\``} />}
                  <BodyFields
                    body={body}
                    id={`response-${key}`}
                    enclosingProvenance={enclosingProvenance}
                    baseProvenance={baseProvenance}
                  />
                  <Examples
                    examples={otherExamples}
                    mediaType={mediaType}
                    enclosingProvenance={enclosingProvenance}
                    isOpen={isOpen}
                  />
                </>
              );
            })}
      </section>
    );
  });
}
