/** Reads what operations and webhooks say of conditions, effects and events: data that a stateful mock can run on. */
import type { Provenance } from "./document.ts";
import type { Place } from "./place.ts";

/** A condition of `x-requires` in `openapi/extensions.yaml`. */
export interface Condition {
  meaning: string;
  /** That it does not hold, as the end of a sentence: `the user is not verified`. */
  otherwise: string;
  /** The P-code of an operation whose condition is not fulfilled. */
  code: string;
  /** Whether it holds as soon as one of several places in the request fulfils it. */
  any?: true;
}

/** The declared conditions, by name. */
export type Conditions = Record<string, Condition>;

/** An entry of `x-requires`: a condition, and whose user, card or amount it is about. */
export interface Requirement {
  condition: string;
  /** Runtime expressions of OpenAPI; each one that the request gives must fulfil it, or one where the condition says `any`. */
  of: string[];
  /** Undefined where the model was read without the conditions, or the condition is not declared. */
  code: string | undefined;
  place: Place;
}

/** An entry of `x-effects`: a resource is created, or moves to another value. */
export interface Effect {
  kind: "creates" | "moves";
  resource: string;
  /** Which one, as a runtime expression of OpenAPI. */
  id: string;
  /** The state that moves; undefined where the resource has a single one. */
  state: string | undefined;
  /** The values that it moves from. Empty where it is any from which the lifecycle leads to the next. */
  from: string[];
  /** The values that are possible afterwards. Empty where a new one has the initial value. */
  to: string[];
  /** Whether it happens after the response. */
  later: boolean;
  /** Its own mark; undefined where it is as sure as the operation. */
  provenance: Provenance | undefined;
  place: Place;
}

/** An entry of `x-triggers`: a webhook that an operation leads to. */
export interface Trigger {
  /** Its key. */
  webhook: string;
  /** Its own mark; undefined where it is as sure as the operation. */
  provenance: Provenance | undefined;
  place: Place;
}

/** What a webhook tells of (`x-event`). */
export interface EventSource {
  resource: string;
  /** The state that it tells of; undefined where the resource has a single one. */
  state: string | undefined;
  /** The values after which it is sent. */
  after: string[];
  /** Fields of the resource by the fields of the body that carry them, where the names differ. */
  body: Record<string, string>;
  provenance: Provenance | undefined;
  place: Place;
}

/** Which members of a record or an event repeat which members of the request. */
export type Repeated = Readonly<Record<string, string>>;

/** A list that shows what a call made (`x-lookup`). */
export interface LookupRecords {
  /** The operationId of the list. */
  in: string;
  /** The member of the request body that holds the user whose list it is; undefined for the partner's own. */
  of: string | undefined;
  type: string | undefined;
  /** The sign of the amount. */
  sign: "positive" | "negative" | undefined;
  same: Repeated;
  /** Those that can be greater. */
  atLeast: Repeated;
  place: Place;
}

/** Where a call with an unknown outcome is looked for (`x-lookup`). */
export interface Lookup {
  records: LookupRecords[];
  webhook: { name: string; same: Repeated; place: Place } | undefined;
  /** The members of the request that distinguish the call where each call has a value of its own. */
  certain: string[];
  /** What only looks like the call. */
  similar: string;
  /** What to do where nothing shows the call. */
  otherwise: string;
  place: Place;
}

/** What a runtime expression of OpenAPI refers to. */
export interface Expression {
  of: "path" | "query" | "request" | "response";
  name: string;
}

/** The requirements of an operation, in their order. */
export function readRequirements(operation: Place, conditions: Conditions): Requirement[] {
  return operation
    .own("x-requires")
    .entries()
    .map(([condition, place]) => ({
      condition,
      of: [place.value].flat().map(String),
      code: Object.hasOwn(conditions, condition) ? conditions[condition]?.code : undefined,
      place,
    }));
}

/** The effects of an operation, in their order. */
export function readEffects(operation: Place): Effect[] {
  return operation
    .own("x-effects")
    .items()
    .map((place) => {
      const creates = place.text("creates");
      return {
        kind: creates === undefined ? "moves" : "creates",
        resource: creates ?? place.text("moves") ?? "",
        id: place.text("id") ?? "",
        state: place.text("state"),
        from: place.texts("from"),
        to: place.texts("to"),
        later: place.own("later").value === true,
        provenance: place.text("provenance") as Provenance | undefined,
        place,
      };
    });
}

/** The webhooks that an operation leads to, in the order in which they are sent. */
export function readTriggers(operation: Place): Trigger[] {
  return operation
    .own("x-triggers")
    .items()
    .map((place) => ({
      webhook: String(typeof place.value === "object" ? place.text("webhook") : place.value),
      provenance: place.text("provenance") as Provenance | undefined,
      place,
    }));
}

/** What a webhook tells of; undefined where it does not say so, which lint reports. */
export function readEvent(webhook: Place): EventSource | undefined {
  const place = webhook.own("x-event");
  if (!place.exists) return undefined;
  const { body = {} } = place.value as Partial<EventSource>;
  return {
    resource: place.text("resource") ?? "",
    state: place.text("state"),
    after: place.texts("after"),
    body,
    provenance: place.text("provenance") as Provenance | undefined,
    place,
  };
}

/** Where a call of an operation is looked for; undefined where the contract does not say it. */
export function readLookup(operation: Place): Lookup | undefined {
  const place = operation.own("x-lookup");
  if (!place.exists) return undefined;
  const repeated = (of: Place, name: string) => (of.own(name).value ?? {}) as Repeated;
  const webhook = place.own("webhook");
  return {
    records: place
      .own("records")
      .items()
      .map((record) => ({
        in: record.text("in") ?? "",
        of: record.text("of"),
        type: record.text("type"),
        sign: record.text("sign") as LookupRecords["sign"],
        same: repeated(record, "same"),
        atLeast: repeated(record, "atLeast"),
        place: record,
      })),
    webhook: webhook.exists
      ? { name: webhook.text("name") ?? "", same: repeated(webhook, "same"), place: webhook }
      : undefined,
    certain: place.texts("certain"),
    similar: place.text("similar") ?? "",
    otherwise: place.text("otherwise") ?? "",
    place,
  };
}

/** What an expression refers to; undefined when it has none of the forms that this contract uses. */
export function parseExpression(expression: string): Expression | undefined {
  const found = /^\$(request|response)\.(path\.|query\.|body#\/)([A-Za-z0-9_]+)$/.exec(expression);
  if (found === null) return undefined;
  const [, side = "", part = "", name = ""] = found;
  if (part !== "body#/") return { of: part === "path." ? "path" : "query", name };
  return { of: side === "request" ? "request" : "response", name };
}
