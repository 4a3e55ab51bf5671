/** What a world keeps, as plain data. */
import type { Delivery } from "../../../generated/control/types.ts";

/** The fields of each resource, by its name in `openapi/resources.yaml`. */
export type Kinds = { [resource: string]: object };

/** A resource. It is changed through {@link Records} only. */
export interface Entity<Data extends object = object> {
  readonly resource: string;
  readonly id: string;
  /** The externalUserId of the user whose it is; null for the partner's. */
  readonly owner: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The value of each state; `status` where the resource has a single one. */
  readonly states: Readonly<Record<string, string>>;
  readonly data: Readonly<Data>;
}

export interface Posting {
  /** What it was for: the id of a transaction. */
  readonly reference: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  /** Minor units, such as cents; more than zero. */
  readonly units: bigint;
}

/** A clock as plain data. */
export interface ClockState {
  /** Milliseconds that are added to the time of the machine. */
  offset: number;
  /** The time at which the clock stands still, in milliseconds since 1970; null while it runs. */
  frozenAt: number | null;
}

/** A ledger in the form that is read fastest. */
export interface PackedLedger {
  /** Postings as JSON, a thousand in each text. */
  readonly older: readonly string[];
  /** Minor units, by the key of an account in a currency. */
  readonly balances: readonly (readonly [key: string, units: string])[];
}

export interface Job {
  /** When it is due, in milliseconds since 1970. */
  readonly due: number;
  /** Counts the jobs of a tenant. */
  readonly number: number;
  /** Which function runs it. */
  readonly name: string;
  /** What the function is given: plain data. */
  readonly about: Readonly<Record<string, string>>;
}

export interface Event {
  /** Counts the events of a world, from 0. */
  readonly number: number;
  readonly webhook: string;
  /** When it came about, in milliseconds since 1970. */
  readonly at: number;
  /** The JSON body. */
  readonly body: string;
  /** Whether there was nowhere to send it when it came about; it is not sent later then. */
  readonly isUndelivered?: true;
}

/** The delivery of an event, as far as it has come. */
export interface DeliveryRecord extends Pick<Delivery, "number" | "attempts" | "state"> {
  /** The attempts that were made without being asked for. */
  readonly tries: number;
  /** When the first attempt is due where a fault moves it, in milliseconds since 1970. */
  readonly due?: number | undefined;
  /** How often it is still sent after it was acknowledged. */
  readonly repeats?: number | undefined;
}

/** The address of a server that events are sent to. */
export interface EventAddress {
  readonly url: string | URL;
  readonly token?: string | undefined;
  readonly paths?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A thing that is counted: its number is left out where it follows from the place in the list. */
export type Counted<Type extends { readonly number: number }> = Omit<Type, "number"> & { readonly number?: number };

/** What is put into a world: everything of another one, or what a call has changed. */
export interface Unit extends Partial<PackedLedger> {
  /** How many identifiers were made. */
  readonly ids?: number;
  readonly entities?: readonly Entity[];
  /** Values that only one can have, with their holders; null where they are free again. */
  readonly claims?: readonly (readonly [string, string | null])[];
  readonly postings?: readonly (Omit<Posting, "units"> & { readonly units: string })[];
  /** Those that wait, the next one first. */
  readonly jobs?: readonly Counted<Job>[];
  /** The numbers of jobs that wait no more. */
  readonly done?: readonly number[];
  /** Oldest first. */
  readonly events?: readonly Counted<Event>[];
  readonly deliveries?: readonly DeliveryRecord[];
  /** What is assumed instead of what was assumed at the start. */
  readonly assumed?: object;
  readonly clock?: ClockState;
  /** Where events are sent, as it was set while the mock ran; null for nowhere, or a function of the process. */
  readonly target?: EventAddress | null;
}

export interface Snapshot extends Required<Pick<Unit, "ids" | "postings" | "jobs" | "events">> {
  readonly clock: ClockState;
  readonly entities: readonly Entity[];
  readonly claims: readonly (readonly [string, string])[];
  readonly assumed?: object;
}
