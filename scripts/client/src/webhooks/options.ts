import type { OnDeviation, Violation } from "../checks/deviations.ts";
import type { EventKey } from "./dedupe/keys.ts";
import type { DedupeStore } from "./dedupe/store.ts";
import type { DeliveryContext } from "./delivery.ts";
import type { EventInbox } from "./inbox.ts";
import type { WebhookPaths } from "./routes.ts";
import type { Authorization } from "./token.ts";

/** The options of a webhook handler. */
export interface WebhookHandlerOptions<Events> {
  /** The expected value of the `Authorization` header. */
  authorization: Authorization;
  /**
   * A function for each webhook to handle. It is called with every event that has the declared type, even if the event violates other rules
   * of the contract, but not with a repeated delivery of an event that was handled (see `dedupe`). It may be called again for an event that
   * it failed to handle.
   */
  on: { [Name in keyof Events]?: (event: Events[Name], context: DeliveryContext) => unknown };
  /**
   * How to treat an event that has no function in `on`: `acknowledge` it, `reject` it so that the service sends it again,
   * or call a function.
   */
  otherwise: "acknowledge" | "reject" | ((event: AnyEvent<Events>, context: DeliveryContext) => unknown);
  /**
   * How to treat a body that does not have the declared type: a required field is missing, or a value has another JSON type. `reject` it
   * with 400, or call a function with the name of the webhook, the body, and the positions at which it violates the type. The response is
   * 200 when the function returns. Not used for a webhook without a function in `on` when `otherwise` is `acknowledge` or `reject`.
   */
  nonconforming: "reject" | NonconformingHandler<Events>;
  /**
   * Paths on the partner's server, if they differ from the contract: `{ sepaDeposit: "/my/path" }`. Some paths of the contract are
   * proposed, as the comments in `WebhookEvents` say. Calls on other paths go to `unknown`, or to `onRefused` if there is no `unknown`.
   */
  paths?: WebhookPaths<Events> | undefined;
  /**
   * Handles a call on a path that no webhook has. The response is 200 when the function returns. The response is 404 without the function,
   * and for a path that only ends with the path of a webhook, because `basePath` is then wrong.
   */
  unknown?: ((call: UnknownCall) => unknown) | undefined;
  /**
   * The health check path: GET, HEAD and POST get 200 and an empty object, without a token. Default: the path of the contract. `false`
   * disables it.
   */
  health?: string | false | undefined;
  /**
   * Detects repeated deliveries; `false` disables the detection. Default: a store in the memory of this process, or none with an `inbox`.
   * Events without identifying fields are handled on every delivery, unless `keys` identifies them.
   */
  dedupe?: DedupeStore | false | undefined;
  /**
   * Replaces `dedupe`: commits the key of the event and the statements that its function runs with `context.sql` in one transaction of your
   * database, so that the statements for an event with a key take effect once. Pass `createPostgresInbox(pool)`, or
   * `createSqliteInbox(database)` for synchronous functions.
   */
  inbox?: EventInbox | undefined;
  /**
   * How to identify an event, for webhooks without identifying fields, or in place of the fields of the contract: `{ sepaDeposit: (event)
   * => event.id, cardTransaction: "body-hash" }`. For a webhook that reports several states, include the state: `${event.id}
   * ${event.status}`. An event without a key (`undefined`) is handled on every delivery. Errors of the function go to `onError`, and the
   * response is 500. With `"body-hash"`, the second of two events with equal bodies is lost; see {@link EventKey}.
   */
  keys?: { readonly [Name in keyof Events]?: EventKey<Events[Name]> | undefined } | undefined;
  /**
   * When a call gets the response 200. `after`: when the function for the event has returned. `first`: before the function is called, as
   * soon as the body has been checked against its type and the event is claimed. With `first`, a failure of the function only goes to
   * `onError`: after the 200, the service is not expected to deliver the event again, so store the event in your own queue before anything
   * that may fail. Default: `after`.
   */
  acknowledge?: "after" | "first" | undefined;
  /**
   * Receives a promise of the work that continues after the response: with `acknowledge: "first"` all handling, otherwise the writing of
   * the result to a slow store. Needed on platforms that end the process once the response is sent: pass `waitUntil` of
   * `cloudflare:workers` or `@vercel/functions`. The promise never rejects. An error that this function throws goes to `onError`.
   */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  /** Maximum size of a body in bytes; `Infinity` for no limit. Default: 1 MiB. */
  maxBytes?: number | undefined;
  /** Milliseconds within which a body must arrive; a later body is refused with 408. `Infinity` for no limit. Default: 30 seconds. */
  bodyTimeoutMs?: number | undefined;
  /**
   * Milliseconds that a function may take. After that, `signal` of its context is aborted, the claim is released, `onError` is called and
   * the response is 500, so that the service can deliver the event again. A function that ignores the signal may run twice at the same
   * time; when it finally returns, the event counts as handled. `Infinity` for no limit. Default: 5 minutes.
   */
  handlerTimeoutMs?: number | undefined;
  /** Path under which the handler is mounted, a prefix of all paths: "/hooks". A slash at its end changes nothing. Default: empty. */
  basePath?: string | undefined;
  /**
   * Called with each error, such as one of a function, the store or the inbox, a function that takes too long, a lost claim, or a body that
   * was read before. `webhook` is the name of the webhook, or the path or URL of the call. If the response is not 200, the service is
   * expected to deliver the event again. Errors of this function are ignored.
   */
  onError?: ((error: unknown, webhook: string) => unknown) | undefined;
  /**
   * Called with every deviation of an authorized call from the contract, before the function for the event is called. `onDeviation`
   * receives no values of the body, and its errors are ignored.
   */
  onDeviation?: OnDeviation | undefined;
  /**
   * Called for every call that the handler refuses (400, 401, 404, 405, 408, 413, 415, and 503 of `otherwise: "reject"`), with its text;
   * undefined with 404, and when the body was not read. Errors of this function are ignored.
   */
  onRefused?: ((refusal: Refusal, raw: string | undefined) => unknown) | undefined;
}

/** An event with the name of its webhook. */
export type AnyEvent<Events> = { [Name in keyof Events]: { name: Name; event: Events[Name] } }[keyof Events];

/**
 * Handles a body that violates the type of its webhook. `violations` are the positions of the wrong or missing values, without the values.
 */
export type NonconformingHandler<Events> = (
  name: keyof Events,
  body: unknown,
  violations: readonly Violation[],
  context: DeliveryContext,
) => unknown;

/** A call on a path that no webhook has. */
export interface UnknownCall {
  /** The path without `basePath`; the whole path if it does not begin with `basePath`. */
  readonly path: string;
  /** The parsed body. */
  readonly body: unknown;
}

/** Why a call was refused. */
export interface Refusal {
  /** The HTTP status of the response. */
  readonly status: number;
  readonly reason: string;
  /** The path without `basePath`; the whole path if it does not begin with `basePath`. */
  readonly path: string;
  /** The name of the webhook, if the path is known. */
  readonly webhook?: string;
  /** The positions at which the body violates its type, without values. Present if the body was refused for its type. */
  readonly violations?: readonly Violation[];
}

export type UntypedOptions = WebhookHandlerOptions<Record<string, unknown>>;
