/** What stands below the name of a webhook: where it is posted, and how sure that is. */
import type { Webhook } from "../../contract/index.ts";
import { ProvenanceMark, provenanceWords } from "./marks.tsx";
import { MarksHint } from "./marks-hint.tsx";

/** Method, path on the partner's server, name and marks of a webhook. */
export function WebhookHead({ webhook }: { webhook: Webhook }) {
  const { name, method, path, pathProvenance, provenance = "proposed", stated } = webhook;
  return (
    <div class="subject">
      <p class="call">
        <span class={`tag tag-${method}`}>{method.toUpperCase()}</span> <code data-copy>{path}</code>
      </p>
      <p class="names">
        <span class="address">Sent to your server.</span> Webhook <code data-copy>{name}</code>, in the handler{" "}
        <code>on: {`{ ${name} }`}</code>
      </p>
      <p class="origin">
        <ProvenanceMark provenance={provenance} isLong />
        {stated.length > 0 && ` The specification states its ${stated.join(" and ")}.`}
      </p>
      <p class="path-origin">
        The path: <ProvenanceMark provenance={pathProvenance ?? provenance} />{" "}
        {provenanceWords[pathProvenance ?? provenance].meaning}
      </p>
      <MarksHint subject="webhook" />
    </div>
  );
}
