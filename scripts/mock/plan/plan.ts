/**
 * What the mock knows of the contract: plain data and compiled validators, made once from the document of the edition `test`
 * (`scripts/mock/make-plan/`), so that the mock needs neither the YAML files nor Ajv when it runs.
 */

import type { Assumptions } from "./assumptions.ts";
import type { Snapshot } from "./data.ts";
import type { Probes } from "./probes.ts";

/** An edition selects operations. */
export const editions = ["latest", "test"] as const;
export type Edition = (typeof editions)[number];

/** A schema that was compiled: whether a value fulfils it, and afterwards what is wrong. A function that throws says no. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/** What Ajv says of a value, as far as the mock reads it. */
export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Below the root of the schema that was compiled. */
  readonly schemaPath?: string;
}

/** The documented response for a request that breaks its schema: a P-code, or a status without one. */
export type InvalidRequest = string | { readonly [kind: string]: string };

export interface PlanParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  /** The type that its text stands for; where it can be a number or a text, `number`. */
  readonly type: "string" | "number" | "integer" | "boolean";
  readonly example: unknown;
  readonly validator: Validator;
  readonly invalidRequest: InvalidRequest | undefined;
}

export interface PlanBody {
  readonly mediaType: string;
  readonly validator: Validator;
  /** Accepted content types of each part, for multipart bodies. */
  readonly partTypes: Readonly<Record<string, readonly string[]>>;
  /** Pointers of all members that the schema has, those of lists below `*`; empty where any other is accepted too. */
  readonly members: readonly string[];
  /** Names of all parts, and of those that may be repeated. */
  readonly parts: readonly string[];
  readonly arrayParts: readonly string[];
  /** Names of the parts that are files. */
  readonly fileParts: readonly string[];
  /** Largest size of a file, in bytes, by the name of its part. */
  readonly maxBytes: Readonly<Record<string, number>>;
  /** The values of its examples, by name. */
  readonly examples: Readonly<Record<string, unknown>>;
}

/** One documented response, with one of its named examples when it has any. */
export interface PlanResponse {
  readonly status: number;
  readonly mediaType: string | undefined;
  /** The name of the example. */
  readonly example: string | undefined;
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, ready to be sent. */
  readonly body: string;
}

/** An entry of `x-effects` that moves what the request names to one state, at once. */
export interface PlanMove {
  readonly resource: string;
  readonly id: string;
  readonly state: string;
  readonly to: string;
}

/** An entry of `x-requires`. */
export interface PlanRequirement {
  readonly condition: string;
  readonly of: readonly string[];
  readonly code: string;
  /** One of several values is enough. */
  readonly any: boolean;
}

export interface PlanOperation {
  readonly operationId: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly address: "base_url" | "deposit_base_url";
  readonly deprecated: boolean;
  /** The header of the API key, in lower case; undefined where none is needed. */
  readonly keyHeader: string | undefined;
  /** Editions that have the operation. */
  readonly editions: readonly Edition[];
  readonly parameters: readonly PlanParameter[];
  readonly requestBody:
    | {
        readonly required: boolean;
        readonly bodies: readonly PlanBody[];
        readonly invalidRequest: InvalidRequest | undefined;
      }
    | undefined;
  /** Every documented response, in the order of the contract; the first success is the response of the stateless mock. */
  readonly responses: readonly PlanResponse[];
  /** Statuses of the responses in which any other P-code can occur as well: nobody has stated the list. */
  readonly openStatuses: readonly number[];
  /** Validators of the bodies of responses, by `status mediaType`. */
  readonly responseValidators: Readonly<Record<string, Validator>>;
  /** Where its bodies hold what is sensitive; the responses by status. */
  readonly sensitive: {
    readonly request?: SensitiveParts;
    readonly responses: Readonly<Record<string, SensitiveParts>>;
  };
  readonly requires: readonly PlanRequirement[];
  readonly moves: readonly PlanMove[];
  /** The resources that `x-effects` says it creates. */
  readonly creates: readonly string[];
  /** What its answers rest on, by `status` or P-code: `proposed`, ids of open questions. */
  readonly assumes: Readonly<Record<string, readonly string[]>>;
}

/**
 * Where a value is sensitive: all of it, or some members. `*` stands for the items of a list and for members without an entry of
 * their own; false for a member that is not sensitive here, though others of its name are.
 */
