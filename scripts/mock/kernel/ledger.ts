/**
 * Money as double entry, in whole minor units: every posting moves amounts between accounts and sums to zero in each currency,
 * so that nothing appears or is lost. A balance is the sum of the entries of an account.
 */

import type { Changes } from "./changes.ts";
import type { Entry, Posting } from "./data.ts";

export class Ledger {
  readonly #changes: Changes;
  readonly #balances = new Map<string, bigint>();
  readonly #postings: Posting[] = [];

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  get postings(): readonly Posting[] {
    return this.#postings;
  }

  /**
   * Moves an amount from one account to another.
   *
   * @param units minor units, more than zero.
   * @throws {RangeError} when the amount is not positive: the mock has a mistake then.
   */
  move(from: string, to: string, currency: string, units: bigint, about: Pick<Posting, "reference" | "at">): void {
    if (units <= 0n) throw new RangeError(`A posting of ${units} ${currency} from ${from} to ${to} moves nothing.`);
    this.post(
      [
        { account: from, currency, units: -units },
        { account: to, currency, units },
      ],
      about,
    );
  }

  /**
   * Adds a posting.
   *
   * @throws {RangeError} when its entries do not sum to zero in each currency: the mock has a mistake then.
   */
  post(entries: readonly Entry[], { reference, at }: Pick<Posting, "reference" | "at">): void {
    for (const currency of new Set(entries.map((entry) => entry.currency))) {
      const sum = entries.reduce((total, entry) => total + (entry.currency === currency ? entry.units : 0n), 0n);
      if (sum !== 0n) throw new RangeError(`A posting has ${sum} ${currency} too much.`);
    }
    const posting: Posting = { reference, at, entries };
    this.#postings.push(posting);
    for (const entry of entries) this.#add(entry, 1n);
    const undo = () => {
      this.#postings.pop();
      for (const entry of entries) this.#add(entry, -1n);
    };
    this.#changes.record(undo, "postings", posting);
  }

  /** The sum of the entries of an account in a currency, in minor units. */
  balance(account: string, currency: string): bigint {
    return this.#balances.get(keyOf(account, currency)) ?? 0n;
  }

  /** The sum of all entries in a currency, which is zero unless the mock has a mistake. */
  total(currency: string): bigint {
    return this.#postings
      .flatMap(({ entries }) => entries)
      .reduce((sum, entry) => sum + (entry.currency === currency ? entry.units : 0n), 0n);
  }

  #add({ account, currency, units }: Entry, factor: bigint): void {
    const key = keyOf(account, currency);
    this.#balances.set(key, (this.#balances.get(key) ?? 0n) + factor * units);
  }
}

function keyOf(account: string, currency: string): string {
  return `${currency} ${account}`;
}
