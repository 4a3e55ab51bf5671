import { hash } from "node:crypto";
import type { Area, MockWorld, Reply } from "./behaviour.ts";
import type { Resource } from "./records.ts";
import { amountNumber, timestamp } from "./values.ts";

type History = Reply<"getUserTransactionHistory">["body"];

export const history: Area = {
  operations: {
    getUserTransactionHistory: ({ world, path }) => ({ status: 200, body: monthOf(world, path.externalUserId, path) }),
    getPartnerTransactionHistory: ({ world, path }) => ({ status: 200, body: monthOf(world, null, path) }),
  },
};

function monthOf(world: MockWorld, owner: string | null, { month, year }: { month: string; year: string }): History {
  return world.records
    .ownedBy("transaction", owner)
    .filter(({ createdAt }) => timestamp(createdAt).startsWith(`${year}-${month}-`))
    .filter(({ createdAt, data }) => (data.visibleAt ?? createdAt) <= world.now)
    .map((transaction) => recordOf(world, transaction));
}

function recordOf(world: MockWorld, { id, createdAt, data, states }: Resource<"transaction">): History[number] {
  const { type, currency, units, unitsFrom, currencyFrom = currency, fields } = data;
  const debit =
    unitsFrom === undefined ? {} : { amountFrom: amountNumber(world, unitsFrom, currencyFrom), currencyFrom };
  return {
    id,
    createdAt: timestamp(createdAt),
    type,
    amount: amountNumber(world, units, currency),
    currency,
    status: states.status ?? "",
    ...debit,
    ...identified(world, id, fields),
  };
}

/** Identifiers that, according to the specification, only some records or responses have. */
const identifiers = ["exchangeId", "transferId", "btId"];

/** If the assumption is "sometimes", a hash of the record's id decides, so that every read of a record shows the same identifiers. */
function identified(world: MockWorld, id: string, fields: Readonly<Record<string, string>>): object {
  const { identifiers: presence } = world.assumptions.history;
  if (presence === "always") return fields;
  const isKept = (name: string) =>
    presence === "sometimes" && Boolean(hash("sha256", `${id} ${name}`, "buffer").readUInt8() & 1);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !identifiers.includes(name) || isKept(name)));
}
