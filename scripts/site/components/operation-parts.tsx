import type { ComponentChildren } from "preact";
import { found } from "../../base/index.ts";
import { type Operation, parseExpression, weakestProvenance } from "../../contract/model/index.ts";
import { linksTo, placesOf, resourceLink } from "../content/links.ts";
import { editionOf } from "../content/site.ts";
import { errorOf, webhookOf } from "../content/subjects.ts";
import { mockCommandLine } from "../samples/index.ts";
import { codeList, wordsOf } from "../text/words.ts";
import { occasionOf } from "./events.tsx";
import { Link } from "./link.tsx";
import { isWeak, Origin, weakMark } from "./marks.tsx";
import { Call } from "./operation-table.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { list } from "./table.tsx";

export function OperationHead({ operation }: { operation: Operation }) {
  const { method, path, operationId, address, effectiveProvenance: provenance, statedDetails } = operation;
  const { deprecated, deprecation, hasSideEffects } = operation;
  return (
    <div class="subject">
      <Call method={method} path={path} />
      <p class="names">
        {address === "deposit_base_url" && (
          <span class="address">On the address of the crypto deposit details, a different host. </span>
        )}
        <span>
          operationId <code data-copy>{operationId}</code>
        </span>{" "}
        <span>
          TypeScript client <code>wallet.{operationId}(…)</code>
        </span>
      </p>
      {(isWeak(provenance) || deprecated) && (
        <p class="origin">
          {isWeak(provenance) && <Origin provenance={provenance} statedDetails={statedDetails} />}{" "}
          {deprecated && [
            <span key="mark" class="mark mark-deprecated">
              Deprecated
            </span>,
            " ",
            deprecation,
          ]}
        </p>
      )}
      {editionOf(operation) === "test" && (
        <p>
          Its path is proposed, so only the{" "}
          <Link to="guide" name="provenance-and-editions">
            edition “test”
          </Link>{" "}
          of the contract has it, which is no test mode: create the client with{" "}
          <code>{`createPartnerClient({ …, edition: "test" })`}</code>, and start the mock with{" "}
          <code>{mockCommandLine}</code>.
        </p>
      )}
      {hasSideEffects && <p>Each call has a side effect, although its method is {method.toUpperCase()}.</p>}
    </div>
  );
}

export function Effects({ operation: { effects, effectiveProvenance: provenance } }: { operation: Operation }) {
  const wordsFor = ({
    kind,
    resource,
    id,
    state,
    to,
    later,
    provenance: effectProvenance,
  }: Operation["effects"][number]) => {
    const subject = `${state === undefined ? "" : `${wordsOf(state)} of the `}${resourceLink(resource)}`;
    const valuesText = to.length === 0 ? "" : `${kind === "creates" ? " with" : " to"} ${codeList(to, "or")}`;
    // The list of values of a later effect may be incomplete.
    const reservationText = to.length > 0 && later ? ", as far as known" : "";
    const timeText = later ? " after the response" : "";
    const mark = weakMark(effectProvenance, provenance);
    return `${kind === "creates" ? "Creates" : "Changes"}${timeText}: ${subject} (${placesOf([id], "and")})${valuesText}${reservationText}.${mark}`;
  };
  return list(effects, (effect) => <InlineProse text={wordsFor(effect)} />, { class: "effects" });
}

export function Requirements({ operation }: { operation: Operation }) {
  const { site } = usePage();
  const { requires, responses, effectiveProvenance: provenance } = operation;
  const codeRefs = responses.flatMap((response) => response.codeRefs);
  return list(requires, ({ condition, expressions, code = "" }) => {
    const { meaning, any: isAny } = found(site.conditions[condition], `condition ${condition}`);
    const { resolvedBy } = errorOf(code, site.contract);
    const otherOperations = resolvedBy.filter((operationId) => operationId !== operation.operationId);
    const seeText = otherOperations.length === 0 ? "" : ` See ${linksTo("operation", otherOperations, "or")}.`;
    const mark = weakMark(codeRefs.find((ref) => ref.code === code)?.effectiveProvenance, provenance);
    const locationText = placesOf(expressions, isAny ? "or" : "and");
    return <InlineProse text={`${meaning} (${locationText}).${seeText} Otherwise [](error:${code})${mark}.`} />;
  });
}

export function Triggers({ operation }: { operation: Operation }) {
  const { triggers, effectiveProvenance: provenance } = operation;
  const { site } = usePage();
  return list(
    triggers,
    ({ webhook, provenance: triggerProvenance }) => {
      const sentWebhook = webhookOf(webhook, site.contract);
      const mark = weakMark(
        weakestProvenance(provenance, triggerProvenance, sentWebhook.event?.provenance),
        provenance,
      );
      return <InlineProse text={`[](webhook:${webhook}) ${occasionOf(sentWebhook, site)}.${mark}`} />;
    },
    { element: "ol", class: "triggers" },
  );
}

interface LinkObject {
  operationId?: string;
  description?: string;
  parameters?: Record<string, unknown>;
  requestBody?: Record<string, unknown>;
}

export function linkedOperations({ responses }: Operation): ComponentChildren {
  const links = responses.flatMap(({ location }) => location.at("links").entries());
  return list(
    links.map(([, { target }]) => target.value as LinkObject),
    ({ operationId = "", description = "", parameters = {}, requestBody = {} }) => {
      const values = [...Object.values(parameters), ...Object.values(requestBody)].flatMap((value) =>
        typeof value === "string" && parseExpression(value)?.source === "response" ? [value] : [],
      );
      const takenValues = values.length === 0 ? "" : ` It takes ${placesOf(values, "and")}.`;
      return <InlineProse text={`[](operation:${operationId}): ${description}${takenValues}`} />;
    },
  );
}
