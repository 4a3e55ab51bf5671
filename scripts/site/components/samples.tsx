/** The page's script offers a choice of examples, and shows calls in the chosen language. */
import type { Operation, Webhook } from "../../contract/model/index.ts";
import { mockCommandLine, operationSamples, type Sample, webhookSamples } from "../samples/index.ts";
import { BodyBlock, CodeBlock } from "./code-block.tsx";
import { editableFields } from "./editable-fields.ts";
import { provenanceOfBody } from "./events.tsx";
import { WeakMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { QuickStarts } from "./quick-starts.tsx";

export function Samples({ operation, samples }: { operation: Operation; samples: readonly Sample[] }) {
  return (
    <aside class="samples" aria-labelledby="samples" data-fields={JSON.stringify(editableFields(operation))}>
      <h2 id="samples">Samples</h2>
      <p class="note">
        As they stand, they run against the mock. Start it with <code>{mockCommandLine}</code>
      </p>
      {samples.map((sample) => (
        <SampleSection key={sample.name} sample={sample} />
      ))}
    </aside>
  );
}

/** A sample without its response. @param anchor the heading of the quick starts to which the sample links. */
export function GuideSample({ operation, anchor }: { operation: Operation; anchor?: string | undefined }) {
  const [sample] = operationSamples(operation, usePage().site);
  if (sample === undefined) return null;
  return (
    <>
      <p class="note">
        As it stands, it runs against the mock. Start it with <code>{mockCommandLine}</code>
      </p>
      <BareSample operation={operation} sample={sample} />
      {anchor !== undefined && [
        <p key="words">The careful program, as a file to copy:</p>,
        <QuickStarts key="links" anchor={anchor} typescriptGuide="unknown-outcomes" />,
      ]}
    </>
  );
}

/** The page's script translates the code into the chosen language, and makes it editable and sendable. */
export function BareSample({ operation, sample }: { operation: Operation; sample: Sample }) {
  return (
    <div class="samples" data-fields={JSON.stringify(editableFields(operation))}>
      <SampleSection sample={{ ...sample, title: "", response: undefined }} />
    </div>
  );
}

function SampleSection({ sample: { name, title, note, snippets, call, response } }: { sample: Sample }) {
  return (
    <section class="sample" id={`sample-${name}`} data-example={name} data-call={JSON.stringify(call)}>
      {title !== "" && <h3>{title}</h3>}
      {note !== undefined && <p class="note">{note}</p>}
      <div class="snippet" data-language="curl">
        <CodeBlock code={snippets.curl} language="bash" label="curl" />
      </div>
      <div class="snippet" data-language="typescript">
        <CodeBlock code={snippets.typescript} language="typescript" label="TypeScript client" />
      </div>
      {response?.body !== undefined && (
        <BodyBlock
          label={`Example of the response: ${response.status}`}
          value={response.body}
          mediaType={response.mediaType}
        />
      )}
    </section>
  );
}

/** Receives the events of one webhook. Links to receivers in other languages follow. */
export function Receiver({ webhook }: { webhook: Webhook }) {
  const [firstSample] = webhookSamples(webhook);
  return (
    <>
      <CodeBlock code={firstSample?.receiver ?? ""} language="typescript" label="receiver.mjs" />
      <p class="note">Receivers in other languages:</p>
      <QuickStarts anchor="a-receiver-of-webhooks" />
    </>
  );
}

/** The receiver lacks the class `sample`, because the page's script offers a choice among the elements with this class. */
export function WebhookSamples({ webhook }: { webhook: Webhook }) {
  const samples = webhookSamples(webhook);
  if (samples.length === 0) return null;
  return (
    <aside class="samples" aria-labelledby="samples">
      <h2 id="samples">Samples</h2>
      <section id="sample-receiver">
        <h3>Receiver</h3>
        <Receiver webhook={webhook} />
      </section>
      {samples.map(({ name, title, command, provenance, event }) => (
        <section key={name} class="sample" id={`sample-${name}`} data-example={name}>
          <h3>{title}</h3>
          <WeakMark provenance={provenance} baseProvenance={provenanceOfBody(webhook)} />
          <CodeBlock code={command} language="bash" label="Send the event" />
          <BodyBlock label="Body" value={event} />
        </section>
      ))}
    </aside>
  );
}
