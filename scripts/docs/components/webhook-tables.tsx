/** All webhooks in a table, and how they are delivered. */
import type { Webhook } from "../../contract/index.ts";
import { Occasion } from "./effects.tsx";
import { listWords } from "./field-words.ts";
import { Link } from "./link.tsx";
import { ProvenanceMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { Table } from "./table.tsx";

/**
 * Name, occasion and path of webhooks, each with how sure it is.
 *
 * @param webhooks all by default.
 */
export function WebhookTable({ webhooks }: { webhooks?: readonly Webhook[] }) {
  const { contract } = usePage().site;
  return (
    <Table class="webhook-table" head={["Webhook", "When", "Path on your server"]}>
      {(webhooks ?? contract.webhooks).map((webhook) => (
        <tr key={webhook.name}>
          <th scope="row">
            <Link to="webhook" name={webhook.name} />{" "}
            {webhook.provenance !== "specification" && <ProvenanceMark provenance={webhook.provenance ?? "proposed"} />}
          </th>
          <td>
            <When webhook={webhook} />
          </td>
          <td>
            <WebhookPath webhook={webhook} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** After which values a webhook is sent, with the mark of that where it is less sure than the webhook. */
export function When({ webhook }: { webhook: Webhook }) {
  const { event, provenance } = webhook;
  if (event === undefined) return null;
  return (
    <>
      <Occasion webhook={webhook} event={event} />
      {event.provenance !== undefined && event.provenance !== provenance && (
        <>
          {" "}
          <ProvenanceMark provenance={event.provenance} />
        </>
      )}
    </>
  );
}

/** The path of a webhook, with its mark where it is less sure than the webhook. */
export function WebhookPath({ webhook: { path, pathProvenance } }: { webhook: Webhook }) {
  return (
    <>
      <code>{path}</code> {pathProvenance !== undefined && <ProvenanceMark provenance={pathProvenance} />}
    </>
  );
}

/** When a delivery is repeated, in a sentence. */
export function DeliveryWords() {
  const { delivery } = usePage().site.contract;
  if (delivery === undefined) return <p class="absent">When a delivery is repeated is not stated.</p>;
  const { attempts, delays, provenance } = delivery;
  return (
    <p>
      A delivery is tried at most {attempts} times: again about {listWords(delays.map(String), "and")} seconds after the
      attempt before it has failed. <ProvenanceMark provenance={provenance} />
    </p>
  );
}

/** When a delivery is repeated. */
export function DeliverySchedule() {
  const { delivery } = usePage().site.contract;
  if (delivery === undefined) return <p class="absent">When a delivery is repeated is not stated.</p>;
  const { attempts, delays, provenance } = delivery;
  return (
    <Table
      class="delivery"
      caption={
        <>
          At most {attempts} attempts <ProvenanceMark provenance={provenance} />
        </>
      }
      head={["Attempt", "Seconds after the failed one", "Seconds after the first one"]}
    >
      {[0, ...delays].map((delay, index) => (
        <tr key={delay}>
          <th scope="row">{index + 1}</th>
          <td>{index === 0 ? "–" : `about ${delay}`}</td>
          <td>{index === 0 ? "0" : `about ${delays.slice(0, index).reduce((sum, seconds) => sum + seconds, 0)}`}</td>
        </tr>
      ))}
    </Table>
  );
}
