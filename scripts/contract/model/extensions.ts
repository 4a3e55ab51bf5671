import type { Provenance } from "./document.ts";
import type { SourceLocation } from "./source-location.ts";

/** An entry under `conditions` of `x-requires` in `openapi/extensions.yaml`. */
export interface Condition {
  meaning: string;
  /** The opposite of the condition, as a clause such as `the user is not verified`. */
  otherwise: string;
  code: string;
  /** If set, the condition holds when at least one of several request values fulfils it. */
  any?: true;
}

export type Conditions = Record<string, Condition>;

/** An entry of `x-requires`. */
export interface Requirement {
  condition: string;
  /** Runtime expressions of OpenAPI. Values that a request does not contain are not checked. */
  expressions: string[];
  /** Undefined if the condition is unknown. */
  code: string | undefined;
  location: SourceLocation;
}

/** An entry of `x-effects`. */
export interface Effect {
  kind: "creates" | "moves";
  resource: string;
  id: string;
  /** Can be undefined if the resource has only one state. */
  state: string | undefined;
  /** The values before a move. If empty: every value with a transition to a value in `to`. */
  from: string[];
  /** The values after the change. If empty: the initial values. */
  to: string[];
  later: boolean;
  provenance: Provenance | undefined;
  location: SourceLocation;
}

/** An entry of `x-triggers`. */
export interface Trigger {
  webhook: string;
  provenance: Provenance | undefined;
  location: SourceLocation;
}

/** The value of `x-event`. */
export interface EventDefinition {
  resource: string;
  state: string | undefined;
  /** The webhook is sent when the state changes to one of these values or, if it reports no change, while the state has one of them. */
  after: string[];
  /** Maps body fields to the resource fields with the same value, if their names differ. */
  body: Record<string, string>;
  provenance: Provenance | undefined;
  location: SourceLocation;
}

/** Maps members of a record or event to the request members with which they are compared. */
export type CopiedMembers = Readonly<Record<string, string>>;

/** An entry of `records` in `x-lookup`: a list of records in which the result of a call can be found. */
export interface LookupRecords {
  /** The operationId of the operation that returns the list. */
  listOperationId: string;
  /** The request member that contains the id of the user whose list is searched. Undefined for the partner's list. */
  userMember: string | undefined;
  type: string | undefined;
  sign: "positive" | "negative" | undefined;
  same: CopiedMembers;
  /** Members whose value is equal to or greater than the value in the request. */
  atLeast: CopiedMembers;
  location: SourceLocation;
}

/** Whether a call with an unknown outcome may be repeated: see `x-lookup` in `openapi/extensions.yaml`. */
export type RepeatRule = "allowed" | "if-absent" | "never";

/** How to find the result of a call whose response was lost (`x-lookup`). */
export interface Lookup {
  records: LookupRecords[];
  /** The operationIds of the operations that return the data that the call changes. */
  shownBy: string[];
  webhook: { name: string; same: CopiedMembers; atLeast: CopiedMembers; location: SourceLocation } | undefined;
  /** Request members that identify the call, provided that the partner never uses a value twice. */
  certain: string[];
  repeat: RepeatRule;
  note: string;
  location: SourceLocation;
}

export interface Expression {
  source: "path" | "query" | "request" | "response";
  name: string;
}

export function readRequirements(operation: SourceLocation, conditions: Conditions): Requirement[] {
  return operation
    .child("x-requires")
    .entries()
    .map(([condition, location]) => ({
      condition,
      expressions: [location.value].flat().map(String),
      code: Object.hasOwn(conditions, condition) ? conditions[condition]?.code : undefined,
      location,
    }));
}

export function readEffects(operation: SourceLocation): Effect[] {
  return operation
    .child("x-effects")
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
        later: location.child("later").value === true,
        provenance: location.text("provenance") as Provenance | undefined,
        location,
      };
    });
}

export function readTriggers(operation: SourceLocation): Trigger[] {
  return operation
    .child("x-triggers")
    .items()
    .map((location) => ({
      webhook: String(typeof location.value === "object" ? location.text("webhook") : location.value),
      provenance: location.text("provenance") as Provenance | undefined,
      location,
    }));
}

export function readEvent(webhook: SourceLocation): EventDefinition | undefined {
  const location = webhook.child("x-event");
  if (location.value == null) return undefined;
  return {
    resource: location.text("resource") ?? "",
    state: location.text("state"),
    after: location.texts("after"),
    body: location.child("body").textMembers(),
    provenance: location.text("provenance") as Provenance | undefined,
    location,
  };
}

export function readLookup(operation: SourceLocation): Lookup | undefined {
  const location = operation.child("x-lookup");
  if (!location.exists) return undefined;
  const readMembers = (parent: SourceLocation, name: string) => parent.child(name).textMembers();
  const webhook = location.child("webhook");
  return {
    records: location
      .child("records")
      .items()
      .map((record) => ({
        listOperationId: record.text("in") ?? "",
        userMember: record.text("of"),
        type: record.text("type"),
        sign: record.text("sign") as LookupRecords["sign"],
        same: readMembers(record, "same"),
        atLeast: readMembers(record, "atLeast"),
        location: record,
      })),
    webhook: webhook.exists
      ? {
          name: webhook.text("name") ?? "",
          same: readMembers(webhook, "same"),
          atLeast: readMembers(webhook, "atLeast"),
          location: webhook,
        }
      : undefined,
    shownBy: location.texts("shownBy"),
    certain: location.texts("certain"),
    repeat: (location.text("repeat") ?? "never") as RepeatRule,
    note: location.text("note") ?? "",
    location,
  };
}

/** Parses a runtime expression of OpenAPI. Returns undefined for a form that this contract does not use, and for a malformed expression. */
export function parseExpression(expression: string): Expression | undefined {
  const match = /^\$(request|response)\.(path\.|query\.|body#\/)([A-Za-z0-9_]+)$/.exec(expression);
  if (match === null) return undefined;
  const [, side = "", prefix = "", name = ""] = match;
  if (prefix !== "body#/") return { source: prefix === "path." ? "path" : "query", name };
  return { source: side === "request" ? "request" : "response", name };
}
