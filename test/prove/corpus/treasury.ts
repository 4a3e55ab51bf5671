// A careful treasury program without the client: `node treasury.mjs CSV STATE`. Mistakes are planted by changing its text.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";

const { PARTNER_WALLET_BASE_URL: base, PARTNER_WALLET_API_KEY: key = "", PARTNER_WALLET_PROVE: prove } = process.env;
const [csv = "", state = ""] = process.argv.slice(2);
const lookForMs = prove ? 1500 : 40_000;
const maxLocks = 3;

type Values = Partial<Record<string, string>>;
interface Step {
  reference: string;
  step: "intent" | "accepted" | "found" | "refused" | "failed" | "final";
  group: string;
  knownIds: string[];
  id?: string;
}
type Outcome = { outcome: "done" | "refused" | "unknown"; code?: string | undefined; data: Values };

/** Lets only one process run. The name of the socket is released when the process ends in any way. */
async function lock(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    createServer().once("error", reject).listen(`\0treasury ${state}`, resolve).unref();
  });
}

const steps = new Map<string, Step>();

function note(step: Step): Step {
  const file = openSync(state, "a", 0o600);
  writeSync(file, `${JSON.stringify(step)}\n`);
  fsyncSync(file);
  closeSync(file);
  steps.set(step.reference, step);
  return step;
}

async function call(method: string, path: string, body?: object): Promise<Outcome> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  try {
    const response = await fetch(`${base}/v1/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const data = await response.json();
    if (response.ok) return { outcome: "done", data };
    const { errorCode: code } = data;
    const isRefused = response.status === 401 || /^P4\d\d$/.test(code);
    return { outcome: isRefused ? "refused" : "unknown", code, data: {} };
  } catch {
    return { outcome: "unknown", data: {} };
  }
}

/** Locks a rate, with up to three tries, because an unused lock has no effect. @returns the id of the lock; undefined if all tries failed. */
async function lockRate({ kind, amount = "", currency = "", to = "", network }: Values): Promise<string | undefined> {
  for (let tries = 0; tries < 3; tries += 1) {
    const query = new URLSearchParams({ currencyFrom: currency, currencyTo: to, amount });
    const { data } =
      kind === "exchange"
        ? await call("GET", `partner/exchange/get-lock?${query}`)
        : await call("POST", "order/lock-rate", { currency: to, amount, network });
    if (data.lockId) return data.lockId;
  }
  return undefined;
}

async function send(row: Values): Promise<Outcome> {
  const { kind, amount, currency, to, network, address, name, walletType, receiverType } = row;
  if (kind === "withdraw") {
    const body = { amount, currency, network, walletAddress: address, name, walletType, receiverType };
    return call("POST", "partner/crypto-withdrawal", body);
  }
  let last: Outcome = { outcome: "refused", data: {} };
  for (let locks = 0; locks < maxLocks; locks += 1) {
    const lockId = await lockRate(row);
    if (lockId === undefined) return last;
    last =
      kind === "order"
        ? await call("POST", "order", { lockId })
        : await call("POST", "partner/exchange", { amount, currencyFrom: currency, currencyTo: to, lockId });
    // P403 can mean that the lock has expired, so the loop tries a new one.
    if (last.code !== "P403") return last;
  }
  return last;
}

/** The ids of the records that match a row; undefined if the history cannot be read; empty for an order. */
async function records({ kind, amount, currency, to }: Values): Promise<string[] | undefined> {
  if (kind === "order") return [];
  const [year, month] = new Date().toISOString().split("-");
  const { outcome, data } = await call("GET", `partner/transaction-history/${month}/${year}`);
  if (outcome !== "done") return undefined;
  const found = (data as unknown as Values[]).filter((record) => {
    if (kind === "exchange")
      return (
        record.currencyFrom === currency && record.currency === to && -Number(record.amountFrom) === Number(amount)
      );
    // The amount of a withdrawal in the history includes the fees.
    return (
      record.type === "cryptoWithdrawal" && record.currency === currency && -Number(record.amount) >= Number(amount)
    );
  });
  return found.map(({ id = "" }) => id);
}

/** Waits for a record that did not exist before the call. @returns its id; undefined if none appears in time. */
async function waitForNewRecord(row: Values, knownIds: readonly string[]): Promise<string | undefined> {
  for (const until = Date.now() + lookForMs; ; ) {
    const takenIds = [...steps.values()].filter(({ step }) => step === "found").map(({ id }) => id);
    const found = (await records(row))?.find((id) => !knownIds.includes(id) && !takenIds.includes(id));
    if (found !== undefined || Date.now() >= until) return found;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function hasFailed(row: Values, id: string): Promise<boolean> {
  const path = { exchange: "partner/exchange", withdraw: "crypto-withdrawal", order: "order" }[row.kind ?? ""];
  const { data } = await call("GET", `${path}/details/${id}`);
  return data.status === "FAILED" || data.status === "UNSUCCESSFUL";
}

async function carryOut(row: Values): Promise<void> {
  const { reference = "", kind, currency, to } = row;
  const group = kind === "order" ? reference : `${kind} ${currency} ${to}`;
  let step = steps.get(reference);
  if (step === undefined) {
    const isOpen = (other: Step) => other.group === group && other.step === "intent";
    const knownIds = [...steps.values()].some(isOpen) ? undefined : await records(row);
    if (knownIds === undefined) return console.log("unclear", reference);
    step = note({ reference, step: "intent", group, knownIds });
    const { outcome, data } = await send(row);
    const id = data.exchangeId ?? data.withdrawalId ?? data.orderId;
    if (outcome === "done" && id) step = note({ ...step, step: "accepted", id });
    if (outcome === "refused") step = note({ ...step, step: "refused" });
  }
  if (step.step === "intent") {
    const id = kind === "order" ? undefined : await waitForNewRecord(row, step.knownIds);
    if (id === undefined) return console.log("unclear", reference);
    step = note({ ...step, step: "found", id });
  }
  if (step.step === "accepted" && (await hasFailed(row, step.id ?? ""))) step = note({ ...step, step: "failed" });
  if (step.step === "refused" || step.step === "failed") console.log("failed", reference);
}

await lock();
// A kill can leave an incomplete last line, on which the program had not yet acted.
const lines = existsSync(state) ? readFileSync(state, "utf8").split("\n").slice(0, -1) : [];
for (const line of lines) {
  const step = JSON.parse(line) as Step;
  steps.set(step.reference, step);
}
const [head = "", ...rows] = readFileSync(csv, "utf8").trim().split("\n");
for (const line of rows) {
  const values = line.split(",");
  await carryOut(Object.fromEntries(head.split(",").map((name, index) => [name, values[index] || undefined])));
}
