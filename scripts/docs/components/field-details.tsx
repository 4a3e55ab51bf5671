/** What stands below the head of a field: constraints, known values, rules and questions. */

import { counted } from "../text/counted.ts";
import type { KnownValue, Shape } from "./field-data.ts";
import type { Rule } from "./field-rules.ts";
import { type Fact, valueText } from "./field-words.ts";
import { Link } from "./link.tsx";
import { ProvenanceMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { QuestionNotes } from "./questions.tsx";

/** Longer lists of known values open on demand. */
const openValues = 8;

/** Everything below the head and the description of a field, without the fields inside of it. */
export function Details({ shape, example }: { shape: Shape; example?: unknown }) {
  const { facts, values, valuesOf, rules, questions } = shape;
  const shown = example ?? shape.example;
  return (
    <>
      <Facts facts={facts} example={shown} />
      <Values values={values} schema={valuesOf} />
      <Rules rules={rules} />
      <QuestionNotes ids={questions} />
    </>
  );
}

function Facts({ facts, example }: { facts: readonly Fact[]; example: unknown }) {
  if (facts.length === 0 && example === undefined) return null;
  return (
    <ul class="facts">
      {facts.map(({ words, values }) => (
        <li key={words}>
          {words}
          {values.map((value, index) => (
            <>
              {index === 0 ? " " : ", "}
              <code>{value}</code>
            </>
          ))}
        </li>
      ))}
      {example !== undefined && (
        <li>
          example <code>{valueText(example)}</code>
        </li>
      )}
    </ul>
  );
}

function Values({ values, schema }: { values: readonly KnownValue[]; schema: string }) {
  if (values.length === 0) return null;
  return (
    <details class="values" open={values.length <= openValues}>
      <summary>{counted(values.length, "known value")}; more can be added</summary>
      <ul>
        {values.map(({ value, meaning, provenance }) => (
          <li key={value}>
            <code>{value}</code> <InlineProse text={meaning} />{" "}
            {provenance !== undefined && <ProvenanceMark provenance={provenance} />}
          </li>
        ))}
      </ul>
      <LifecycleLink schema={schema} />
    </details>
  );
}

/** A link to the lifecycle whose states the values of a schema are. */
function LifecycleLink({ schema }: { schema: string }) {
  const { site } = usePage();
  const resource = site.contract.resources.find(({ states }) => states.some((state) => state.schema === schema));
  if (resource === undefined) return null;
  return (
    <p>
      <Link to="lifecycle" name={resource.name}>
        How the values follow each other
      </Link>
    </p>
  );
}

function Rules({ rules }: { rules: readonly Rule[] }) {
  if (rules.length === 0) return null;
  return (
    <ul class="rules">
      {rules.map(({ text, rules: inner }) => (
        <li key={text}>
          <InlineProse text={text} />
          <Rules rules={inner} />
        </li>
      ))}
    </ul>
  );
}
