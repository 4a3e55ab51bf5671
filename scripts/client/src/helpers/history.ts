import type { Operation } from "../base/operation.ts";
import type { CommonOptions } from "../state/call-types.ts";
import { type Client, stateOf } from "../state/client.ts";

/** A month: a text such as `"2026-03"`, or a date, whose month in UTC is used. */
export type Month = `${number}-${number}` | Date;

export interface MonthOfHistory<Item> {
  /** Such as `"2026-03"`. */
  readonly month: string;
  /** A record that also appears in a later month is left out, because the later copy has the newer state. */
  readonly records: readonly Item[];
}

/**
 * The options of a history: its path parameters, with the first and the last month (`from` and `to`) in place of `month` and `year`, and
 * the options of every call.
 */
export type HistoryOptions<Path> = CommonOptions & Omit<Path, "month" | "year"> & { from: Month; to: Month };

/** These operations return one month of a history. */
export interface HistoryOperations {
  readonly ofUser: Operation;
  readonly ofPartner: Operation;
}

/** Of the partner, or of a user if the options have `externalUserId`. */
export async function* readHistory<Item>(
  client: Client,
  { ofUser, ofPartner }: HistoryOperations,
  historyOptions: HistoryOptions<{ externalUserId?: string }>,
): AsyncGenerator<MonthOfHistory<Item>, void, undefined> {
  // Throws if the argument is not a client.
  stateOf(client);
  const { from, to, externalUserId, ...options } = historyOptions;
  const [firstIndex, lastIndex] = [monthIndex("from", from), monthIndex("to", to)];
  if (firstIndex > lastIndex) throw new TypeError("historyMonths: from is after to.");
  // `externalUserId: undefined` is an error, so it must not select the history of the partner.
  const [operation, path] = "externalUserId" in historyOptions ? [ofUser, { externalUserId }] : [ofPartner, {}];
  const months: MonthOfHistory<Item>[] = [];
  for (let index = firstIndex; index <= lastIndex; index += 1) {
    const year = String(Math.floor(index / 12));
    const month = String((index % 12) + 1).padStart(2, "0");
    const { data, error } = await client["~call"](operation, { ...options, path: { ...path, month, year } });
    if (error !== undefined) throw error;
    months.push({ month: `${year}-${month}`, records: data as Item[] });
  }
  yield* withoutEarlierCopies(months);
}

/** A record without an id is never left out. */
function withoutEarlierCopies<Item>(months: readonly MonthOfHistory<Item>[]): MonthOfHistory<Item>[] {
  const seenIds = new Set<unknown>();
  const isNew = (record: Item) => {
    const id = (record as { id?: unknown } | null)?.id ?? undefined;
    return id === undefined || (!seenIds.has(id) && seenIds.add(id));
  };
  const latestFirst = [...months].reverse().map(({ month, records }) => ({ month, records: records.filter(isNew) }));
  return latestFirst.reverse();
}

/** Counts from the year 0. */
function monthIndex(name: string, month: Month): number {
  const text = month instanceof Date && !Number.isNaN(month.getTime()) ? month.toISOString() : String(month);
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])(-|$)/.exec(text) ?? [];
  if (year === undefined) throw new TypeError(`historyMonths: ${name} must be a month such as "2026-03", or a Date.`);
  return Number(year) * 12 + Number(number) - 1;
}
