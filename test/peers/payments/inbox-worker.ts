/** Delivers events to a webhook handler in the same process. Arguments: `COUNT sqlite PATH` or `COUNT postgres CONNECTION`. */
import Database from "libsql";
import {
  createPostgresInbox,
  createSqliteInbox,
  createWebhookHandler,
  type DeliveryContext,
} from "partner-wallet-api/webhooks";

const [count = "0", kind, location = ""] = process.argv.slice(2);
// Loaded on demand, because dozens of these processes are started.
const pool =
  kind === "postgres" ? new (await import("pg")).default.Pool({ ...JSON.parse(location), max: 4 }) : undefined;
const openDatabase = () => {
  const database = new Database(location);
  database.exec("pragma busy_timeout = 5000");
  return database;
};
const inbox = pool === undefined ? createSqliteInbox(openDatabase() as never) : createPostgresInbox(pool);
const effect = "insert into effects (name) values ($1)";
const p2pTransfer = ({ id }: { id: string }, { sql }: DeliveryContext) => {
  const rows = sql?.(effect, [id]);
  return pool === undefined ? undefined : (rows as Promise<never>);
};
const handle = createWebhookHandler({
  authorization: "t",
  otherwise: "acknowledge",
  nonconforming: "reject",
  inbox,
  on: { p2pTransfer },
});
const headers = { authorization: "t" };

async function deliver(number: number): Promise<void> {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const body = JSON.stringify({
    id,
    sourceExternalUserId: null,
    destinationExternalUserId: "user-1",
    amount: "10.00",
    currency: "eur",
    status: "SUCCESSFUL",
    createdAt: "2026-04-10T07:00:00.000Z",
  });
  for (let status = 500; status !== 200; ) {
    ({ status } = await handle(new Request("http://127.0.0.1/transfer-webhook", { method: "POST", headers, body })));
  }
  console.log(`acknowledged ${id}`);
}

console.log("begun");
// Each process delivers all events, two at a time, beginning with a random one.
const firstNumber = Math.floor(Math.random() * Number(count));
for (let offset = 0; offset < Number(count); offset += 2) {
  await Promise.all([0, 1].map((index) => deliver((firstNumber + offset + index) % Number(count))));
}
await pool?.end();
console.log("done");
