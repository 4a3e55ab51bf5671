/** Version 0.1.0 stored JSON lines or rows of a table in Postgres. */
import type { StatusResult } from "../../helpers/statuses.ts";
import { hexDigest } from "../../reading/bytes.ts";
import { checkReference, contentOf } from "../intents.ts";
import type { Lookup } from "../matching.ts";
import {
  type Attempt,
  type Data,
  derive,
  type EarlierRecords,
  keyColumns,
  type Row,
  toRow,
  wholeRequest,
  withContradiction,
} from "../payment.ts";
import type { Column, Decision, PaymentProblem, Values } from "../protocol.ts";
import { evidenceName, paymentOf, reservation, toStored } from "../rows.ts";
import type { PaymentStore } from "../store.ts";
import { createUncheckedStore, formerTable, type Query } from "./sql.ts";

/** The first line of a payments file. */
const formerHeader = '{"format":"partner-wallet-api payments 1"}';

/** `print` is the earlier name of `fingerprint`. */
interface FormerData {
  readonly kind: string;
  readonly operation: string;
  readonly step?: string;
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

type Lookups = Readonly<Record<string, Lookup>>;

const maxBefore = 20;

/** An import can be repeated: payments that the store already has are not changed. See `importPayments`. */
export async function importFormer(text: string, store: PaymentStore, lookups: Lookups): Promise<number> {
  const problems: Error[] = [];
  let writtenCount = 0;
  for (const payment of parse(text, lookups)) {
    const problem = await importPayment(payment, store, lookups);
    if (problem === undefined) writtenCount += 1;
    else if (problem !== "present") problems.push(new Error(`${JSON.stringify(payment.reference)}: ${problem}`));
  }
  if (problems.length > 0) {
    const list = problems.map(({ message }) => `\n${message}`).join("");
    throw new AggregateError(
      problems,
      `${writtenCount} payments were imported, and ${problems.length} were not. Do not pay these again before you have looked for them in the history:${list}`,
    );
  }
  await store.close?.();
  return writtenCount;
}

/** See `importPostgresPayments`. */
export async function importFormerTable(query: Query, lookups: Lookups): Promise<number> {
  const rows = await query(`select reference, state, id, data from ${formerTable} order by reference`, []);
  const lines = [formerHeader, ...rows.map((row) => JSON.stringify(row)), ""];
  const writtenCount = await importFormer(lines.join("\n"), createUncheckedStore(query), lookups);
  await query(`alter table ${formerTable} rename to ${formerTable}_1`, []);
  return writtenCount;
}

/** The latest line of each payment. Payments whose reference is already composed come first, so that these keep their reference. */
function parse(text: string, lookups: Lookups): FormerPayment[] {
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
      throw new Error(`Line ${index + 2} is damaged: nothing was imported. Restore it from a copy.`, { cause });
    }
  }
  const isComposed = ({ reference }: FormerPayment) => reference === reference.normalize();
  const payments = [...latestPayments.values()];
  return [...payments.filter(isComposed), ...payments.filter((payment) => !isComposed(payment))];
}

/** Returns undefined when the payment was written, otherwise `present` or why it was not imported. */
async function importPayment(formerPayment: FormerPayment, store: PaymentStore, lookups: Lookups) {
  const row = upgrade(await withComposedReference(formerPayment), lookups);
  const { reference } = row;
  try {
    checkReference("import", reference);
  } catch (error) {
    return (error as Error).message;
  }
  const storedPayment = await store.read(reference);
  if (storedPayment !== undefined) {
    if (isLaterState(toRow(storedPayment), row)) return "present";
    return "the store has another payment with this reference, or an earlier state of this one.";
  }
  const importedRow = await claimEvidence(row, store, lookups);
  // The file can have equal unclear payments, but only one of them can have `holds` in the store.
  for (const holds of new Set([importedRow.holds, false])) {
    const outcome = await store.write(toStored({ ...importedRow, holds }));
    if (outcome === "written") return undefined;
    if (outcome === "changed") break;
  }
  return "the store did not take it, because another process uses it. Stop that, and import again.";
}

/**
 * The payment with its reference in Unicode Normalization Form C, which is now required. If the stored request is incomplete, the digest is
 * not made anew, and every later call with the reference is refused, whatever its content.
 */
