import type { Delivery } from "./control.ts";

export type DataByResource = { [resource: string]: object };

export interface Entity<Data extends object = object> {
  readonly resource: string;
  readonly id: string;
  /** The externalUserId of the owner; null for the partner. */
  readonly owner: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The value of each state, such as `{ access: "active", verification: "verified" }`. Most resources have only the state `status`. */
  readonly states: Readonly<Record<string, string>>;
  readonly data: Readonly<Data>;
}

export interface Posting {
  /** The id of the transaction. */
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
  /** Milliseconds, added to the machine's time. */
  offset: number;
  /** Milliseconds since 1970; null while the clock runs. */
  frozenAt: number | null;
}

export interface Job {
  /** Milliseconds since 1970. */
  readonly due: number;
  readonly number: number;
  readonly name: string;
  readonly about: Readonly<Record<string, string>>;
}

export interface Event {
  readonly number: number;
  readonly webhook: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly body: string;
  /** Whether the event was created without a receiver. Such an event is never sent automatically. */
  readonly isUndelivered?: true;
}

export interface DeliveryRecord extends Pick<Delivery, "number" | "attempts" | "state"> {
  /** Number of automatic attempts, without redeliveries on request. */
  readonly tries: number;
  /** If a fault affects the event, the due time of the first attempt in milliseconds since 1970. */
  readonly due?: number | undefined;
  /** The number of times that the event is still to be sent after its acknowledgement, because of a fault. */
  readonly repeats?: number | undefined;
}

export interface EventAddress {
  readonly url: string | URL;
  readonly token?: string | undefined;
  readonly paths?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Default: the index of the list item. */
export type WithOptionalNumber<Type extends { readonly number: number }> = Omit<Type, "number"> & {
  readonly number?: number;
};

/** Amounts are minor units as decimal strings. */
export interface WorldData {
  readonly ids?: number;
  readonly entities?: readonly Entity[];
  /** Pairs of a unique value with its kind, such as `email ada@users.example`, and the id of the user who has it. */
  readonly claims?: readonly (readonly [string, string])[];
  readonly postings?: readonly (Omit<Posting, "units"> & { readonly units: string })[];
  readonly jobs?: readonly WithOptionalNumber<Job>[];
  /** Oldest first. */
  readonly events?: readonly WithOptionalNumber<Event>[];
  readonly deliveries?: readonly DeliveryRecord[];
  /** Changed assumptions, which replace values of the plan. */
  readonly assumed?: object;
  readonly clock?: ClockState;
  /**
   * The address set as receiver of events while the mock runs; null if the receiver was removed, or is a function in this process; absent
   * if none was set.
   */
  readonly target?: EventAddress | null;
}

export interface Snapshot extends Required<Pick<WorldData, "ids" | "postings" | "jobs" | "events">> {
  readonly clock: ClockState;
  readonly entities: readonly Entity[];
  readonly claims: readonly (readonly [string, string])[];
  readonly assumed?: object;
}
