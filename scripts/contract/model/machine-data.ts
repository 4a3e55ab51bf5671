/** Reads the conditions, effects and events of operations and webhooks, which a stateful mock runs on. */
import type { Provenance } from "./document.ts";
import type { SourceLocation } from "./source-location.ts";

/** A condition of `x-requires` in `openapi/extensions.yaml`. */
export interface Condition {
  meaning: string;
  /** The violated condition as a subordinate clause: `the user is not verified`. */
  otherwise: string;
  /** The P-code of an operation whose condition is not fulfilled. */
  code: string;
  /** Whether one of several values in the request is enough. */
  any?: true;
}

/** The declared conditions, by name. */
export type Conditions = Record<string, Condition>;

/** An entry of `x-requires`: a condition, and the request values that it applies to. */
export interface Requirement {
  condition: string;
  /**
   * Runtime expressions of OpenAPI. All values present in the request must fulfil the condition, or one of them where the condition has
   * `any`.
   */
  of: string[];
  /** Undefined where the model was read without the conditions, or the condition is not declared. */
  code: string | undefined;
  location: SourceLocation;
}

/** An entry of `x-effects`: a resource is created, or changes its state. */
export interface Effect {
  kind: "creates" | "moves";
  resource: string;
  /** The resource's id, as a runtime expression of OpenAPI. */
  id: string;
  /** The state that changes; undefined where the resource has only one. */
  state: string | undefined;
  /** The previous values. Empty for any value with a transition to the next one. */
  from: string[];
  /** The possible values afterwards. Empty for the initial value of a new resource. */
  to: string[];
  /** Whether the effect happens after the response. */
  later: boolean;
  /** The entry's own provenance mark; undefined where it equals the operation's provenance. */
  provenance: Provenance | undefined;
  location: SourceLocation;
}

/** An entry of `x-triggers`: a webhook that an operation leads to. */
export interface Trigger {
  /** The key of the webhook. */
  webhook: string;
  /** The entry's own provenance mark; undefined where it equals the operation's provenance. */
  provenance: Provenance | undefined;
  location: SourceLocation;
}

/** The resource and states that a webhook reports (`x-event`). */
export interface EventSource {
  resource: string;
  /** The reported state; undefined where the resource has only one. */
  state: string | undefined;
  /** The webhook is sent when the state has become one of these values. */
  after: string[];
  /** Resource fields by body field, where the names differ. */
  body: Record<string, string>;
  provenance: Provenance | undefined;
  location: SourceLocation;
}

/** Members of a record or an event, and the request members whose values they repeat. */
export type CopiedMembers = Readonly<Record<string, string>>;

/** A list that contains the result of a call (`x-lookup`). */
export interface LookupRecords {
  /** The operationId of the list. */
  in: string;
  /** The request member that names the user of the list; undefined for the partner's own list. */
  of: string | undefined;
  type: string | undefined;
  /** The sign of the amount. */
  sign: "positive" | "negative" | undefined;
  same: CopiedMembers;
  /** Members that can be greater than the request's. */
  atLeast: CopiedMembers;
  location: SourceLocation;
}

/** How a call with an unknown outcome is looked up (`x-lookup`). */
export interface Lookup {
  records: LookupRecords[];
  webhook: { name: string; same: CopiedMembers; location: SourceLocation } | undefined;
  /** Request members that identify the call where their values are unique. */
  certain: string[];
  /** Text that says which records look similar, but belong to other calls. */
  similar: string;
  /** Text that says what to do when no record is found. */
  otherwise: string;
  location: SourceLocation;
}

/** A parsed runtime expression of OpenAPI. */
export interface Expression {
  of: "path" | "query" | "request" | "response";
  name: string;
}

/** The requirements of an operation, in their order. */
export function readRequirements(operation: SourceLocation, conditions: Conditions): Requirement[] {
  return operation
    .own("x-requires")
    .entries()
    .map(([condition, location]) => ({
      condition,
      of: [location.value].flat().map(String),
      code: Object.hasOwn(conditions, condition) ? conditions[condition]?.code : undefined,
      location,
    }));
}

/** The effects of an operation, in their order. */
export function readEffects(operation: SourceLocation): Effect[] {
  return operation
    .own("x-effects")
    .items()
    .map((location) => {
      const creates = location.text("creates");
      return {
        kind: creates === undefined ? "moves" : "creates",
        resource: creates ?? location.text("moves") ?? "",
        id: location.text("id") ?? "",
        state: location.text("state"),
        from: location.texts("from"),
        to: location.texts("to"),
        later: location.own("later").value === true,
        provenance: location.text("provenance") as Provenance | undefined,
        location,
      };
    });
}

/** The webhooks that an operation leads to, in the order in which they are sent. */
export function readTriggers(operation: SourceLocation): Trigger[] {
  return operation
    .own("x-triggers")
    .items()
    .map((location) => ({
      webhook: String(typeof location.value === "object" ? location.text("webhook") : location.value),
      provenance: location.text("provenance") as Provenance | undefined,
      location,
    }));
}

/** The `x-event` of a webhook; undefined where it is missing, which lint reports. */
export function readEvent(webhook: SourceLocation): EventSource | undefined {
  const location = webhook.own("x-event");
  if (!location.exists) return undefined;
  const { body = {} } = location.value as Partial<EventSource>;
  return {
    resource: location.text("resource") ?? "",
    state: location.text("state"),
    after: location.texts("after"),
    body,
    provenance: location.text("provenance") as Provenance | undefined,
    location,
  };
}

/** The `x-lookup` of an operation; undefined where it has none. */
export function readLookup(operation: SourceLocation): Lookup | undefined {
  const location = operation.own("x-lookup");
  if (!location.exists) return undefined;
  const repeated = (of: SourceLocation, name: string) => (of.own(name).value ?? {}) as CopiedMembers;
  const webhook = location.own("webhook");
  return {
    records: location
      .own("records")
      .items()
      .map((record) => ({
        in: record.text("in") ?? "",
        of: record.text("of"),
        type: record.text("type"),
        sign: record.text("sign") as LookupRecords["sign"],
        same: repeated(record, "same"),
        atLeast: repeated(record, "atLeast"),
        location: record,
      })),
    webhook: webhook.exists
      ? { name: webhook.text("name") ?? "", same: repeated(webhook, "same"), location: webhook }
      : undefined,
    certain: location.texts("certain"),
    similar: location.text("similar") ?? "",
    otherwise: location.text("otherwise") ?? "",
    location,
  };
}

/** Parses an expression; undefined when it has none of the forms that this contract uses. */
export function parseExpression(expression: string): Expression | undefined {
  const found = /^\$(request|response)\.(path\.|query\.|body#\/)([A-Za-z0-9_]+)$/.exec(expression);
  if (found === null) return undefined;
  const [, side = "", part = "", name = ""] = found;
  if (part !== "body#/") return { of: part === "path." ? "path" : "query", name };
  return { of: side === "request" ? "request" : "response", name };
}
