/** What the operations of an area do, typed by the contract: a code or a body that an operation does not document does not compile. */

import type { operations } from "../../../generated/client/types.ts";
import type { WebhookName } from "../../../generated/client/webhooks.ts";
import type { Entity } from "../plan/data.ts";
import type { Given } from "./external-event.ts";
import type { MockWorld } from "./records.ts";

export type { MockWorld } from "./records.ts";

type OperationId = keyof operations & string;

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

/** The P-codes that a body names; an open response accepts any other one as well, which the mock does not give. */
type NamedCode<Body> = Body extends { errorCode: infer Code } ? (string extends Code ? never : Code) : never;

/** The P-codes with which an operation can refuse a call. */
type CodeOf<Id extends OperationId> = {
  [Status in Failures<Id>]: NamedCode<Content<Responses<Id>[Status]>>;
}[Failures<Id>];

/** The body of a success that carries a P-code. */
type Notice<Id extends OperationId> = Extract<Content<Responses<Id>[202 & keyof Responses<Id>]>, { errorCode: string }>;

type Sent<Part> = Part extends undefined ? Record<never, never> : NonNullable<Part>;
type Parameters<Id extends OperationId> = operations[Id]["parameters"];

/** A file of a multipart body. */
export interface UploadedFile {
  /** The media type of the part, in lower case, without parameters. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
}

/** A call that fulfils the schemas and the requirements of its operation, which is not known to the compiler. */
export interface AnyCall {
  readonly world: MockWorld;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The files of a multipart body, by the name of the part. */
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>;
  /** An amount at the top level of the body or in the query, with the digits that were sent; undefined where there is none. */
  amount(field: string): string | undefined;
  /**
   * Refuses the call with a P-code; nothing is left of what it has done.
   *
   * @param detail names what was sent, and nothing sensitive; it follows the meaning of the code.
   */
  refuse(code: string, detail: string): never;
  /** The body of a success that carries a P-code, such as an additional risk verification. */
  notice(code: string, detail: string): object;
  /** Refuses the call with the documented 404 without a P-code. */
  refuseNotFound(): never;
}

/** The same of an operation that is known. */
export interface Call<Id extends OperationId> extends Pick<AnyCall, "world" | "files" | "amount" | "refuseNotFound"> {
  readonly path: Sent<Parameters<Id>["path"]>;
  readonly query: Sent<Parameters<Id>["query"]>;
  readonly body: operations[Id] extends { requestBody?: { content: infer Types } }
    ? Unbranded<Types[keyof Types]>
    : undefined;
  refuse(code: CodeOf<Id>, detail: string): never;
  notice(code: NamedCode<Notice<Id>>, detail: string): Notice<Id>;
}

/** Where a success tells nothing of the call, nothing is returned for it: the documented one is the reply. */
type Silent<Id extends OperationId> = [Extract<Reply<Id>["body"], { message: string } | string>] extends [never]
  ? never
  : // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement.
    void;

/** What an operation does, besides what `x-effects` says that it moves at once. */
export type Behaviour<Id extends OperationId> = (call: Call<Id>) => Reply<Id> | Silent<Id>;

/** What happens later: it is given what was known when it was planned. */
export type Job = (world: MockWorld, about: Readonly<Record<string, string>>) => void;

/** An area: what its operations do, what happens later, and what is told of it. */
export interface Area {
  readonly operations?: { readonly [Id in OperationId]?: Behaviour<Id> };
  readonly jobs?: Readonly<Record<string, Job>>;
  /** The bodies of events that their example does not tell ({@link documentedEvent}). */
  readonly events?: { readonly [Name in WebhookName]?: (world: MockWorld, entity: Entity<never>) => object };
  /** The events that are sent on an occasion that changes nothing, and not whenever the resource has the state. */
  readonly occasional?: readonly WebhookName[];
  /** What triggers the external events, by `resource.event` of `openapi/resources.yaml`. */
  readonly externalEvents?: Readonly<Record<string, (world: MockWorld, given: Given) => Entity>>;
}
