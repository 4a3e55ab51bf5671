/**
 * The mock's data from the contract: plain data and compiled validators, made from the document of the edition `test`
 * (`scripts/mock/make-plan/`), so that the mock needs neither YAML nor Ajv at run time.
 */

import type { Assumptions } from "./assumptions.ts";
import type { Snapshot } from "./data.ts";
import type { Probes } from "./probes.ts";

/** The editions of the contract, each with its own selection of operations. */
export const editions = ["latest", "test"] as const;
export type Edition = (typeof editions)[number];

/** A compiled schema: returns whether a value is valid, and then holds the errors. If the validator throws, the value counts as invalid. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Relative to the root of the compiled schema. */
  readonly schemaPath?: string;
}

/** The P-code or status of the documented response to an invalid request; an object distinguishes kinds of violations. */
export type InvalidRequest = string | { readonly [kind: string]: string };

export interface PlanParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  /** The type of its value; `number` if it can be a number or a text. */
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
  /** Pointers of all members in the schema, `*` for list items; empty if unlisted members are permitted. */
  readonly members: readonly string[];
  /** Names of all parts; `arrayParts` can be repeated. */
  readonly parts: readonly string[];
  readonly arrayParts: readonly string[];
  readonly fileParts: readonly string[];
  /** Maximum file size in bytes, by part. */
  readonly maxBytes: Readonly<Record<string, number>>;
  readonly examples: Readonly<Record<string, unknown>>;
}

/** A documented response with an example, if the response has examples. */
export interface PlanResponse {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly example: string | undefined;
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An entry of `x-effects` that immediately changes the state of a resource named in the request. */
export interface PlanMove {
  readonly resource: string;
  readonly id: string;
  readonly state: string;
  readonly to: string;
}

export interface PlanRequirement {
  readonly condition: string;
  readonly of: readonly string[];
  readonly code: string;
  /** Whether a single matching value is enough. */
  readonly any: boolean;
}

export interface PlanOperation {
  readonly operationId: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly address: "base_url" | "deposit_base_url";
  readonly deprecated: boolean;
  /** The API key header in lower case; undefined if no key is needed. */
  readonly keyHeader: string | undefined;
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
  /** Statuses for which the contract does not list all P-codes. */
  readonly openStatuses: readonly number[];
  /** Validators of the bodies of responses, by `status mediaType`. */
  readonly responseValidators: Readonly<Record<string, Validator>>;
  /** The sensitive parts of the request body and, by status, of the response bodies. */
  readonly sensitive: {
    readonly request?: SensitiveParts;
    readonly responses: Readonly<Record<string, SensitiveParts>>;
  };
  readonly requires: readonly PlanRequirement[];
  readonly moves: readonly PlanMove[];
  /** The resources that it creates according to `x-effects`. */
  readonly creates: readonly string[];
  /** The assumptions behind its responses, by `status` or P-code: `proposed`, ids of open questions. */
  readonly assumes: Readonly<Record<string, readonly string[]>>;
}

/**
 * The sensitive parts of a value: all of it, or some members. `*` stands for list items and for members without an entry; false marks
 * a member as not sensitive although its name is sensitive elsewhere.
 */
export type SensitiveParts = boolean | { readonly [member: string]: SensitiveParts };

export interface PlanWebhook {
  readonly name: string;
  /** The path on the partner's server; empty if unknown. */
  readonly path: string;
  readonly resource: string;
  readonly state: string;
  readonly after: readonly string[];
  /** Resource fields by body field, if the names differ. */
  readonly fields: Readonly<Record<string, string>>;
  readonly validator: Validator;
  readonly examples: Readonly<Record<string, unknown>>;
}

export interface PlanState {
  readonly initial: readonly string[];
  /** For each value, the possible next values; a value without an entry is final. */
  readonly transitions: Readonly<Record<string, readonly string[]>>;
}

export interface PlanExternalEvent {
  readonly creates: string | undefined;
  readonly moves: string | undefined;
  readonly state: string | undefined;
  readonly to: readonly string[];
  readonly takes: readonly string[];
  readonly meaning: string;
}

export interface PlanResource {
  readonly name: string;
  readonly id: string;
  /** The states by name; the name is `status` if there is only one. */
  readonly states: Readonly<Record<string, PlanState>>;
  readonly externalEvents: Readonly<Record<string, PlanExternalEvent>>;
}

export interface PlanCode {
  readonly code: string;
  readonly status: number;
  readonly meaning: string;
  readonly example: Readonly<Record<string, unknown>>;
}

export interface PlanField {
  /** The path of the field, with dots between levels and `<name>` for a key of a map, such as `funds.<name>`. */
  readonly name: string;
  readonly in: "path" | "query" | "body";
  readonly isRequired: boolean;
  /** The expected value, in words. */
  readonly form: string;
  readonly description: string;
  readonly example?: string;
  /** The possible values; empty if the list is not complete. */
  readonly values: readonly string[];
  /** Whether a value can be a text, so that it is not parsed as JSON; left out if the type is not documented. */
  readonly isText?: boolean;
}

export interface PlanControl {
  readonly operationId: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  /** Whether no API key is needed. */
  readonly isOpen: boolean;
  readonly summary: string;
  /** Markdown; empty if the summary is enough. */
  readonly description: string;
  readonly tag: string;
  readonly fields: readonly PlanField[];
  readonly examples: readonly { readonly summary: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly query: Readonly<Record<string, "integer" | "boolean">>;
  /** Its commands: words, with members of the body or path parameters in braces. */
  readonly commands: readonly string[];
  /** `schema` has no references. */
  readonly body: { readonly isRequired: boolean; readonly schema: object; readonly validator: Validator } | undefined;
}

export type PlanScenario = Snapshot | { readonly problem: string };

export interface Plan {
  readonly version: string;
  readonly operations: readonly PlanOperation[];
  readonly webhooks: readonly PlanWebhook[];
  readonly resources: Readonly<Record<string, PlanResource>>;
  readonly codes: Readonly<Record<string, PlanCode>>;
  /** Number of delivery attempts, and the seconds between them. */
  readonly delivery: { readonly attempts: number; readonly delays: readonly number[] };
  /** `openapi/mock.yaml`. */
  readonly assumptions: Assumptions;
  /** The state after the scenario; undefined if the contract has no scenario. */
  readonly scenario: PlanScenario | undefined;
  readonly control: readonly PlanControl[];
  /** The responses to `GET` without a key below the control interface, by path. */
  readonly pages: Readonly<Record<string, PlanPage>>;
  /** Names of the properties and parameters that the contract marks with `x-sensitive`. */
  readonly sensitiveNames: readonly string[];
  /** `openapi/probes.yaml`, for the commands that call the service. */
  readonly probes: Probes;
}

export interface PlanPage {
  readonly mediaType: string;
  readonly text: string;
}
