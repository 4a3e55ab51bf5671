/** What comes after a call: the webhooks that it leads to, and the calls that its answers link to. */
import { type Answer, type Operation, parseExpression, type Webhook, weakest } from "../../contract/index.ts";
import { Occasion, WeakerMark } from "./effects.tsx";
import { Places } from "./expressions.tsx";
import { valueText } from "./field-words.ts";
import { Link } from "./link.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { QuestionNotes } from "./questions.tsx";

/** The webhooks that an operation leads to, in the order in which they are sent. */
export function Triggers({ operation }: { operation: Operation }) {
  const { triggers, provenance = "proposed" } = operation;
  const { site } = usePage();
  const { webhooks } = site.contract;
  return (
    <ol class="triggers">
      {triggers.map(({ webhook, provenance: own }) => {
        const sent = webhooks.find(({ name }) => name === webhook);
        const event = sent?.event;
        return (
          <li key={webhook}>
            <Link to="webhook" name={webhook} />
            {sent !== undefined && event !== undefined && (
              <>
                {" "}
                is sent <Occasion webhook={sent} event={event} />
              </>
            )}
            . <WeakerMark provenance={weakest(provenance, own, event?.provenance)} than={provenance} />
            {sent !== undefined && <QuestionNotes ids={questionsOnTrigger(operation, sent)} />}
          </li>
        );
      })}
    </ol>
  );
}

/** The questions of both an operation and a webhook: their answers can change that the one leads to the other. */
function questionsOnTrigger(operation: Operation, webhook: Webhook): string[] {
  return operation.openQuestions.filter((id) => webhook.openQuestions.includes(id));
}

/** A call that an answer links to, and the values that go into it. */
interface NextCall {
  key: string;
  operationId: string;
  description: string;
  /** Values by the field or parameter that they go to: runtime expressions, or constants. */
  values: [name: string, value: unknown][];
}

/** The calls that the answers of an operation link to, in the order of the contract. */
export function nextCallsOf({ answers }: Pick<Operation, "answers">): NextCall[] {
  return answers.flatMap(({ key, place }: Answer) =>
    place
      .at("links")
      .entries()
      .map(([name, { target }]) => {
        const { operationId = "", description = "", parameters = {}, requestBody } = target.value as LinkObject;
        const fields = typeof requestBody === "object" && requestBody !== null ? Object.entries(requestBody) : [];
        const body: [string, unknown][] =
          typeof requestBody === "string" ? [["the request body", requestBody]] : fields;
        const named = Object.entries(parameters).map(([parameter, value]): [string, unknown] => {
          return [parameter.replace(/^(path|query|header)\./, ""), value];
        });
        return { key: `${key}-${name}`, operationId, description, values: [...named, ...body] };
      }),
  );
}

interface LinkObject {
  operationId?: string;
  description?: string;
  parameters?: Record<string, unknown>;
  requestBody?: unknown;
}

export function NextCalls({ operation }: { operation: Operation }) {
  return (
    <ul class="next">
      {nextCallsOf(operation).map(({ key, operationId, description, values }) => (
        <li key={key}>
          <Link to="operation" name={operationId} />: <InlineProse text={description} />
          {values.length > 0 && (
            <ul class="values-passed">
              {values.map(([name, value]) => (
                <li key={name}>
                  <code>{name}</code>: <PassedValue value={value} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

function PassedValue({ value }: { value: unknown }) {
  if (typeof value === "string" && parseExpression(value) !== undefined) {
    return <Places expressions={[value]} joint="and" isOfThisCall />;
  }
  return <code>{valueText(value)}</code>;
}
