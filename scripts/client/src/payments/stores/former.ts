/** Reads the payments of former versions, which kept them in a file of lines. */
import type { StatusResult } from "../../statuses.ts";
import type { Lookup } from "../matching.ts";
import { type Attempt, type Data, derive, type EarlierRecords } from "../payment.ts";
import type { Column, Decision, PaymentProblem, StoredPayment, Values } from "../protocol.ts";
import type { PaymentStore } from "../store.ts";
import { formerHeader } from "./sqlite.ts";

/** `print` was the name of `fingerprint` before it was renamed without a new version. */
interface FormerData {
  readonly kind: string;
  readonly operation: string;
  readonly body: Values;
  readonly fingerprint?: string;
  readonly print?: string;
  readonly attempts: number;
  readonly createdAt: number;
  readonly sentAt?: number;
  readonly known?: Readonly<Partial<Record<Column, readonly string[]>>>;
  readonly records?: Readonly<Partial<Record<Column, string>>>;
  readonly problem?: PaymentProblem;
  readonly decided?: Decision;
}

interface FormerPayment {
  readonly reference: string;
  readonly state: "pending" | "accepted" | "refused" | "unclear" | "succeeded" | "failed";
  readonly id: string | null;
  readonly data: string;
}

const maxBefore = 20;

/**
 * Writes the payments of a file of a former version to a store. Payments that are there already are left, so that it can be run again.
 *
 * @param text the content of the file.
 * @returns the number of payments that were written.
 * @throws {Error} when the text is no such file, or a line is damaged.
 */
export async function importFormer(
  text: string,
  store: PaymentStore,
  lookups: Readonly<Record<string, Lookup>>,
): Promise<number> {
  const [header, ...lines] = text.split("\n");
  if (header !== formerHeader) throw new Error("This is no payments file of a former version.");
  const latest = new Map<string, FormerPayment>();
  // Text after the last line break is an incomplete write.
  for (const [number, line] of lines.slice(0, -1).entries()) {
    try {
      const payment = JSON.parse(line) as FormerPayment;
      upgrade(payment, lookups);
      latest.set(payment.reference, payment);
    } catch (cause) {
      throw new Error(`Line ${number + 2} is damaged: nothing was imported. Restore the file from a copy.`, { cause });
    }
  }
  let written = 0;
  for (const payment of latest.values()) {
    const row = upgrade(payment, lookups);
    // An equal payment may hold already: two were unclear.
    const outcome = await store.write(row);
    const isHeld = outcome === "taken" && row.holds && (await store.write({ ...row, holds: false })) === "written";
    if (outcome === "written" || isHeld) written += 1;
  }
  await store.close?.();
  return written;
}

function upgrade(
  { reference, state, id, data: text }: FormerPayment,
  lookups: Readonly<Record<string, Lookup>>,
): StoredPayment {
  const former = JSON.parse(text) as FormerData;
  const { kind, operation, body, createdAt, sentAt = createdAt, known = {}, records = {}, decided, problem } = former;
  const lookup = lookups[operation];
  if (lookup === undefined) throw new TypeError("There is no such operation.");
  const isDone = state === "accepted" || state === "succeeded" || state === "failed";
  const isRefused = state === "refused" && decided !== "abandon";
  // Only the last attempt's outcome was stored. What is not known of an earlier one is unknown.
  const last = isDone ? "accepted" : isRefused ? "refused" : "unknown";
  const count = isDone ? 1 : former.attempts;
  const attempts = Array.from({ length: count }, (_, at): Attempt => {
    return { number: at + 1, at: sentAt, outcome: at === count - 1 ? last : "unknown" };
  });
  const result: StatusResult = state === "succeeded" || state === "failed" ? state : "open";
  const sides = (["debit", "credit"] as const).map((column) => {
    const record = records[column];
    return [column, record === undefined ? {} : { [record]: "open" }] as const;
  });
  const event =
    isDone && (id !== null || result !== "open") ? { [id ?? `unknown identifier of ${reference}`]: result } : {};
  const before = Object.entries(known).map(([column, ids]): [string, EarlierRecords] => {
    return [column, { ids: ids.slice(-maxBefore), from: ids.length > maxBefore ? sentAt : null }];
  });
  const data: Data = {
    ...{ form: 2, kind, operation, body, createdAt, attempts, contradictions: [], problem },
    digests: { "": former.fingerprint ?? former.print ?? "" },
    before: Object.fromEntries(before),
    evidence: { event, ...Object.fromEntries(sides) } as Data["evidence"],
    ...(decided === undefined ? {} : { decided: { decision: decided, after: attempts.length } }),
  };
  const row = derive({ reference, version: 0, id, holds: true, data }, lookup);
  return { ...row, data: JSON.stringify(row.data) };
}
