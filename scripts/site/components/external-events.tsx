import type { ExternalEvent, Resource } from "../../contract/model/index.ts";
import { externalEventCommands } from "../samples/external-event-commands.ts";
import { mockAddresses, mockControlPath, sampleKey } from "../samples/index.ts";
import { quote } from "../samples/print-code.ts";
import { codeList, wordsOf } from "../text/words.ts";
import { CodeBlock } from "./code-block.tsx";
import { Link } from "./link.tsx";
import { weakMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse, Prose } from "./prose.tsx";
import { list } from "./table.tsx";

const eventsUrl = `${mockAddresses.base_url}${mockControlPath}/events`;

export function ExternalEvents({ resource }: { resource: Resource }) {
  return (
    <>
      {list(resource.externalEvents, (event) => (
        <>
          <InlineProse text={`${event.meaning} ${outcomeOf(event)}${weakMark(event.provenance)}`} />
          <span class="external-event-name">
            {" "}
            In the mock: <code>{event.name}</code>
          </span>
        </>
      ))}
      <CauseInMock resource={resource} />
    </>
  );
}

function outcomeOf({ creates, moves, state, to }: ExternalEvent): string {
  if (creates === undefined && moves === undefined) return "Only a webhook; nothing changes.";
  const valuesText = codeList(to, "or");
  if (creates !== undefined) return to.length > 0 ? `Creates it with ${valuesText}.` : "Creates it.";
  return `Moves ${state === undefined ? "it" : `its ${wordsOf(state)}`} to ${valuesText}.`;
}

function CauseInMock({ resource }: { resource: Resource }) {
  const { site } = usePage();
  const shownEvents = resource.externalEvents.flatMap(({ name }) => {
    const key = `${resource.name}.${name}`;
    const code = externalEventCommands(key, site);
    return code === undefined ? [] : [{ name, code, remark: site.mockControl.externalEvents[key]?.description }];
  });
  if (shownEvents.length === 0) return null;
  return (
    <>
      <p>
        In the mock they are triggered by a call of its control interface. The commands work with the data that{" "}
        <code>npm start</code> loads. Paste a command with several calls as a whole: after a few seconds the mock goes
        on by itself. A command without an id takes the newest resource that fits. More in{" "}
        <Link to="guide" name="testing-with-the-mock" />.
      </p>
      <CodeBlock
        language="bash"
        label="List the external events"
        code={`curl -s ${eventsUrl} \\\n  -H ${quote(`x-api-key: ${sampleKey}`)}`}
      />
      {shownEvents.map(({ name, code, remark = "" }) => (
        <div class="external-event-commands" key={name}>
          <Prose text={remark} />
          <CodeBlock language="bash" label={`Trigger ${name}`} code={code} />
        </div>
      ))}
    </>
  );
}
