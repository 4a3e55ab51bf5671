import { hash } from "node:crypto";
import { memoizeTexts } from "../memoize.ts";
import type { BehaviourGroup, MockWorld, Reply } from "./behaviour.ts";
import type { Resource } from "./records.ts";
import { amountNumber, timestamp } from "./values.ts";

type History = Reply<"getUserTransactionHistory">["body"];

export const history: BehaviourGroup = {
  operations: {
    getUserTransactionHistory: ({ world, path }) => ({
      status: 200,
      body: monthlyHistory(world, path.externalUserId, path),
    }),
    getPartnerTransactionHistory: ({ world, path }) => ({ status: 200, body: monthlyHistory(world, null, path) }),
  },
};

function monthlyHistory(
  world: MockWorld,
  owner: string | null,
  { month, year }: { month: string; year: string },
): History {
  const { timeZone, order, most } = world.assumptions.history;
  const records = world.records
    .listOwned("transaction", owner)
    .filter(({ createdAt }) => formatMonth(timeZone, createdAt) === `${year}-${month}`)
    .filter(({ createdAt, data }) => (data.visibleAt ?? createdAt) <= world.now)
    .slice(-(most ?? Number.POSITIVE_INFINITY));
  if (order === "newest") records.reverse();
  // The number of records is part of the key, so that the order can change when a record is added.
  const sortKeyOf = ({ id }: { id: string }) => hash("sha256", `${id} ${records.length}`);
  if (order === "none") records.sort((a, b) => sortKeyOf(a).localeCompare(sortKeyOf(b)));
  return records.map((transaction) => recordOf(world, transaction));
}

/** YYYY-MM. */
export function formatMonth(timeZone: string, time: number): string {
  return timeZone === "UTC" ? timestamp(time).slice(0, 7) : monthFormat(timeZone).format(time).slice(0, 7);
}

const monthFormat = memoizeTexts(
  16,
  64,
  // The Swedish locale formats dates as YYYY-MM-DD.
  (timeZone) => new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }),
);

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
    ...selectIdentifiers(world, id, fields),
  };
}

/** Identifiers that the specification describes as absent from some records or responses. */
const optionalIdentifiers = ["exchangeId", "transferId", "btId"];

/** If the assumption is "sometimes", a hash of the record's id decides, so that every read of the record shows the same identifiers. */
function selectIdentifiers(world: MockWorld, id: string, fields: Readonly<Record<string, string>>): object {
  const { identifiers: presence } = world.assumptions.history;
  if (presence === "always") return fields;
  const isKept = (name: string) =>
    presence === "sometimes" && Boolean(hash("sha256", `${id} ${name}`, "buffer").readUInt8() & 1);
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !optionalIdentifiers.includes(name) || isKept(name)),
  );
}
