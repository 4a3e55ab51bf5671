/** Samples of calls. A script can make tabs of the languages and a choice of the examples. */
import type { Sample } from "../samples/index.ts";
import { codeOfValue } from "./answers.tsx";
import { CodeBlock } from "./code-block.tsx";

/** The column of samples, one below the other. */
export function Samples({ samples }: { samples: readonly Sample[] }) {
  if (samples.length === 0) return null;
  return (
    <aside class="samples" aria-labelledby="samples">
      <h2 id="samples">Samples</h2>
      {samples.map((sample) => (
        <SampleSection key={sample.name} sample={sample} />
      ))}
    </aside>
  );
}

/** One call in every language, and its response. */
export function SampleSection({ sample: { name, title, note, snippets, answer } }: { sample: Sample }) {
  return (
    <section class="sample" id={`sample-${name}`} data-example={name}>
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
            <>
              <CodeBlock
                label={`${answer.isFromState ? "Example of the response" : "Response"}: ${answer.status}`}
                {...codeOfValue(answer.body, answer.mediaType)}
              />
              {answer.isFromState && <p class="note">The mock answers from its own data, so the values differ.</p>}
            </>
          )}
        </div>
      )}
    </section>
  );
}
