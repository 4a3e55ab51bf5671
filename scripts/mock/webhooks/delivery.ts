/** An event and what became of it. */
import { acknowledged, type Outcome } from "./send.ts";

export interface Attempt extends Outcome {
  /** In milliseconds since 1970, by the clock of the mock. */
  readonly at: number;
}

/** An event and what became of it. */
export interface Delivery {
  /** Counts the events of a tenant, from 0. */
  readonly number: number;
  readonly webhook: string;
  /** On the partner's server, below the path of the target. */
  readonly path: string;
  /** When the event came about, in milliseconds since 1970. */
  readonly at: number;
  /** The JSON body. */
  readonly body: string;
  readonly attempts: readonly Attempt[];
  /** `failed` after the last attempt; `undelivered` when there was no target at the time. */
  readonly state: "pending" | "delivered" | "failed" | "undelivered";
}

/** What has to be known of a delivery to go on with it. */
export interface RememberedDelivery extends Pick<Delivery, "attempts" | "state"> {
  /** The attempts that were made by themselves. */
  readonly tries: number;
}

/** A delivery that goes on. */
export type OpenDelivery = { -readonly [Key in keyof Delivery]: Delivery[Key] } & {
  /** The attempts that were made by themselves. */
  tries: number;
};

/** The state after a repeated delivery. What was delivered once stays delivered, and what is pending goes on. */
export function stateAfter({ state }: Pick<Delivery, "state">, { status }: Outcome): Delivery["state"] {
  if (status === acknowledged) return "delivered";
  return state === "undelivered" ? "failed" : state;
}

/** As it stands now. */
export function snapshotOf({ tries: _tries, ...record }: OpenDelivery): Delivery {
  return { ...record, attempts: record.attempts.map((made) => ({ ...made })) };
}
