/** The types of the behaviours permit only P-codes and bodies that the contract documents. */

import type { operations, WebhookName } from "../../client/src/entries/internal/index.ts";
import type { Entity } from "../plan/data.ts";
import type { EventFields } from "./external-event.ts";
import type { MockWorld } from "./records.ts";

export type { MockWorld } from "./records.ts";

type OperationId = keyof operations & string;

type Responses<Id extends OperationId> = operations[Id]["responses"];
type Content<Response> = Response extends { content: infer Types } ? Unbranded<Types[keyof Types]> : never;

type Unbranded<Type> = Type extends { readonly "~decimal": true }
  ? string
  : Type extends string | number | boolean | null | undefined
    ? Type
    : { [Key in keyof Type]: Unbranded<Type[Key]> };

type SuccessStatus<Id extends OperationId> = keyof Responses<Id> & (200 | 201 | 202);
type FailureStatus<Id extends OperationId> = keyof Responses<Id> & (400 | 404);

export type Reply<Id extends OperationId> = {
  [Status in SuccessStatus<Id>]: { readonly status: Status; readonly body: Content<Responses<Id>[Status]> };
}[SuccessStatus<Id>];

type NamedCode<Body> = Body extends { errorCode: infer Code } ? (string extends Code ? never : Code) : never;

type CodeOf<Id extends OperationId> = {
  [Status in FailureStatus<Id>]: NamedCode<Content<Responses<Id>[Status]>>;
}[FailureStatus<Id>];

type Notice<Id extends OperationId> = Extract<Content<Responses<Id>[202 & keyof Responses<Id>]>, { errorCode: string }>;

type RequestPart<Part> = Part extends undefined ? Record<never, never> : NonNullable<Part>;
type OperationParameters<Id extends OperationId> = operations[Id]["parameters"];

export interface UploadedFile {
  /** The media type of the part, in lower case; without parameters, unless the type is malformed. */
  readonly contentType: string;
  /** Size in bytes. */
  readonly size: number;
}

export interface AnyCall {
  readonly world: MockWorld;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>;
  /** The text of an amount as sent in the body, without quotation marks, or in the query; undefined if the field is missing. */
  amount(field: string): string | undefined;
  /** @param detail part of the response, so it must not contain a sensitive value. */
  refuse(code: string, detail: string): never;
  notice(code: string, detail: string): object;
  refuseNotFound(): never;
}

export interface Call<Id extends OperationId> extends Pick<AnyCall, "world" | "files" | "amount" | "refuseNotFound"> {
  readonly path: RequestPart<OperationParameters<Id>["path"]>;
  readonly query: RequestPart<OperationParameters<Id>["query"]>;
  readonly body: operations[Id] extends { requestBody?: { content: infer Types } }
    ? Unbranded<Types[keyof Types]>
    : undefined;
  refuse(code: CodeOf<Id>, detail: string): never;
  notice(code: NamedCode<Notice<Id>>, detail: string): Notice<Id>;
}

/** If the body of a success is only a message or a text, a behaviour may return nothing. The response is then the documented example. */
type NoReply<Id extends OperationId> = [Extract<Reply<Id>["body"], { message: string } | string>] extends [never]
  ? never
  : // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement.
    void;

/** The immediate state changes of `x-effects` are applied after the behaviour (`tenants/requirements.ts`). */
export type Behaviour<Id extends OperationId> = (call: Call<Id>) => Reply<Id> | NoReply<Id>;

export type Job = (world: MockWorld, values: Readonly<Record<string, string>>) => void;

export interface BehaviourGroup {
  readonly operations?: { readonly [Id in OperationId]?: Behaviour<Id> };
  readonly jobs?: Readonly<Record<string, Job>>;
  /** Functions that make the bodies of events. The body of any other event is made from its documented example (`documentedEvent`). */
  readonly events?: { readonly [Name in WebhookName]?: (world: MockWorld, entity: Entity<never>) => object };
  /** A change of a state does not send these webhooks: only the functions of behaviours do, with `world.send`. */
  readonly sentOnlyByBehaviours?: readonly WebhookName[];
  readonly externalEvents?: Readonly<Record<string, (world: MockWorld, input: EventFields) => Entity>>;
}
