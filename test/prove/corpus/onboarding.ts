// A careful onboarding program without the client: `node onboarding.mjs CSV STATE`. Mistakes are planted by changing its text.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename } from "node:path";

const { PARTNER_WALLET_BASE_URL: base, PARTNER_WALLET_API_KEY: key = "" } = process.env;
const [csv = "", state = ""] = process.argv.slice(2);
const waitMs = 20_000;

type Values = Partial<Record<string, string>>;
type Outcome = { outcome: "done" | "refused" | "unknown"; code?: string | undefined; data: Values };

/** Lets only one process run, because two could finalise a user twice. */
async function lock(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    createServer().once("error", reject).listen(`\0onboarding ${state}`, resolve).unref();
  });
}

async function call(method: string, path: string, body?: object): Promise<Outcome> {
  const isForm = body instanceof FormData;
  const headers = { "x-api-key": key, ...(isForm ? {} : { "content-type": "application/json" }) };
  try {
    const sent = body && { body: isForm ? body : JSON.stringify(body) };
    const response = await fetch(`${base}/v1/${path}`, { method, headers, ...sent });
    const data = await response.json();
    if (response.ok) return { outcome: "done", data };
    const { errorCode: code } = data;
    const isRefused = response.status === 401 || /^P4\d\d$/.test(code);
    return { outcome: isRefused ? "refused" : "unknown", code, data: {} };
  } catch {
    return { outcome: "unknown", data: {} };
  }
}

function upload({ reference, front, back, selfie }: Values): Promise<Outcome> {
  const form = new FormData();
  for (const [name, file] of Object.entries({ front_id: front, back_id: back, selfie })) {
    if (file) form.append(name, new Blob([readFileSync(file)], { type: "image/png" }), basename(file));
  }
  return call("POST", `user/kyc-files/${reference}`, form);
}

/** Waits for the decision of an attempt. @returns undefined if there is no attempt. @throws {Error} if no decision comes in time. */
async function waitForDecision(externalUserId = ""): Promise<Values | undefined> {
  for (const until = Date.now() + waitMs; Date.now() < until; ) {
    const { outcome, code, data } = await call("GET", `kyc/status/${externalUserId}`);
    if (code === "P445") return undefined;
    if (outcome === "done" && !["PENDING", "VERIFICATION"].includes(data.attemptStatus ?? "")) return data;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${externalUserId}: no decision yet`);
}

type End = "verified" | "failed" | "again";

async function onboard(row: Values): Promise<End> {
  const { reference: externalUserId = "", way, documentType, country, documentNumber, documentExpirationDate } = row;
  const { email, phone, firstName, lastName, city, postCode, birthDate, ...rest } = row;
  const { openAccountReason, incomeSource, occupation, additionalInfo } = rest;
  const attributes = { email, phone, firstName, lastName, city, postCode, country, birthDate };
  const created = await call("POST", "user/balances/crypto-and-fiat", { externalUserId, ...attributes });
  if (created.outcome === "unknown") return "again";
  // P411: an earlier call of this row has created the user.
  if (created.outcome === "refused" && created.code !== "P411") return "failed";
  const reasons = { openAccountReason, incomeSource, occupation };
  let status = await waitForDecision(externalUserId);
  if (status === undefined) {
    const hosted = { externalUserId, documentType, country, additionalInfo, ...reasons };
    const submitted = await (way === "hosted" ? call("POST", "kyc", hosted) : upload(row));
    if (submitted.outcome !== "done") return submitted.outcome === "refused" ? "failed" : "again";
    status = way === "hosted" ? await waitForDecision(externalUserId) : undefined;
  }
  if (status?.attemptStatus === "REJECTED_BY_PROVIDER") return "failed";
  if (status?.verificationStatus === "VERIFIED") return "verified";
  const document = { documentType, documentNumber, documentExpirationDate };
  const finalised = await call("POST", "user/verification", { externalUserId, ...document, ...reasons });
  if (finalised.outcome === "unknown") return "again";
  if (finalised.outcome === "refused" && finalised.code !== "P442") return "failed";
  return (await waitForDecision(externalUserId))?.verificationStatus === "VERIFIED" ? "verified" : "failed";
}

await lock();
const [head = "", ...lines] = readFileSync(csv, "utf8").trim().split("\n");
for (const line of lines) {
  const values = line.split(",");
  const row: Values = Object.fromEntries(head.split(",").map((name, index) => [name, values[index] || undefined]));
  const end = await onboard(row);
  if (end === "failed") console.log("failed", row.reference);
  // Exit code 1 asks for another run. Every step can be repeated safely.
  if (end === "again") process.exitCode = 1;
}
