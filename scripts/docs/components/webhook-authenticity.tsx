/** What is known of the proof that the service has sent a webhook; it is the same for all of them. */
import { AdviceMark } from "./advice.tsx";
import { Link } from "./link.tsx";
import { ProvenanceMark } from "./marks.tsx";

export function WebhookAuthenticity() {
  return (
    <ul class="authenticity">
      <li>
        A secret token stands in the header <code>Authorization</code>. It is handed over together with the keys.{" "}
        <ProvenanceMark provenance="reference" />
      </li>
      <li>
        The webhook that the specification shows has no authorization. <ProvenanceMark provenance="specification" />
      </li>
      <li>No document shows a signature.</li>
      <li>
        Check the token, as the receiver of the sample does. Where money is at stake, have the event start a lookup:{" "}
        <Link to="guide" name="webhooks" />. <AdviceMark />
      </li>
    </ul>
  );
}
