/** The parts of an operation's page that are not about bodies: its head, conditions, effects, and what comes after it. */
import type { ComponentChildren } from "preact";
import { type Address, type Operation, parseExpression, weakest } from "../../contract/index.ts";
import { editionOf } from "../site/site.ts";
import { wordsOf } from "../text/words.ts";
import { Occasion } from "./events.tsx";
import { valueText } from "./field-words.ts";
import { CodeLink, Codes, Link, OperationLinks, Places, ResourceLink } from "./link.tsx";
import { ProvenanceMark, WeakMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { list } from "./table.tsx";

const addressWords: Record<Address, string> = {
  base_url: "On the main address.",
  deposit_base_url: "On the address of the crypto deposit details, a different host.",
};

/** Method, path, names, address and marks of an operation. */
export function OperationHead({ operation }: { operation: Operation }) {
  const { method, path, operationId, address, provenance = "proposed", stated, deprecated, sideEffects } = operation;
  return (
    <div class="subject">
      <p class="call">
        <span class={`tag tag-${method}`}>{method.toUpperCase()}</span> <code data-copy>{path}</code>
      </p>
      <p class="names">
        <span class="address">{addressWords[address]}</span>{" "}
        <span>
          operationId <code data-copy>{operationId}</code>
        </span>{" "}
        <span>
          TypeScript client <code>wallet.{operationId}(…)</code>
        </span>
      </p>
      <p class="origin">
        <ProvenanceMark provenance={provenance} isLong />
        {stated.length > 0 && ` The specification states its ${stated.join(" and ")}.`}
        {deprecated && (
          <>
            {" "}
            <span class="mark mark-deprecated">Deprecated</span>
          </>
        )}
      </p>
      {editionOf(operation) === "test" && (
        <p class="edition-note">
          Its path is proposed, so only the edition test has it: create the client with{" "}
          <code>{`createPartnerClient({ …, edition: "test" })`}</code>, and start the mock with{" "}
          <code>npx partner-wallet-api mock --edition test</code>.
        </p>
      )}
      {sideEffects && (
        <p class="side-effects">
          Each call has a side effect, although its method is {method.toUpperCase()}: never repeat it automatically.
        </p>
      )}
    </div>
  );
}

/** Every effect of an operation, in the order in which they happen. */
export function Effects({ operation: { effects, provenance = "proposed" } }: { operation: Operation }) {
  return list(
    effects,
    ({ kind, resource, id, state, to, later, provenance: own }) => (
      <>
        {kind === "creates" ? "Creates" : "Changes"}
        {later && " after the response"}: {state !== undefined && `${wordsOf(state)} of the `}
        <ResourceLink name={resource} /> (<Places expressions={[id]} joint="and" />)
        {to.length > 0 && (kind === "creates" ? " with " : " to ")}
        <Codes values={to} joint="or" />
        {/* Of what comes later, nobody has stated all values. */}
        {to.length > 0 && later && ", as far as known"}.
        <WeakMark provenance={own} than={provenance} />
      </>
    ),
    { class: "effects" },
  );
}

/** What must be true before an operation can succeed: whom it is about, what makes it true, and the P-code otherwise. */
export function Requirements({ operation }: { operation: Operation }) {
  const { site } = usePage();
  return list(
    operation.requires,
    ({ condition, of, code = "" }) => {
      const { meaning = condition, any: isAny = false } = site.conditions[condition] ?? {};
      const resolvers = site.contract.errorCodes.find((error) => error.code === code)?.resolvedBy ?? [];
      const others = resolvers.filter((operationId) => operationId !== operation.operationId);
      return (
        <>
          <InlineProse text={meaning} /> (<Places expressions={of} joint={isAny ? "or" : "and"} />
          ).{others.length > 0 && [" See ", <OperationLinks key="others" operationIds={others} joint="or" />, "."]}{" "}
          Otherwise <CodeLink code={code} />.
        </>
      );
    },
    { class: "requirements" },
  );
}

/** The webhooks that an operation leads to, in the order in which they are sent. */
export function Triggers({ operation }: { operation: Operation }) {
  const { triggers, provenance = "proposed" } = operation;
  const { webhooks } = usePage().site.contract;
  return list(
    triggers,
    ({ webhook, provenance: own }) => {
      const sent = webhooks.find(({ name }) => name === webhook);
      return (
        <>
          <Link to="webhook" name={webhook} /> {sent !== undefined && <Occasion webhook={sent} />}.
          <WeakMark provenance={weakest(provenance, own, sent?.event?.provenance)} than={provenance} />
        </>
      );
    },
    { as: "ol", class: "triggers" },
  );
}

interface LinkObject {
  operationId?: string;
  description?: string;
  parameters?: Record<string, unknown>;
  requestBody?: unknown;
}

/** The calls that the answers of an operation link to, in the order of the contract, each with the values that go into it. */
export function nextCallsOf({ answers }: Operation): ComponentChildren {
  const links = answers.flatMap(({ place }) => place.at("links").entries());
  return list(
    links.map(([, { target }]) => target.value as LinkObject),
    ({ operationId = "", description = "", parameters = {}, requestBody = {} }) => {
      const body = typeof requestBody === "string" ? { "the request body": requestBody } : (requestBody as object);
      return (
        <>
          <Link to="operation" name={operationId} />: <InlineProse text={description} />
          {list(
            Object.entries({ ...parameters, ...body }),
            ([name, value]) => (
              <>
                <code>{name.replace(/^(path|query|header)\./, "")}</code>: <PassedValue value={value} />
              </>
            ),
            { class: "values-passed" },
          )}
        </>
      );
    },
    { class: "next" },
  );
}

function PassedValue({ value }: { value: unknown }) {
  if (typeof value !== "string" || parseExpression(value) === undefined) return <code>{valueText(value)}</code>;
  return (
    <>
      <Places expressions={[value]} joint="and" /> of this call
    </>
  );
}
