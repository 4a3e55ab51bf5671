/** What the operations of an area do, typed by the contract: a code or a body that an operation does not document does not compile. */

import type { operations } from "../../../generated/client/types.ts";
import type { WebhookName } from "../../../generated/client/webhooks.ts";
import type { Entity } from "../kernel/data.ts";
import type { EventScript, World } from "../kernel/world.ts";
import type { PlanOperation } from "../plan/plan.ts";
import type { ResourceData } from "./records.ts";

export type OperationId = keyof operations & string;

type Responses<Id extends OperationId> = operations[Id]["responses"];
type Content<Response> = Response extends { content: infer Types } ? Unbranded<Types[keyof Types]> : never;

/** The same type with plain strings in the place of those that the client brands as decimal numbers. */
type Unbranded<Type> = Type extends { readonly "~decimal": true }
  ? string
  : Type extends string | number | boolean | null | undefined
    ? Type
    : { [Key in keyof Type]: Unbranded<Type[Key]> };

type Successes<Id extends OperationId> = keyof Responses<Id> & (200 | 201 | 202);
type Failures<Id extends OperationId> = keyof Responses<Id> & (400 | 404);

/** A success of an operation: one of its documented statuses with its body. */
export type Reply<Id extends OperationId> = {
  [Status in Successes<Id>]: { readonly status: Status; readonly body: Content<Responses<Id>[Status]> };
}[Successes<Id>];

/** The P-codes that a body names; an open answer accepts any other one as well, which the mock does not give. */
type NamedCode<Body> = Body extends { errorCode: infer Code } ? (string extends Code ? never : Code) : never;

/** The P-codes with which an operation can refuse a call. */
export type CodeOf<Id extends OperationId> = {
  [Status in Failures<Id>]: NamedCode<Content<Responses<Id>[Status]>>;
}[Failures<Id>];

/** The P-codes that a success of an operation can carry. */
export type NoticeOf<Id extends OperationId> = NamedCode<Content<Responses<Id>[202 & keyof Responses<Id>]>>;

type Given<Part> = Part extends undefined ? Record<never, never> : NonNullable<Part>;
type Parameters<Id extends OperationId> = operations[Id]["parameters"];
export type PathOf<Id extends OperationId> = Given<Parameters<Id>["path"]>;
export type QueryOf<Id extends OperationId> = Given<Parameters<Id>["query"]>;
export type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody?: { content: infer Types } }
  ? Unbranded<Types[keyof Types]>
  : undefined;

export type MockWorld = World<ResourceData>;

/** A file of a multipart body. */
export interface UploadedFile {
  readonly fileName: string;
  /** The media type of the part, in lower case, without parameters. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
}

/** A call that fulfils the schemas and the requirements of its operation. */
export interface Call<Id extends OperationId> {
  readonly operation: PlanOperation;
  readonly world: MockWorld;
  readonly path: PathOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** The files of a multipart body, by the name of the part. */
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>;
  /** An amount at the top level of the body or in the query, with the digits that were sent; undefined where there is none. */
  amount(field: string): string | undefined;
  /**
   * Refuses the call with a P-code; nothing is left of what it has done.
   *
   * @param detail names what was sent, and nothing sensitive; it follows the meaning of the code.
   */
  refuse(code: CodeOf<Id>, detail: string): never;
  /** The body of a success that carries a P-code, such as an additional risk verification. */
  notice(
    code: NoticeOf<Id>,
    detail: string,
  ): Extract<Content<Responses<Id>[202 & keyof Responses<Id>]>, { errorCode: string }>;
  /** Refuses the call with the documented 404 without a P-code. */
  refuseNotFound(): never;
}

export type Behaviour<Id extends OperationId> = (call: Call<Id>) => Reply<Id>;

/** What triggers an external event: its fields are given as the control interface takes them. */
export type EventTrigger = (world: MockWorld, about: Readonly<Record<string, unknown>>) => Entity;

/** What happens later: it is given what was known when it was planned. */
export type Job = (world: MockWorld, about: Readonly<Record<string, string>>) => void;

/** An area: what its operations do, what happens later, and the bodies of its events. */
export interface Area<Ids extends OperationId> {
  readonly operations?: { readonly [Id in Ids]: Behaviour<Id> };
  readonly jobs?: Readonly<Record<string, Job>>;
  readonly events?: { readonly [Name in WebhookName]?: EventScript<ResourceData> };
  /** The external events, by `resource.event` of `openapi/resources.yaml`. */
  readonly externalEvents?: Readonly<Record<string, EventTrigger>>;
}

/** A behaviour whose operation is not known to the compiler. */
export type AnyBehaviour = (call: AnyCall) => { readonly status: number; readonly body: unknown };

/** A call whose operation is not known to the compiler. */
export interface AnyCall {
  readonly operation: PlanOperation;
  readonly world: MockWorld;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>;
  amount(field: string): string | undefined;
  refuse(code: string, detail: string): never;
  refuseNotFound(): never;
  notice(code: string, detail: string): object;
}
