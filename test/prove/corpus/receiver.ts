// A careful receiver without the client: `node receiver.mjs serve PORT STATE`, `node receiver.mjs ledger STATE`.
import { createHash, timingSafeEqual } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";

type Data = { readonly [name: string]: string | number | Data | null | undefined };
interface Entry {
  readonly key: string;
  readonly webhook: string;
  readonly event: Data;
}

const token = process.env.PARTNER_WALLET_WEBHOOK_TOKEN ?? "";
const paths: Partial<Record<string, string>> = {
  "/transfer-webhook": "p2pTransfer",
  "/sepa-transfer-webhook": "sepaTransfer",
  "/sepa-deposit-webhook": "sepaDeposit",
  "/crypto-deposit-webhook": "cryptoDeposit",
};

function read(state: string): Entry[] {
  if (!existsSync(state)) return [];
  return readFileSync(state, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Entry];
      } catch {
        return []; // An incomplete line left by a kill.
      }
    });
}

/** Stores an entry, and flushes it to the disk. A line starts with a line break, so that a partial line does not damage the next. */
function store(state: string, entry: Entry): void {
  const fileDescriptor = openSync(state, "a");
  writeSync(fileDescriptor, `\n${JSON.stringify(entry)}`);
  fsyncSync(fileDescriptor);
  closeSync(fileDescriptor);
}

function isRight(given: string | undefined): boolean {
  if (given === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function serve(port: number, state: string): void {
  const seen = new Set(read(state).map(({ key }) => key));
  async function statusFor(request: IncomingMessage): Promise<number> {
    if (!isRight(request.headers.authorization)) return 401;
    const webhook = paths[request.url ?? ""];
    const event = (await bodyOf(request).catch(() => undefined)) as Data | undefined;
    if (webhook === undefined) return 404;
    if (typeof event !== "object" || event === null || Array.isArray(event)) return 400;
    const key = `${webhook} ${event.id ?? event.cryptoDepositId} ${String(event.status).toUpperCase()}`;
    if (seen.has(key)) return 200;
    store(state, { key, webhook, event });
    seen.add(key);
    return 200;
  }
  createServer((request, response) => {
    statusFor(request)
      .catch(() => 500)
      .then((status) => response.writeHead(status, { "content-type": "application/json" }).end("{}"));
  }).listen(port, "127.0.0.1");
}

function ledger(state: string): object {
  const sums = new Map<string, bigint>();
  const add = (user: unknown, currency: unknown, amount: unknown, sign: bigint) => {
    if (typeof user !== "string" || !/^\d+(\.\d{1,6})?$/.test(String(amount))) return;
    const [whole = "", part = ""] = String(amount).split(".");
    const name = `${user}/${currency}`;
    sums.set(name, (sums.get(name) ?? 0n) + sign * BigInt(whole + part.padEnd(6, "0")));
  };
  const counted = new Set<string>();
  for (const { key, webhook, event } of read(state)) {
    if (String(event.status).toUpperCase() !== "SUCCESSFUL" || counted.has(key)) continue;
    counted.add(key);
    const { amount, currency } = event;
    if (webhook === "p2pTransfer") {
      add(event.sourceExternalUserId, currency, amount, -1n);
      add(event.destinationExternalUserId, currency, amount, 1n);
    } else if (webhook === "sepaTransfer") add((event.user as Data)?.externalUserId, currency, amount, -1n);
    else add(event.externalUserId, currency, amount, 1n);
  }
  const text = (units: bigint) =>
    `${units / 1_000_000n}.${String(units % 1_000_000n)
      .replace("-", "")
      .padStart(6, "0")}`;
  return { sums: Object.fromEntries([...sums].map(([name, units]) => [name, text(units)])) };
}

const [command, first = "", second = ""] = process.argv.slice(2);
if (command === "serve") serve(Number(first), second);
else console.log(JSON.stringify(ledger(first)));
