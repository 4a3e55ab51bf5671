/** Samples of calls. A script can make tabs of the languages and a choice of the examples. */
import type { Webhook } from "../../contract/index.ts";
import { type Sample, startOfMock, webhookSamples } from "../samples/index.ts";
import { BodyBlock, CodeBlock } from "./code-block.tsx";
import { provenanceOfBody } from "./events.tsx";
import { WeakMark } from "./marks.tsx";

/** The column of samples, one below the other. */
export function Samples({ samples }: { samples: readonly Sample[] }) {
  if (samples.length === 0) return null;
  return (
    <aside class="samples" aria-labelledby="samples">
      <h2 id="samples">Samples</h2>
      <p class="note">
        As they stand, they run against the mock. Start it with <code>{startOfMock}</code>
      </p>
      {samples.map((sample) => (
        <SampleSection key={sample.name} sample={sample} />
      ))}
    </aside>
  );
}

/** One call in every language, and its response. */
export function SampleSection({ sample: { name, title, note, snippets, call, answer } }: { sample: Sample }) {
  return (
    <section class="sample" id={`sample-${name}`} data-example={name} data-call={JSON.stringify(call)}>
      <h3>{title}</h3>
      {note !== undefined && <p class="note">{note}</p>}
      {snippets.map(({ language, label, highlight, code }) => (
        <div key={language} class="snippet" data-language={language}>
          <CodeBlock code={code} language={highlight} label={label} />
        </div>
      ))}
      {answer !== undefined && (
        <div class="sample-answer">
          {answer.body === undefined ? (
            <p>Response: {answer.status}, without a documented body.</p>
          ) : (
            <BodyBlock
              label={`Example of the response: ${answer.status}`}
              value={answer.body}
              mediaType={answer.mediaType}
            />
          )}
        </div>
      )}
    </section>
  );
}

/**
 * The samples of a webhook: a receiver, and each example with the command that sends it. A script makes a choice of the
 * examples (`.sample`); the receiver stays, as it takes all of them.
 */
export function WebhookSamples({ webhook }: { webhook: Webhook }) {
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
          <WeakMark
            provenance={examples.find((example) => example.name === name)?.effective}
            than={provenanceOfBody(webhook)}
          />
          <CodeBlock code={send.code} language={send.highlight} label={send.label} />
          <BodyBlock label="Body" value={event} />
        </section>
      ))}
    </aside>
  );
}
