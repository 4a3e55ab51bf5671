/** The parameters of an operation. */
import { markOn, type Operation, type Parameter, type Provenance, weakest } from "../../contract/index.ts";
import { WeakerMark } from "./effects.tsx";
import { shapeOf } from "./field-data.ts";
import { Details } from "./field-details.tsx";
import { Required } from "./fields.tsx";
import { Prose } from "./prose.tsx";
import { QuestionNotes } from "./questions.tsx";

export function Parameters({ operation: { parameters, provenance = "proposed" } }: { operation: Operation }) {
  return (
    <ul class="fields">
      {parameters.map((parameter) => (
        <ParameterEntry key={parameter.place.id} parameter={parameter} enclosing={provenance} />
      ))}
    </ul>
  );
}

function ParameterEntry({ parameter, enclosing }: { parameter: Parameter; enclosing: Provenance }) {
  const { name, in: where, required, node, schema, place, example } = parameter;
  const own = weakest(enclosing, markOn(place), markOn(place.target));
  const shape = shapeOf(schema, `${where}-${name}`, own);
  const ownQuestions = node["x-open-questions"] ?? [];
  const questions = shape.questions.filter((id) => !ownQuestions.includes(id));
  const id = `${where}-${name.replace(/[^A-Za-z0-9_.-]+/g, "-")}`;
  return (
    <li class="field" id={id}>
      <p class="field-head">
        <a href={`#${id}`}>
          <code>{name}</code>
        </a>{" "}
        <span class="type">
          {shape.type}, in the {where}
        </span>
        {required && <Required words="required" />} <WeakerMark provenance={shape.provenance} than={enclosing} />
      </p>
      <Prose text={node.description ?? shape.description} />
      <Details shape={{ ...shape, questions }} example={example} />
      <QuestionNotes ids={ownQuestions} />
    </li>
  );
}