async function withComposedReference(payment: FormerPayment): Promise<FormerPayment> {
  const reference = payment.reference.normalize();
  if (reference === payment.reference) return payment;
  const data = JSON.parse(payment.data) as FormerData;
  const digestWith = (name: string) => hexDigest(contentOf(name, data.operation, Object.entries(data.body).sort()));
  if (digestOf(data) !== (await digestWith(payment.reference))) return { ...payment, reference };
  return { ...payment, reference, data: JSON.stringify({ ...data, fingerprint: await digestWith(reference) }) };
}

const digestOf = ({ fingerprint, print }: FormerData): string => fingerprint ?? print ?? "";

/** Whether `storedRow` was imported from this state of the payment, and may have changed since. */
function isLaterState(storedRow: Row, { state, data }: Row): boolean {
  const stored = storedRow.data;
  const isDone = (name: string) => name === "accepted" || name === "succeeded" || name === "failed";
  return (
    stored.createdAt === data.createdAt &&
    stored.digests[wholeRequest] === data.digests[wholeRequest] &&
    data.attempts.every(({ at }) => stored.attempts.some((attempt) => attempt.at === at)) &&
    (isDone(storedRow.state) || !isDone(state))
  );
}

/**
 * Reserves the payment's records. If another payment already has an identifier or a record, nothing shows to which of the two it belongs:
 * this payment does not get it, and both get a contradiction. This payment stays accepted: its request may be incomplete, so it must not
 * be sent again.
 */
async function claimEvidence(row: Row, store: PaymentStore, lookups: Lookups): Promise<Row> {
  const { reference } = row;
  let { id, data } = row;
  for (const column of keyColumns) {
    for (const [evidenceId, result] of Object.entries(row.data.evidence[column])) {
      const name = evidenceName(column, evidenceId);
      if (column !== "event") await store.write(reservation(reference, name));
      const storedPayment = await store.withId(name);
      const owner = storedPayment ? paymentOf(storedPayment) : reference;
      if (owner === reference) continue;
      const { [evidenceId]: _, ...otherEvidence } = data.evidence[column];
      const reducedData = { ...data, evidence: { ...data.evidence, [column]: otherEvidence } };
      data = withContradiction(reducedData, column, evidenceId, result, "accepted");
      if (column === "event") id = null;
      const contradict = ({ data, state }: Row) => withContradiction(data, column, evidenceId, result, state);
      await changeOwner(owner, contradict, store, lookups);
    }
  }
  return derive({ ...row, version: 0, id, data }, lookups[data.operation] as Lookup);
}

async function changeOwner(
  reference: string,
  apply: (row: Row) => Data,
  store: PaymentStore,
  lookups: Lookups,
): Promise<void> {
  for (let outcome = "changed"; outcome === "changed"; ) {
    const storedPayment = await store.read(reference);
    const row = storedPayment && toRow(storedPayment);
    const data = row && apply(row);
    if (row === undefined || data === undefined || data === row.data) return;
    outcome = await store.write(toStored(derive({ ...row, data }, lookups[data.operation] as Lookup)));
  }
}

function upgrade({ reference, state, id, data: text }: FormerPayment, lookups: Lookups): Row {
  const formerData = JSON.parse(text) as FormerData;
  const {
    kind,
    operation,
    step,
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
  // Former versions kept the decision after it was carried out.
  const isRepeated = decided === "repeat" && !(state === "pending" && step === "waiting");
  const result: StatusResult = state === "succeeded" || state === "failed" ? state : "open";
  const sideEvidence = (["debit", "credit"] as const).map((column) => {
    const record = records[column];
    return [column, record === undefined ? {} : { [record]: id === null ? result : "open" }] as const;
  });
  // A final payment with neither an identifier nor a record is accepted: its event or its record may still come, and must not go to another.
  const eventEvidence = isDone && id !== null ? { [id]: result } : {};
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
    digests: { [wholeRequest]: digestOf(formerData) },
    before: Object.fromEntries(recordsBefore),
    evidence: { event: eventEvidence, ...Object.fromEntries(sideEvidence) } as Data["evidence"],
    ...(decided === undefined ? {} : { decided: { decision: decided, after: attempts.length - Number(isRepeated) } }),
  };
  return derive({ reference, version: 0, id, holds: true, data }, lookup);
}
