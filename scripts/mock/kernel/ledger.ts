/**
 * Money as double entry, in whole minor units: every posting moves an amount from one account to another, so that nothing appears or
 * is lost. A balance is the sum of what came to an account and went from it.
 */

import type { PackedLedger, Posting } from "../plan/data.ts";
import type { Changes } from "./changes.ts";

export class Ledger {
  readonly #changes: Changes;
  /** Those that are not zero. */
  readonly #balances = new Map<string, bigint>();
  #postings: Posting[] = [];
  /** Those before, a thousand in each text: nobody looks at them one by one, and a text is written and read in a tenth of the time. */
  #older: string[] = [];

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  get postings(): readonly Posting[] {
    return [...this.#older.flatMap(readPostings), ...this.#postings];
  }

  /** Everything, as it is read fastest. It must not be called while something can be taken back. */
  pack(): PackedLedger {
    for (let from = 0; from < this.#postings.length; from += 1000) {
      const some = this.#postings.slice(from, from + 1000);
      this.#older.push(JSON.stringify(some, (_name, value) => (typeof value === "bigint" ? String(value) : value)));
    }
    this.#postings = [];
    return { older: this.#older, balances: [...this.#balances].map(([key, units]) => [key, String(units)]) };
  }

  /** Adds what {@link pack} gave, or a part of it. */
  unpack({ older = [], balances = [] }: Partial<PackedLedger>): void {
    for (const text of older) this.#older.push(text);
    for (const [key, units] of balances) this.#balances.set(key, BigInt(units));
  }

  /** @throws {RangeError} when the amount is not positive: the mock has a mistake then. */
  move(posting: Posting): void {
    const { from, to, currency, units } = posting;
    if (units <= 0n) throw new RangeError(`A posting of ${units} ${currency} from ${from} to ${to} moves nothing.`);
    this.#postings.push(posting);
    this.#carry(posting, units);
    const undo = () => {
      this.#postings.pop();
      this.#carry(posting, -units);
    };
    this.#changes.record(undo, "postings", posting);
  }

  /** What an account has in a currency, in minor units. */
  balance(account: string, currency: string): bigint {
    return this.#balances.get(`${currency} ${account}`) ?? 0n;
  }

  #carry({ from, to, currency }: Posting, units: bigint): void {
    this.#add(`${currency} ${from}`, -units);
    this.#add(`${currency} ${to}`, units);
  }

  #add(key: string, units: bigint): void {
    const sum = (this.#balances.get(key) ?? 0n) + units;
    if (sum === 0n) this.#balances.delete(key);
    else this.#balances.set(key, sum);
  }
}

function readPostings(text: string): Posting[] {
  return (JSON.parse(text) as (Posting & { units: string | bigint })[]).map((posting) => {
    return { ...posting, units: BigInt(posting.units) };
  });
}