export type SensitiveParts = boolean | { readonly [member: string]: SensitiveParts };

export interface PlanWebhook {
  readonly name: string;
  /** On the partner's server; empty where none is known. */
  readonly path: string;
  readonly resource: string;
  readonly state: string;
  readonly after: readonly string[];
  /** Fields of the resource, by the fields of the body that carry them, where the names differ. */
  readonly fields: Readonly<Record<string, string>>;
  readonly validator: Validator;
  readonly examples: Readonly<Record<string, unknown>>;
}

export interface PlanState {
  readonly initial: readonly string[];
  /** For each value, those that can follow; a value without an entry is final. */
  readonly transitions: Readonly<Record<string, readonly string[]>>;
}

export interface PlanExternalEvent {
  readonly creates: string | undefined;
  readonly moves: string | undefined;
  readonly state: string | undefined;
  readonly to: readonly string[];
  /** The names of what it can be told. */
  readonly takes: readonly string[];
  readonly meaning: string;
}

export interface PlanResource {
  readonly name: string;
  /** The field that tells one from another. */
  readonly id: string;
  /** The states by name; `status` where there is a single one. */
  readonly states: Readonly<Record<string, PlanState>>;
  /** What happens without a call of the partner. */
  readonly externalEvents: Readonly<Record<string, PlanExternalEvent>>;
}

export interface PlanCode {
  readonly code: string;
  readonly status: number;
  readonly meaning: string;
  /** The body of its example. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** A value that an operation of the control interface takes. */
export interface PlanField {
  /** With points where it leads into an object, and `<name>` for a name that can be chosen: `funds.<name>`. */
  readonly name: string;
  readonly in: "path" | "query" | "body";
  readonly isRequired: boolean;
  /** What a value must be, in words. */
  readonly form: string;
  readonly description: string;
  /** An example of a value, as a text. */
  readonly example?: string;
  /** The values that there are; empty where others are possible. */
  readonly values: readonly string[];
  /** Whether a value can be a text, so that it is not read as JSON; left out where the document says nothing of its type. */
  readonly isText?: boolean;
}

/** An operation of the control interface (`openapi/mock-control.yaml`). */
export interface PlanControl {
  readonly operationId: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  /** No API key is needed. */
  readonly isOpen: boolean;
  readonly summary: string;
  /** Markdown; empty where the summary says all. */
  readonly description: string;
  /** The heading below which it is listed. */
  readonly tag: string;
  /** What it can be sent, for people. */
  readonly fields: readonly PlanField[];
  /** Bodies, each with what it is an example of. */
  readonly examples: readonly { readonly summary: string; readonly value: Readonly<Record<string, unknown>> }[];
  /** The types of the query parameters. */
  readonly query: Readonly<Record<string, "integer" | "boolean">>;
  /** How it is called on the command line: its words, with members of the body or path parameters in braces. */
  readonly commands: readonly string[];
  /** `schema` is without references. */
  readonly body: { readonly isRequired: boolean; readonly schema: object; readonly validator: Validator } | undefined;
}

/** The world after the scenario, or why it cannot be played. */
export type PlanScenario = Snapshot | { readonly problem: string };

export interface Plan {
  readonly version: string;
  readonly operations: readonly PlanOperation[];
  readonly webhooks: readonly PlanWebhook[];
  readonly resources: Readonly<Record<string, PlanResource>>;
  readonly codes: Readonly<Record<string, PlanCode>>;
  /** Attempts to deliver a webhook, and the seconds before each but the first. */
  readonly delivery: { readonly attempts: number; readonly delays: readonly number[] };
  /** `openapi/mock.yaml`. */
  readonly assumptions: Assumptions;
  /** The state after `openapi/scenario.yaml` was played; undefined where the contract has no scenario. */
  readonly scenario: PlanScenario | undefined;
  readonly control: readonly PlanControl[];
  /** What `GET` answers below the control interface without a key, by the path. */
  readonly pages: Readonly<Record<string, PlanPage>>;
  /** Names of the properties and parameters that the contract marks with `x-sensitive`. */
  readonly sensitiveNames: readonly string[];
  /** `openapi/probes.yaml`, which the commands use that call the service. */
  readonly probes: Probes;
}

export interface PlanPage {
  readonly mediaType: string;
  readonly text: string;
}
