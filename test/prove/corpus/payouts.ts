// A careful payout program without the client: `node payouts.mjs CSV STATE`. Mistakes are planted by changing its text.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";

const { PARTNER_WALLET_BASE_URL: base, PARTNER_WALLET_API_KEY: key = "", PARTNER_WALLET_PROVE: prove } = process.env;
const [csv = "", state = ""] = process.argv.slice(2);
const lookForMs = prove ? 2500 : 40_000;

type Row = Record<"reference" | "kind" | "user" | "amount" | "currency" | "iban" | "title", string>;
interface Step {
  reference: string;
  step: "intent" | "accepted" | "found" | "refused" | "failed" | "final";
  knownIds?: string[];
  id?: string;
  at?: string;
}
type Data = Partial<Record<string, string>>;
type CallResult = { status: number; body: Data };

/** Lets only one process run. The name of the socket is released when the process ends in any way. */
async function lock(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    createServer().once("error", reject).listen(`\0payouts ${state}`, resolve).unref();
  });
}

function read(): Step[] {
  if (!existsSync(state)) return [];
  const lines = readFileSync(state, "utf8").split("\n");
  // A kill can leave an incomplete last line, on which the program had not yet acted.
  return lines.slice(0, -1).flatMap((line) => {
    try {
      return [JSON.parse(line) as Step];
    } catch {
      return [];
    }
  });
}

function note(step: Step): void {
  const file = openSync(state, "a");
  writeSync(file, `${JSON.stringify(step)}\n`);
  fsyncSync(file);
  closeSync(file);
}

async function call(method: string, path: string, body?: object): Promise<CallResult> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const response = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: await response.json() };
}

const units = (amount: unknown) => Math.round(Number(amount) * 100);

/** The records that match a row, from 15 minutes before `sentAt` on, in the histories of the month of `sentAt` and of the current month. */
async function records(row: Row, sentAt: Date): Promise<Data[]> {
  const months = new Set([sentAt, new Date()].map((time) => time.toISOString().slice(0, 7)));
  const found: Data[] = [];
  for (const [year, month] of [...months].map((text) => text.split("-"))) {
    const historyPath = row.kind === "sepa" ? "partner/transaction-history" : `user/transaction-history/${row.user}`;
    const { status, body } = await call("GET", `/v1/${historyPath}/${month}/${year}`);
    if (status !== 200) throw new Error(`history: ${status}`);
    found.push(...(body as unknown as Data[]));
  }
  const amount = row.kind === "fund" ? units(row.amount) : -units(row.amount);
  const since = new Date(sentAt.getTime() - 15 * 60_000).toISOString();
  return found.filter((record) => {
    if ((record.createdAt ?? since) < since) return false;
    if (record.currency !== row.currency || units(record.amount) !== amount) return false;
    return row.kind === "sepa" ? record.transferTitle === row.title : record.type === "transfer";
  });
}

async function send(row: Row): Promise<CallResult> {
  const { user, amount, currency, iban, title } = row;
  if (row.kind === "sepa") {
    const body = { currency, amount, destinationIban: iban, transferTitle: title };
    return call("POST", "/v1/partner/sepa-transfer", body);
  }
  const side = row.kind === "fund" ? { destinationExternalUserId: user } : { sourceExternalUserId: user };
  return call("POST", "/v1/transfer", { ...side, amount, currency });
}

/** Waits for a record that did not exist before the call. @returns its id; undefined if none appears in time. */
async function waitForNewRecord(
  row: Row,
  knownIds: readonly string[],
  sentAt: Date,
  takenIds: ReadonlySet<string>,
): Promise<string | undefined> {
  const until = Date.now() + lookForMs;
  for (;;) {
    const found = await records(row, sentAt).catch(() => []);
    const newRecord = found.find(({ id = "" }) => !knownIds.includes(id) && !takenIds.has(id));
    if (newRecord !== undefined) return newRecord.id;
    if (Date.now() >= until) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function hasFailed(row: Row, { id = "", step, at = "" }: Step): Promise<boolean | undefined> {
  if (step === "found") {
    const record = (await records(row, new Date(at))).find((one) => one.id === id);
    return record === undefined || record.status === "IN_PROGRESS" ? undefined : record.status !== "SUCCESSFUL";
  }
  const kind = row.kind === "sepa" ? "sepa-transfer" : "transfer";
  const { status, body } = await call("GET", `/v1/${kind}/details/${id}`);
  if (status !== 200 || body.status === "IN_PROGRESS") return undefined;
  return body.status !== "SUCCESSFUL";
}

async function pay(row: Row, ownSteps: Step[], takenIds: Set<string>): Promise<void> {
  const { reference } = row;
  const last = ownSteps.at(-1);
  if (last?.step === "refused" || last?.step === "failed") return console.log("failed", reference);
  if (last?.step === "final") return;
  if (last?.step === "accepted" || last?.step === "found") {
    const failed = await hasFailed(row, last);
    if (failed !== undefined) note({ reference, step: failed ? "failed" : "final" });
    if (failed) console.log("failed", reference);
    return;
  }
  let intent = ownSteps.find(({ step }) => step === "intent");
  if (intent === undefined) {
    const sentAt = new Date();
    const knownIds = (await records(row, sentAt)).map(({ id = "" }) => id);
    intent = { reference, step: "intent", knownIds, at: sentAt.toISOString() };
    note(intent);
    const { status, body } = await send(row).catch((): CallResult => ({ status: 0, body: {} }));
    if (status >= 200 && status < 300 && body?.transferId) {
      note({ reference, step: "accepted", id: body.transferId });
      return;
    }
    const { errorCode: code = "" } = body;
    const isRefused = status === 401 || /^P4\d\d$/.test(code);
    if (isRefused) {
      note({ reference, step: "refused" });
      console.log("failed", reference);
      return;
    }
  }
  const found = await waitForNewRecord(row, intent.knownIds ?? [], new Date(intent.at ?? ""), takenIds);
  if (found === undefined) return console.log("unclear", reference);
  takenIds.add(found);
  note({ reference, step: "found", id: found, at: intent.at ?? "" });
}

await lock();
const steps = read();
const [head = "", ...lines] = readFileSync(csv, "utf8").trim().split("\n");
const takenIds = new Set(steps.flatMap(({ step, id }) => (step === "found" && id ? [id] : [])));
for (const line of lines) {
  const values = line.split(",");
  const row = Object.fromEntries(head.split(",").map((name, index) => [name, values[index] ?? ""])) as Row;
  const ownSteps = steps.filter(({ reference }) => reference === row.reference);
  await pay(row, ownSteps, takenIds);
}
