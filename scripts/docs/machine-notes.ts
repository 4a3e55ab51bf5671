/** What an operation requires and changes, and what a webhook tells of, in words: data that a stateful mock can run on. */
import { type Contract, type Operation, type Provenance, parseExpression, type Webhook } from "../contract/index.ts";
import { code, inline, provenanceMark } from "./markdown.ts";
import type { NoteContext } from "./notes.ts";

/** Each condition of an operation, whose user, card or amount it is about, and the P-code when it is not fulfilled. */
export function requirementNotes({ requires }: Operation, { links, conditions }: NoteContext): string[] {
  return requires.map(({ condition, of }) => {
    const declared = Object.hasOwn(conditions, condition) ? conditions[condition] : undefined;
    const words = `${inline(declared?.meaning ?? condition)} (${placesOf(of, declared?.any ? "or" : "and")})`;
    return declared === undefined ? `${words}.` : `${words}; ${links.error(declared.code)} otherwise.`;
  });
}

/** Each effect of an operation, in their order. */
export function effectNotes({ effects }: Operation): string[] {
  return effects.map((effect) => {
    const { kind, resource, id, state, to, later, provenance } = effect;
    const what = `${wordsOf(resource)} (${placesOf([id])})`;
    const when = later ? " after the answer" : "";
    // What comes of it is told as far as it is known: an edition can lack the value of a failure.
    const known = later && to.length > 0 ? ", as far as known" : "";
    const value = to.map(code).join(" or ");
    const origin = originOf(provenance);
    if (kind === "creates") return `Creates${when}: ${what}${value === "" ? "" : ` with ${value}`}${known}.${origin}`;
    const subject = state === undefined ? what : `${wordsOf(state)} of the ${what}`;
    return `Changes${when}: ${subject} becomes ${value}${known}.${origin}`;
  });
}

/** Each webhook that an operation leads to, in the order in which they are sent, and after which state. */
export function triggerNotes({ triggers }: Operation, { webhooks }: Contract, { links }: NoteContext): string[] {
  return triggers.map(({ webhook, provenance }) => {
    const event = webhooks.find(({ name }) => name === webhook)?.event;
    const when = event === undefined ? "" : `, ${occasion(event)}`;
    return `${links.webhook(webhook)}${when}${originOf(provenance)}`;
  });
}

/** After which state a webhook is sent, and which operations lead to it; empty where nothing is said of either. */
export function eventNote({ name, event }: Webhook, { operations }: Contract, { links }: NoteContext): string {
  const sent = event === undefined ? "" : `Sent ${occasion(event)}.${originOf(event.provenance)}`;
  const causes = operations.filter(({ triggers }) => triggers.some(({ webhook }) => webhook === name));
  const calls = causes.map(({ operationId }) => links.operation(operationId)).join(", ");
  return [sent, calls === "" ? "" : `Operations that lead to it: ${calls}.`].filter(Boolean).join(" ");
}

/** How often and when a webhook is delivered again; empty where that is not said. */
export function deliveryNote({ delivery }: Contract): string {
  if (delivery === undefined) return "";
  const { attempts, delays, provenance } = delivery;
  const words = `Delivered at most ${attempts} times, about ${delays.join(", ")} seconds after a failed attempt.`;
  return `${words} ${provenanceMark(provenance)}`;
}

/** After which known values of a state something is sent. */
function occasion({ resource, state, after }: NonNullable<Webhook["event"]>): string {
  const subject = state === undefined ? wordsOf(resource) : `${wordsOf(state)} of the ${wordsOf(resource)}`;
  return `after ${after.map(code).join(", ")} (known values; ${subject})`;
}

/** The mark of something that is not as sure as what it is said of, behind a sentence. */
function originOf(provenance: Provenance | undefined): string {
  return provenance === undefined ? "" : ` ${provenanceMark(provenance)}`;
}

/** Where expressions point to: `` `externalUserId` in the path ``. Names in the same place stand together. */
function placesOf(expressions: string[], joint: "and" | "or" = "and"): string {
  const words = { path: "path", query: "query", request: "request body", response: "answer" };
  const names = new Map<string, string[]>();
  for (const expression of expressions) {
    const parsed = parseExpression(expression);
    if (parsed === undefined) continue;
    const place = words[parsed.of];
    names.set(place, [...(names.get(place) ?? []), code(parsed.name)]);
  }
  return [...names]
    .map(([place, some]) => `${some.join(` ${joint} `)} in the ${place}`)
    .join(joint === "or" ? " or " : ", ");
}

/** A name in camelCase as words: `sepaTransfer` is a SEPA transfer. */
function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/\b(iban|kyc|sepa)\b/g, (acronym) => acronym.toUpperCase());
}
