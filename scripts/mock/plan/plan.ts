/**
 * The plan: everything that the mock needs from the contract, as plain data and compiled validators, so that the mock needs neither the
 * YAML files nor Ajv at run time. `scripts/mock/make-plan/` makes the plan from the contract's edition `test`.
 */

import type { Assumptions } from "./assumptions.ts";
import type { Assume } from "./control.ts";
import type { Snapshot } from "./data.ts";
import type { Probes } from "./probes.ts";

export const editions = ["latest", "test"] as const;
export type Edition = (typeof editions)[number];

/** Returns whether a value is valid, and stores the errors in `errors`. Can throw for a text of several megabytes. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * The failed keyword as a JSON pointer in a URI fragment (`#/…`). The path restarts at each `$ref`, so it is relative to the root of the
   * compiled schema only if no reference leads to the keyword.
   */
  readonly schemaPath?: string;
}

/** The P-code or status of the documented response to an invalid request, or one for each kind of violation. */
export type InvalidRequest = string | { readonly [kind: string]: string };

export interface PlanParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  /** The type of the value; `string` if the schema names no other type. */
  readonly type: "string" | "number" | "integer" | "boolean";
  readonly example: unknown;
  readonly validator: Validator;
  readonly invalidRequest: InvalidRequest | undefined;
}

export interface PlanBody {
  readonly mediaType: string;
  readonly validator: Validator;
  /** The accepted content types of the parts of a multipart body. A part without an entry may have any type. */
  readonly partTypes: Readonly<Record<string, readonly string[]>>;
  /** JSON pointers of all members in the schema, with `*` for list items; empty for a multipart body. */
  readonly members: readonly string[];
  readonly parts: readonly string[];
  readonly arrayParts: readonly string[];
  readonly fileParts: readonly string[];
  readonly maxBytes: Readonly<Record<string, number>>;
  readonly examples: Readonly<Record<string, unknown>>;
}

export interface PlanResponse {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly example: string | undefined;
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PlanMove {
  readonly resource: string;
  /** The runtime expression of the id. */
  readonly id: string;
  readonly state: string;
  readonly to: string;
}

export interface PlanRequirement {
  readonly condition: string;
  readonly expressions: readonly string[];
  readonly code: string;
  /** Whether the condition only requires that the request contains at least one of the values of `expressions`. */
  readonly requiresAny: boolean;
}

export interface PlanOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly address: "base_url" | "deposit_base_url";
  readonly deprecated: boolean;
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
  /** The documented responses, in the order of the contract. A stateless mock responds with the success that has the lowest status. */
  readonly responses: readonly PlanResponse[];
  /** The statuses whose documented list of P-codes is incomplete. */
  readonly openStatuses: readonly number[];
  readonly responseValidators: Readonly<Record<string, Validator>>;
  readonly sensitive: {
    readonly request?: SensitiveParts;
    readonly responses: Readonly<Record<string, SensitiveParts>>;
  };
  readonly requires: readonly PlanRequirement[];
  readonly moves: readonly PlanMove[];
  readonly creates: readonly string[];
  /** Whether a call with an unknown outcome may be repeated, immediately or after a lookup (`repeat` of `x-lookup`). */
  readonly mayRepeat: boolean;
  /** The assumptions on which each response depends, by status or P-code: `proposed`, or ids of open questions. */
  readonly assumes: Readonly<Record<string, readonly string[]>>;
}

/**
 * The sensitive parts of a value: true for the whole value, otherwise its members. `*` stands for list items and for members without an
 * entry. False means that a member is not sensitive here, although a member of the same name is sensitive elsewhere.
 */
export type SensitiveParts = boolean | { readonly [member: string]: SensitiveParts };

export interface PlanWebhook {
  readonly name: string;
  readonly path: string;
  readonly resource: string;
  readonly state: string;
  readonly after: readonly string[];
  /** By the name of a body field: the name of the resource field, if the names differ. */
  readonly fields: Readonly<Record<string, string>>;
  readonly validator: Validator;
  readonly examples: Readonly<Record<string, unknown>>;
}

export interface PlanState {
  readonly initial: readonly string[];
  readonly transitions: Readonly<Record<string, readonly string[]>>;
  readonly final: readonly string[];
  /** Only final values; empty if the contract does not state whether they are successes. */
  readonly results: Readonly<Record<string, boolean>>;
}

export function hasFailed(
  { resources }: Pick<Plan, "resources">,
  resource: string,
  status: string | undefined,
): boolean {
  return resources[resource]?.states.status?.results[status ?? ""] === false;
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
  /** The path of the field, with dots between levels, and `<name>` for any key of a map, such as `funds.<name>`. */
  readonly name: string;
  readonly in: "path" | "query" | "body";
  readonly isRequired: boolean;
  readonly form: string;
  readonly description: string;
  readonly example?: string;
  /** All possible values; empty if the contract does not list all of them. */
  readonly values: readonly string[];
  /** Whether the value can be a text. If so, input is not parsed as JSON. Undefined if the type is not documented. */
  readonly isText?: boolean;
}

export interface PlanControl {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly fields: readonly PlanField[];
  readonly examples: readonly { readonly summary: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly query: Readonly<Record<string, PlanQueryParameter>>;
  /** The commands that call the operation, such as `faults remove {number}`, in the syntax that `openapi/mock-control.yaml` describes. */
  readonly commands: readonly string[];
  readonly body: { readonly isRequired: boolean; readonly schema: object; readonly validator: Validator } | undefined;
}

export interface PlanQueryParameter {
  readonly type: "integer" | "boolean";
  readonly minimum?: number | undefined;
}

export type PlanScenario = Snapshot | { readonly problem: string };

export interface Plan {
  readonly version: string;
  readonly operations: readonly PlanOperation[];
  readonly webhooks: readonly PlanWebhook[];
  readonly resources: Readonly<Record<string, PlanResource>>;
  readonly codes: Readonly<Record<string, PlanCode>>;
  /** The delays are seconds between two attempts. */
  readonly delivery: { readonly attempts: number; readonly delays: readonly number[] };
  readonly assumptions: Assumptions;
  /** The open questions by id, each with its answers. */
  readonly questions: Readonly<Record<string, PlanQuestion>>;
  readonly scenario: PlanScenario | undefined;
  readonly control: readonly PlanControl[];
  /** The files that the control interface serves to `GET` without an API key, by path. */
  readonly pages: Readonly<Record<string, PlanPage>>;
  readonly sensitiveNames: readonly string[];
  readonly probes: Probes;
}

export interface PlanQuestion {
  readonly question: string;
  readonly rank: string;
  readonly assumption: string;
  /** For each answer by its name: the assumptions that it sets, or the reason why it cannot be run. */
  readonly answers: Readonly<Record<string, { readonly cannot: string } | Omit<Assume, "answers">>>;
}

export interface PlanPage {
  readonly mediaType: string;
  readonly text: string;
}
