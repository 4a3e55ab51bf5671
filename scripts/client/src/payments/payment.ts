import { lookups, type PaymentOperation } from "../entries/lookups.ts";
import type { PartnerApiError } from "../errors.ts";
import type { PaymentKind } from "./intents.ts";
import type { Body } from "./lookup.ts";
import type { PaymentState, StoredPayment } from "./store.ts";

/** A person's decision about an unclear payment. */
export type Decision = "happened" | "repeat" | "abandon";

/** Why a payment was refused or not sent, without any text of the service. */
export interface PaymentProblem {
  /** The kind of the PartnerApiError. */
  readonly kind: string;
  readonly operationId: string;
  readonly status?: number;
  readonly errorCode?: string;
}

/** A stored payment, without the data that only the engine needs. */
export interface Payment {
  readonly reference: string;
  readonly kind: PaymentKind;
  readonly state: PaymentState;
  /** The identifier that the service gave, if known. */
  readonly id?: string;
  /** Number of times that the payment was sent. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** Time of the last sending. */
  readonly sentAt?: Date;
  /** Why the payment is in this state. */
  readonly reason?: string;
  /** Present when the payment was refused or could not be sent. */
  readonly problem?: PaymentProblem;
  /** The last manual decision. */
  readonly decided?: Decision;
}

/** A value for the history record of the payer (`debit`) and one for the record of the payee (`credit`). */
export type Sides<Value> = { readonly debit?: Value; readonly credit?: Value };

/** The content of `data` in a store. */
export interface Data {
  readonly kind: PaymentKind;
  readonly operation: PaymentOperation;
  /** The request. Once the payment is accepted or refused, only the members that are compared with records. */
  readonly body: Body;
  /** A digest of the whole request, to detect another payment with the same reference. */
  readonly fingerprint: string;
  /**
   * `waiting`: to be sent. `sending`: a process is sending the payment, or has ended while sending it. `looking`: the response was lost,
   * and a record is looked for. `done`: sending and looking have ended; `resume` may still read the final state.
   */
  readonly step: "waiting" | "sending" | "looking" | "done";
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly sentAt?: number | undefined;
  readonly lookedUntil?: number | undefined;
  /** Identifiers of matching records that existed before the first attempt. */
  readonly known?: Sides<readonly string[]> | undefined;
  /** Identifiers of the history records that were attributed to the payment. */
  readonly records?: Sides<string> | undefined;
  readonly reason?: string | undefined;
  readonly problem?: PaymentProblem | undefined;
  readonly decided?: Decision | undefined;
}

export interface Row extends Omit<StoredPayment, "data"> {
  readonly data: Data;
}

export const toRow = (stored: StoredPayment): Row => ({ ...stored, data: JSON.parse(stored.data) as Data });
export const toStored = (row: Row): StoredPayment => ({ ...row, data: JSON.stringify(row.data) });

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

/** Copies the members of an error that are not sensitive. */
export function toProblem({ kind, operationId, status, errorCode }: PartnerApiError): PaymentProblem {
  return {
    ...{ kind, operationId },
    ...(status === undefined ? {} : { status }),
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}

export interface AcceptedAs {
  readonly id?: string | undefined;
  /** Undefined while the payment is not final. */
  readonly isSuccess?: boolean | undefined;
}

/** Drops the request members that only sending needs, such as an account number. */
export function markAccepted(row: Row, found: AcceptedAs = {}): Row {
  const { records } = lookups[row.data.operation];
  const needed = records.flatMap(({ of, same, atLeast }) => [of, ...Object.values({ ...same, ...atLeast })]);
  const body = Object.entries(row.data.body).filter(([name]) => needed.includes(name));
  const state = found.isSuccess === undefined ? "accepted" : found.isSuccess ? "succeeded" : "failed";
  // `succeeded` and `failed` never change.
  const isEnded = row.state === "succeeded" || row.state === "failed";
  return {
    ...row,
    state: isEnded ? row.state : state,
    id: row.id ?? found.id ?? null,
    data: {
      ...row.data,
      ...{ step: "done", body: Object.fromEntries(body), reason: undefined, problem: undefined },
      lookedUntil: undefined,
    },
  };
}
