/** What happens to a resource without a call of the partner, and how the mock is made to let it happen. */
import { Fragment } from "preact";
import type { Happening, Resource } from "../../contract/index.ts";
import { mockAddresses, sampleKey } from "../samples/constants.ts";
import { type HappeningCommands, happeningCommands } from "../samples/happening-commands.ts";
import { quote } from "../samples/print-code.ts";
import { CodeBlock } from "./code-block.tsx";
import { Codes } from "./effects.tsx";
import { wordsOf } from "./field-words.ts";
import { Link } from "./link.tsx";
import { ProvenanceMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";

const eventsUrl = `${mockAddresses.base_url}/__mock/events`;

/** The happenings of a resource. */
export function Happenings({ resource }: { resource: Resource }) {
  return (
    <>
      <ul class="happenings">
        {resource.outside.map((happening) => (
          <li key={happening.name}>
            <InlineProse text={happening.meaning} /> <Outcome happening={happening} />{" "}
            <ProvenanceMark provenance={happening.provenance ?? "specification"} />
            <span class="happening-name">
              {" "}
              In the mock: <code>{happening.name}</code>
            </span>
          </li>
        ))}
      </ul>
      <CauseInMock resource={resource} />
    </>
  );
}

function Outcome({ happening: { creates, moves, state, to } }: { happening: Happening }) {
  if (creates === undefined && moves === undefined) return <>Only a webhook; nothing changes.</>;
  return (
    <>
      {creates === undefined ? `Moves ${state === undefined ? "it" : `its ${wordsOf(state)}`}` : "Creates it"}
      {to.length > 0 && (creates === undefined ? " to " : " with ")}
      <Codes values={to} joint="or" />.
    </>
  );
}

/** The commands of the control interface: to list what can happen, and to let each happen. */
function CauseInMock({ resource }: { resource: Resource }) {
  const { site } = usePage();
  const shown = resource.outside.flatMap(({ name }) => {
    const key = `${resource.name}.${name}`;
    const commands = happeningCommands(key, site);
    return commands === undefined ? [] : [{ name, commands, remark: site.mockControl.happenings[key]?.description }];
  });
  if (shown.length === 0) return null;
  return (
    <>
      <p>
        In the mock they happen by a call of its control interface. The commands work with the data that{" "}
        <code>npm start</code> loads. Paste a command with several calls as a whole: after a few seconds the mock goes
        on by itself. Without an id, it happens to the newest one that it can happen to. The list has the other fields
        that each takes. More in <Link to="guide" name="testing-with-the-mock" />.
      </p>
      <CodeBlock
        language="bash"
        label="List what can happen"
        code={`curl -s ${eventsUrl} \\\n  -H ${quote(`x-api-key: ${sampleKey}`)}`}
      />
      {shown.map(({ name, commands, remark }) => (
        <div class="happening-commands" key={name}>
          <Before commands={commands} remark={remark} />
          <CodeBlock language="bash" label={`Let ${name} happen`} code={commands.code} />
        </div>
      ))}
    </>
  );
}

/** What the calls before the last one do, and a remark. */
function Before({ commands: { before }, remark }: { commands: HappeningCommands; remark: string | undefined }) {
  if (before.length === 0 && remark === undefined) return null;
  return (
    <p>
      {before.length > 0 && "First: "}
      {before.map(({ kind, name }, index) => (
        <Fragment key={name}>
          {index > 0 && ", then "}
          {kind === "operation" && <Link to="operation" name={name} />}
          {kind === "happening" && <code>{name}</code>}
          {kind === "control" && name}
        </Fragment>
      ))}
      {before.length > 0 && ". "}
      {remark !== undefined && <InlineProse text={remark} />}
    </p>
  );
}
