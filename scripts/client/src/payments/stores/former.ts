/** Former versions stored JSON lines. */
import type { StatusResult } from "../../helpers/statuses.ts";
import type { Lookup } from "../matching.ts";
import { type Attempt, type Data, derive, type EarlierRecords, wholeRequest } from "../payment.ts";
import type { Column, Decision, PaymentProblem, StoredPayment, Values } from "../protocol.ts";
import type { PaymentStore } from "../store.ts";
import { formerHeader } from "./sqlite.ts";

/** `print` is the earlier name of `fingerprint`. */
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

/** An import can be repeated: payments that the store already has are not changed. See `importPayments`. */
export async function importFormer(
  text: string,
  store: PaymentStore,
  lookups: Readonly<Record<string, Lookup>>,
): Promise<number> {
  const [header, ...lines] = text.split("\n");
  if (header !== formerHeader) throw new Error("This is no payments file of a former version.");
  const latestPayments = new Map<string, FormerPayment>();
  // Text after the last line break is an incomplete write.
  for (const [index, line] of lines.slice(0, -1).entries()) {
    try {
      const payment = JSON.parse(line) as FormerPayment;
      upgrade(payment, lookups);
      latestPayments.set(payment.reference, payment);
    } catch (cause) {
      throw new Error(`Line ${index + 2} is damaged: nothing was imported. Restore the file from a copy.`, { cause });
    }
  }
  let writtenCount = 0;
  for (const payment of latestPayments.values()) {
    const row = upgrade(payment, lookups);
    // The file can have equal unclear payments, but only one of them can have `holds` in the store.
    const outcome = await store.write(row);
    const isWrittenWithoutHold =
      outcome === "taken" && row.holds && (await store.write({ ...row, holds: false })) === "written";
    if (outcome === "written" || isWrittenWithoutHold) writtenCount += 1;
  }
  await store.close?.();
  return writtenCount;
}

function upgrade(
  { reference, state, id, data: text }: FormerPayment,
  lookups: Readonly<Record<string, Lookup>>,
): StoredPayment {
  const formerData = JSON.parse(text) as FormerData;
  const {
    kind,
    operation,
    body,
    createdAt,
    sentAt = createdAt,
    known = {},
    records = {},
    decided,
    problem,
  } = formerData;
  const lookup = lookups[operation];
  if (lookup === undefined) throw new TypeError("There is no such operation.");
  const isDone = state === "accepted" || state === "succeeded" || state === "failed";
  const isRefused = state === "refused" && decided !== "abandon";
  // Former versions stored only the outcome of the last attempt.
  const lastOutcome = isDone ? "accepted" : isRefused ? "refused" : "unknown";
  const count = isDone ? 1 : formerData.attempts;
  const attempts = Array.from({ length: count }, (_, index): Attempt => {
    return { number: index + 1, at: sentAt, outcome: index === count - 1 ? lastOutcome : "unknown" };
  });
  const result: StatusResult = state === "succeeded" || state === "failed" ? state : "open";
  const sideEvidence = (["debit", "credit"] as const).map((column) => {
    const record = records[column];
    return [column, record === undefined ? {} : { [record]: "open" }] as const;
  });
  const eventEvidence =
    isDone && (id !== null || result !== "open") ? { [id ?? `unknown identifier of ${reference}`]: result } : {};
  const recordsBefore = Object.entries(known).map(([column, ids]): [string, EarlierRecords] => {
    return [column, { ids: ids.slice(-maxBefore), from: ids.length > maxBefore ? sentAt : null }];
  });
  const data: Data = {
    form: 2,
    kind,
    operation,
    body,
    createdAt,
    attempts,
    contradictions: [],
    problem,
    digests: { [wholeRequest]: formerData.fingerprint ?? formerData.print ?? "" },
    before: Object.fromEntries(recordsBefore),
    evidence: { event: eventEvidence, ...Object.fromEntries(sideEvidence) } as Data["evidence"],
    ...(decided === undefined ? {} : { decided: { decision: decided, after: attempts.length } }),
  };
  const row = derive({ reference, version: 0, id, holds: true, data }, lookup);
  return { ...row, data: JSON.stringify(row.data) };
}
