/** What an operation changes, and after which change a webhook is sent, in words with links to the lifecycles. */
import {
  type Effect,
  type EventSource,
  type Operation,
  type Provenance,
  type Webhook,
  weakest,
} from "../../contract/index.ts";
import { findTarget } from "../site/site.ts";
import { Places } from "./expressions.tsx";
import { wordsOf } from "./field-words.ts";
import { Link } from "./link.tsx";
import { ProvenanceMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { tellsOfChange } from "./webhook-subject.ts";

/** Every effect of an operation, in the order in which they happen. */
export function Effects({ operation: { effects, provenance = "proposed" } }: { operation: Operation }) {
  if (effects.length === 0) return null;
  return (
    <ul class="effects">
      {effects.map((effect) => (
        <li key={effect.place.id}>
          <EffectWords effect={effect} /> <WeakerMark provenance={effect.provenance} than={provenance} />
        </li>
      ))}
    </ul>
  );
}

function EffectWords({ effect: { kind, resource, id, state, to, later } }: { effect: Effect }) {
  // Of what comes later, nobody has stated all values.
  const known = later && to.length > 0 && ", as far as known";
  const when = later && " after the response";
  const which = (
    <>
      <ResourceLink name={resource} /> (<Places expressions={[id]} joint="and" />)
    </>
  );
  if (kind === "creates") {
    return (
      <>
        Creates{when}: {which}
        {to.length > 0 && " with "}
        <Codes values={to} joint="or" />
        {known}.
      </>
    );
  }
  return (
    <>
      Changes{when}: {state !== undefined && `${wordsOf(state)} of the `}
      {which} {state === undefined && isPlural(resource) ? "become" : "becomes"} <Codes values={to} joint="or" />
      {known}.
    </>
  );
}

/** After which values of a state a webhook is sent, or in which state what it concerns is where it tells of no change. */
export function Occasion({ webhook, event }: { webhook: Webhook; event: EventSource }) {
  const { site } = usePage();
  const { resource, state, after } = event;
  const subject = (
    <>
      {state !== undefined && `${wordsOf(state)} of the `}
      <ResourceLink name={resource} />
    </>
  );
  const values = <Codes values={after} joint="or" />;
  if (!tellsOfChange(webhook, site)) {
    return (
      <>
        for a {subject} that is {values}
      </>
    );
  }
  const isMany = state === undefined && isPlural(resource);
  return (
    <>
      when the {subject} {verbFor(after, isMany)} {values}, as far as known
    </>
  );
}

/** Words for a state, such as `created`, are no values of the interface: nothing becomes `created`. */
function verbFor(values: readonly string[], isMany: boolean): string {
  const areWords = values.every((value) => /^[a-z ]+$/.test(value));
  if (areWords) return isMany ? "are" : "is";
  return isMany ? "become" : "becomes";
}

function isPlural(resource: string): boolean {
  return /[^s]s$/.test(resource);
}

/** The name of a resource, linked to its lifecycle. */
export function ResourceLink({ name }: { name: string }) {
  const { site } = usePage();
  if (findTarget(site, "lifecycle", name) === undefined) return <>{wordsOf(name)}</>;
  return (
    <Link to="lifecycle" name={name}>
      {wordsOf(name)}
    </Link>
  );
}

/** Values of the interface as a list in words. */
export function Codes({ values, joint }: { values: readonly string[]; joint: "and" | "or" }) {
  return (
    <>
      {values.map((value, index) => (
        <>
          {index > 0 && (index === values.length - 1 ? ` ${joint} ` : ", ")}
          <code>{value}</code>
        </>
      ))}
    </>
  );
}

/** The mark of something that is less sure than what it is said of; nothing otherwise. */
export function WeakerMark({ provenance, than }: { provenance: Provenance | undefined; than: Provenance }) {
  const effective = weakest(than, provenance);
  return effective === than ? null : <ProvenanceMark provenance={effective} />;
}
