/** The samples of a webhook: a receiver, and each example with the command that sends it. */
import { type Example, type Marks, markOn, type Provenance, type Webhook } from "../../contract/index.ts";
import { webhookSamples } from "../samples/index.ts";
import { codeOfValue } from "./answers.tsx";
import { CodeBlock } from "./code-block.tsx";
import { WeakerMark } from "./effects.tsx";
import { QuestionNotes } from "./questions.tsx";

/**
 * The column of samples. A script makes a choice of the examples (`.sample`); the receiver stays, as it takes all of them.
 *
 * @param enclosing the effective provenance of the body: an example that is less sure has a mark.
 */
export function WebhookSamples({ webhook, enclosing }: { webhook: Webhook; enclosing: Provenance }) {
  const samples = webhookSamples(webhook);
  const [first] = samples;
  if (first === undefined) return null;
  const examples = (webhook.requestBody?.bodies ?? []).flatMap((body) => body.examples);
  return (
    <aside class="samples" aria-labelledby="samples">
      <h2 id="samples">Samples</h2>
      <section class="receiver" id="sample-receiver">
        <h3>{first.receiver.label}</h3>
        <CodeBlock code={first.receiver.code} language={first.receiver.highlight} label="receiver.mjs" />
      </section>
      {samples.map(({ name, title, send, event }) => (
        <section key={name} class="sample" id={`sample-${name}`} data-example={name}>
          <h3>{title}</h3>
          <ExampleMarks example={examples.find((example) => example.name === name)} enclosing={enclosing} />
          <CodeBlock code={send.code} language={send.highlight} label={send.label} />
          <CodeBlock label="Body" {...codeOfValue(event, "application/json")} />
        </section>
      ))}
    </aside>
  );
}

/** What makes an example less sure than the body. */
function ExampleMarks({ example, enclosing }: { example: Example | undefined; enclosing: Provenance }) {
  if (example === undefined) return null;
  const { target } = example.place;
  return (
    <>
      <WeakerMark provenance={markOn(target)} than={enclosing} />
      <QuestionNotes ids={((target.value ?? {}) as Marks)["x-open-questions"] ?? []} />
    </>
  );
}
