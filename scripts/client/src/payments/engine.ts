/** The engine decides when a payment is sent, looked up and repeated. `protocol.ts` describes how its generators are driven. */

import { isInEdition } from "../base/operation.ts";
import { resultOf } from "../helpers/statuses.ts";
import { Attribution } from "./attribution.ts";
import { eventKeyOf, type Lookup } from "./matching.ts";
import {
  type Data,
  endLostAttempts,
  isBeingSent,
  lastNumber,
  newRow,
  openAttempts,
  paymentStateOf,
  toRow,
  wholeRequest,
  withEvidence,
} from "./payment.ts";
import type { Decision, Engine, Policy, PreparedPayment, Run, StoredPayment, Values } from "./protocol.ts";
import { ask, PaymentRows, toStored } from "./rows.ts";
import { Steps } from "./steps.ts";

export class PaymentEngine implements Engine {
  readonly #lookups: Readonly<Record<string, Lookup>>;
  readonly #policy: Policy;
  readonly #rows: PaymentRows;
  readonly #attribution: Attribution;
  readonly #steps: Steps;

  constructor(lookups: Readonly<Record<string, Lookup>>, policy: Policy) {
    this.#lookups = lookups;
    this.#policy = policy;
    this.#rows = new PaymentRows(lookups);
    this.#attribution = new Attribution(this.#rows, policy);
    this.#steps = new Steps(this.#rows, this.#attribution, policy);
  }

  *begin(payment: PreparedPayment): Run<StoredPayment> {
    const { reference, kind, operation } = payment;
    let storedPayment = yield* ask({ do: "read", reference });
    if (storedPayment === null) {
      const lookup = this.#rows.lookupOf(operation);
      if (!isInEdition(this.#policy.edition, lookup.operation))
        throw new TypeError(`${kind}: ${operation} needs a client of the edition ${lookup.operation.edition}.`);
      const { now } = yield* ask({ do: "now" });
      const row = toStored(newRow(payment, now, lookup));
      const outcome = yield* ask({ do: "write", payment: row });
      storedPayment = outcome === "written" ? row : toStored(yield* this.#rows.rowOf(reference));
    }
    const { data, state } = toRow(storedPayment);
    const differingNames = differingMembers(data, payment);
    if (differingNames.length > 0)
      throw new TypeError(
        `${kind}: the payment with this reference was stored with another ${differingNames.join(", ")}. Give the same content.`,
      );
    if (state !== "pending" && state !== "unclear") return storedPayment;
    return toStored(yield* this.#steps.proceed(toRow(storedPayment), state === "pending" ? this.#policy.lookForMs : 0));
  }

  *resume(reference: string): Run<StoredPayment> {
    return toStored(yield* this.#steps.proceed(yield* this.#rows.rowOf(reference), 0));
  }

  *observe(webhook: string, event: Values): Run<StoredPayment | null> {
    const operation = Object.keys(this.#lookups).find((name) => this.#lookups[name]?.webhook.name === webhook);
    if (operation === undefined) return null;
    const lookup = this.#rows.lookupOf(operation);
    const id = event[lookup.webhook.id];
    if (typeof id !== "string") return null;
    const result = resultOf(lookup.ends, event.status);
    // A service can write the letters of a UUID in either case.
    for (const knownId of new Set([id, id.toLowerCase(), id.toUpperCase()])) {
      const owner = yield* this.#rows.ownerOf(knownId);
      if (owner !== undefined)
        return toStored(yield* this.#rows.change(owner, (data) => withEvidence(data, "event", knownId, result)));
    }
    if (this.#policy.evidence === "identifiers") return null;
    let values = event;
    if (eventKeyOf(lookup, event) === null) {
      // The event of a failed payment may lack members that are compared, so the details are read.
      const reply = yield* ask({ do: "details", operation, id });
      if (reply.outcome === "read") values = reply.details;
    }
    const row = yield* this.#attribution.attributeEvent(lookup, { id, result, values });
    return row === undefined ? null : toStored(row);
  }

  *decide(reference: string, decision: Decision, attempts?: number): Run<StoredPayment> {
    const row = yield* this.#rows.rowOf(reference);
    const { now } = yield* ask({ do: "now" });
    const decidedRow = yield* this.#rows.change(row, (storedData) => {
      const data = endLostAttempts(storedData, now, this.#policy);
      checkDecision(data, decision, attempts);
      return {
        ...data,
        decided: { decision, after: lastNumber(data.attempts) },
        reason: undefined,
        problem: undefined,
      };
    });
    return toStored(
      decision === "repeat" ? yield* this.#steps.proceed(decidedRow, this.#policy.lookForMs) : decidedRow,
    );
  }
}

/** The names of the members in which a payment differs from the stored one; `content` for a payment of a former version. */
function differingMembers(data: Data, { kind, digests }: PreparedPayment): string[] {
  const isFormer = wholeRequest in data.digests;
  const names = Object.keys({ ...data.digests, ...digests }).filter((name) => isFormer === (name === wholeRequest));
  const differingNames = names.filter((name) => data.digests[name] !== digests[name]).map((name) => name || "content");
  return data.kind === kind ? differingNames : ["kind", ...differingNames];
}

/** @throws {TypeError} when nothing is to be decided, or the payment does not have the number of attempts that a person saw. */
function checkDecision(data: Data, decision: Decision, attempts: number | undefined): void {
  const state = paymentStateOf(data);
  const isDecisionAllowed =
    state === "unclear" ||
    (state === "pending" && !isBeingSent(data) && (decision === "abandon" || openAttempts(data).length > 0));
  if (!isDecisionAllowed) throw new TypeError(`decide: the payment is ${state}, and not unclear.`);
  if (attempts !== undefined && attempts !== data.attempts.length)
    throw new TypeError(
      `decide: the payment has ${data.attempts.length} attempts, and not ${attempts}: read it again.`,
    );
}
