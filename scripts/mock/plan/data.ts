/** The data of a world. */
import type { Delivery } from "../../../generated/control/types.ts";

/** The fields of each resource, by its name in `openapi/resources.yaml`. */
export type Kinds = { [resource: string]: object };

/** A stored resource. Only {@link Records} changes it. */
export interface Entity<Data extends object = object> {
  readonly resource: string;
  readonly id: string;
  /** The externalUserId of the owner; null for the partner. */
  readonly owner: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The value of each state; the name is `status` if the resource has only one state. */
  readonly states: Readonly<Record<string, string>>;
  readonly data: Readonly<Data>;
}

export interface Posting {
  /** The transaction's id. */
  readonly reference: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  /** Minor units, such as cents; greater than zero. */
  readonly units: bigint;
}

export interface ClockState {
  /** Milliseconds added to the machine's time. */
  offset: number;
  /** The frozen time in milliseconds since 1970; null while the clock runs. */
  frozenAt: number | null;
}

/** A ledger in the format that is fastest to read. */
export interface PackedLedger {
  /** Postings as JSON, a thousand in each text. */
  readonly older: readonly string[];
  /** Minor units, by the key of an account in a currency. */
  readonly balances: readonly (readonly [key: string, units: string])[];
}

export interface Job {
  /** When it is due, in milliseconds since 1970. */
  readonly due: number;
  readonly number: number;
  readonly name: string;
  readonly about: Readonly<Record<string, string>>;
}

export interface Event {
  /** Sequence number of the event in the world, from 0. */
  readonly number: number;
  readonly webhook: string;
  /** Creation time in milliseconds since 1970. */
  readonly at: number;
  readonly body: string;
  /** Whether there was no receiver at its creation; such an event is not sent later. */
  readonly isUndelivered?: true;
}

export interface DeliveryRecord extends Pick<Delivery, "number" | "attempts" | "state"> {
  /** Number of automatic attempts. */
  readonly tries: number;
  /** Time of the first attempt when a fault delays it, in milliseconds since 1970. */
  readonly due?: number | undefined;
  /** How many more times a fault sends the event after it was acknowledged. */
  readonly repeats?: number | undefined;
}

export interface EventAddress {
  readonly url: string | URL;
  readonly token?: string | undefined;
  readonly paths?: Readonly<Record<string, string | undefined>> | undefined;
}

/** An item of a list; its number may be left out if it equals its index. */
export type Counted<Type extends { readonly number: number }> = Omit<Type, "number"> & { readonly number?: number };

/** Data to load into a world: a complete world, or the changes of a call. */
export interface Unit extends Partial<PackedLedger> {
  readonly ids?: number;
  readonly entities?: readonly Entity[];
  /** Unique values with their holders; null for a released value. */
  readonly claims?: readonly (readonly [string, string | null])[];
  readonly postings?: readonly (Omit<Posting, "units"> & { readonly units: string })[];
  /** Pending jobs, the next one first. */
  readonly jobs?: readonly Counted<Job>[];
  readonly done?: readonly number[];
  /** Oldest first. */
  readonly events?: readonly Counted<Event>[];
  readonly deliveries?: readonly DeliveryRecord[];
  /** Assumptions that differ from the initial ones. */
  readonly assumed?: object;
  readonly clock?: ClockState;
  /** The receiver of events set while the mock runs; null for no receiver, or for a function in this process. */
  readonly target?: EventAddress | null;
}

export interface Snapshot extends Required<Pick<Unit, "ids" | "postings" | "jobs" | "events">> {
  readonly clock: ClockState;
  readonly entities: readonly Entity[];
  readonly claims: readonly (readonly [string, string])[];
  readonly assumed?: object;
}
