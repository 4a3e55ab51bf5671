import { call } from "../call.ts";
import type { Client, MiddlewareResult } from "../client.ts";
import { lookups, recordEnds } from "../entries/lookups.ts";
import type { PartnerApiError } from "../errors.ts";
import type { PaymentClock } from "./clock.ts";
import { matchesPayment, type ReceivedRecord, type Source, sourcesOf, withExactNumbers } from "./lookup.ts";
import type { Row } from "./payment.ts";

export interface RecordMatch {
  readonly column: Source["column"];
  readonly record: string;
  readonly id: string | undefined;
  /** Undefined while the payment is not final. */
  readonly isSuccess: boolean | undefined;
}

/** Maximum difference between the clocks of two machines, in milliseconds. */
export const skewMs: number = 15 * 60_000;

export interface EvidenceOptions {
  readonly client: Client;
  readonly clock: PaymentClock;
  readonly timeoutMs: number;
}

export class Evidence {
  readonly #options: EvidenceOptions;

  constructor(options: EvidenceOptions) {
    this.#options = options;
  }

  sources({ data }: Row): Source[] {
    return sourcesOf(lookups[data.operation], data.body, this.#options.client.edition);
  }

  /** Retries only safe calls, such as reads of a history. */
  async call(
    operation: (typeof lookups)[keyof typeof lookups]["operation"],
    options: object,
  ): Promise<MiddlewareResult> {
    const { client, timeoutMs } = this.#options;
    return call<MiddlewareResult>(client, operation, {
      ...options,
      timeoutMs,
      retries: operation.safe ? undefined : 0,
    });
  }

  async matchingRecords(row: Row, source: Source): Promise<{ records: ReceivedRecord[] } | { error: PartnerApiError }> {
    const parameter = /\{(?!month|year)(\w+)\}/.exec(source.operation.path)?.[1];
    const user = parameter === undefined ? {} : { [parameter]: source.user };
    const now = this.#options.clock.now();
    const found = new Map<unknown, ReceivedRecord>();
    for (const month of monthsBetween(row.data.createdAt - skewMs, now + skewMs)) {
      const [year = "", number = ""] = month.split("-");
      const { data, error } = await this.call(source.operation, { path: { ...user, year, month: number } });
      // The service refuses months before the account existed, and a month that has not begun by its clock.
      const isOwn = month >= monthOf(row.data.createdAt) && month <= monthOf(now);
      if (error?.outcome === "refused" && !isOwn) continue;
      if (error !== undefined) return { error };
      for (const record of withExactNumbers(data as object) as ReceivedRecord[]) {
        // The record of an earlier payment can appear late.
        if (Date.parse(String(record?.createdAt)) < row.data.createdAt - skewMs) continue;
        if (typeof record?.id === "string" && matchesPayment(source, row.data.body, record))
          found.set(record.id, record);
      }
    }
    const order = (record: ReceivedRecord) => String(record.createdAt);
    return { records: [...found.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1)) };
  }

  /**
   * Resolves to `none` when every history was read and has no new record of the payment; to `unseen` when a history could not be read, or
   * the client's edition has no history of the payment.
   */
  async look(row: Row, sources: readonly Source[] = this.sources(row)): Promise<RecordMatch | "none" | "unseen"> {
    let isSeen = sources.length > 0;
    for (const source of sources) {
      const result = await this.matchingRecords(row, source);
      if ("error" in result) isSeen = false;
      else {
        const known = row.data.known?.[source.column] ?? [];
        const record = result.records.find(({ id }) => !known.includes(String(id)));
        if (record !== undefined) return foundIn(row, source, record);
      }
    }
    return isSeen ? "none" : "unseen";
  }

  async finalResult(row: Row): Promise<{ isSuccess: boolean; id?: string | undefined } | undefined> {
    const { ends } = lookups[row.data.operation];
    if (row.id !== null) {
      const shown = await this.details(row.data.operation, row.id);
      const isSuccess = ends[String(shown?.status)];
      if (isSuccess !== undefined) return { isSuccess };
    }
    for (const source of this.sources(row)) {
      const own = row.data.records?.[source.column];
      const result = own === undefined ? undefined : await this.matchingRecords(row, source);
      const record = result && "records" in result ? result.records.find(({ id }) => id === own) : undefined;
      const found = record && foundIn(row, source, record);
      if (found?.isSuccess !== undefined) return { isSuccess: found.isSuccess, id: found.id };
    }
    return undefined;
  }

  async details(operation: keyof typeof lookups, id: string): Promise<ReceivedRecord | undefined> {
    const { details } = lookups[operation];
    if (details === undefined) return undefined;
    const { data } = await this.call(details.operation, { path: { [details.id]: id } });
    return data === undefined ? undefined : (withExactNumbers(data as object) as ReceivedRecord);
  }
}

function foundIn({ data }: Row, { column }: Source, record: ReceivedRecord): RecordMatch {
  const id = record[lookups[data.operation].created];
  const isSuccess = recordEnds[String(record.status)];
  return { column, record: String(record.id), isSuccess, id: id as string | undefined };
}

/** UTC months such as `2026-03`, between two times in milliseconds since 1970. */
function monthsBetween(from: number, to: number): string[] {
  const months: string[] = [];
  for (let at = from; monthOf(at) <= monthOf(to); at = nextMonth(at)) months.push(monthOf(at));
  return months;
}

function nextMonth(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}
