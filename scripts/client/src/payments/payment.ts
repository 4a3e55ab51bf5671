/** A payment as the engine works on it, and as the partner sees it. */
import type { PaymentOperation } from "../../../../generated/client/lookups.ts";
import type { PartnerApiError } from "../errors.ts";
import type { PaymentKind } from "./intents.ts";
import type { Body, Lookup } from "./lookup.ts";
import type { PaymentState, StoredPayment } from "./store.ts";

/** What a person has decided. */
export type Decision = "happened" | "repeat" | "abandon";

/** Why a payment is refused or not sent, without any text of the service. */
export interface PaymentProblem {
  /** As that of a PartnerApiError. */
  readonly kind: string;
  readonly operationId: string;
  readonly status?: number;
  readonly errorCode?: string;
}

/** A payment. */
export interface Payment {
  readonly reference: string;
  readonly kind: PaymentKind;
  readonly state: PaymentState;
  /** The identifier of the service, where it is known. */
  readonly id?: string;
  /** How often it was sent. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** When it was sent last. */
  readonly sentAt?: Date;
  /** Why it is in this state, for a person. */
  readonly reason?: string;
  /** Of a payment that was refused or could not be sent. */
  readonly problem?: PaymentProblem;
  /** What a person has decided last. */
  readonly decided?: Decision;
}

/** Identifiers of records, by the side on which they stand. */
export type Sides<Value> = { readonly debit?: Value; readonly credit?: Value };

/** What a store keeps as `data`. */
export interface Data {
  readonly kind: PaymentKind;
  readonly operation: PaymentOperation;
  /** The request; once it cannot be sent again, only what its records are recognised by. */
  readonly body: Body;
  /** A digest of the whole request, to which the same reference must belong. */
  readonly print: string;
  /**
   * `waiting`: may be sent; nothing was sent since the last decision to do so. `sending`: is or was being sent. `looking`: the
   * response was lost. `done`: nothing goes on by itself but looking at it now and then.
   */
  readonly step: "waiting" | "sending" | "looking" | "done";
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly sentAt?: number | undefined;
  readonly lookedUntil?: number | undefined;
  /** Records that look alike and were there before the first attempt. */
  readonly known?: Sides<readonly string[]> | undefined;
  /** The records of the payment. */
  readonly records?: Sides<string> | undefined;
  readonly reason?: string | undefined;
  readonly problem?: PaymentProblem | undefined;
  readonly decided?: Decision | undefined;
}

/** A payment with its data. */
export interface Row extends Omit<StoredPayment, "data"> {
  readonly data: Data;
}

export const toRow = (stored: StoredPayment): Row => ({ ...stored, data: JSON.parse(stored.data) as Data });
export const toStored = (row: Row): StoredPayment => ({ ...row, data: JSON.stringify(row.data) });

/** What the partner sees of a payment. */
export function toPayment({ reference, state, id, data }: Row): Payment {
  const { kind, attempts, createdAt, sentAt, reason, problem, decided } = data;
  return {
    ...{ reference, kind, state, attempts, createdAt: new Date(createdAt) },
    ...(id === null ? {} : { id }),
    ...(sentAt === undefined ? {} : { sentAt: new Date(sentAt) }),
    ...(reason === undefined ? {} : { reason }),
    ...(problem === undefined ? {} : { problem }),
    ...(decided === undefined ? {} : { decided }),
  };
}

/** The kind of a failure, without what could be sensitive. */
export function toProblem({ kind, operationId, status, errorCode }: PartnerApiError): PaymentProblem {
  return {
    ...{ kind, operationId },
    ...(status === undefined ? {} : { status }),
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}

/** Whether nothing is left to learn of a payment. */
export function isFinal(state: PaymentState): boolean {
  return state === "refused" || state === "succeeded" || state === "failed";
}

/** What a payment becomes once the service has it: what only a request needs, such as an account number, is no longer kept. */
export function taken(
  row: Row,
  lookup: Lookup,
  found: { id?: string | undefined; isSuccess?: boolean | undefined },
): Row {
  const { body, records } = row.data;
  const needed = lookup.records.flatMap(({ of, same, atLeast }) => [of, ...Object.values({ ...same, ...atLeast })]);
  const kept = Object.entries(body).filter(([name]) => needed.includes(name) || !(lookup.records.length > 0));
  const state = found.isSuccess === undefined ? "accepted" : found.isSuccess ? "succeeded" : "failed";
  // A final state stays: no other follows it.
  const isEnded = row.state === "succeeded" || row.state === "failed";
  return {
    ...row,
    state: isEnded ? row.state : state,
    id: row.id ?? found.id ?? null,
    data: {
      ...row.data,
      ...{ step: "done", body: Object.fromEntries(kept), records, reason: undefined, problem: undefined },
      lookedUntil: undefined,
    },
  };
}
