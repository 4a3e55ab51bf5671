/**
 * A double-entry ledger in minor units: every posting moves an amount between two accounts, so the total never changes. The balance of an
 * account is the sum of its postings.
 */

import type { Posting } from "../plan/data.ts";
import type { Transactions } from "./transactions.ts";

export class Ledger {
  readonly #transactions: Transactions;
  readonly #balances = new Map<string, bigint>();
  readonly #postings: Posting[] = [];

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  get postings(): readonly Posting[] {
    return this.#postings;
  }

  move(posting: Posting): void {
    const { from, to, currency, units } = posting;
    if (units <= 0n) throw new RangeError(`A posting of ${units} ${currency} from ${from} to ${to} moves nothing.`);
    this.#postings.push(posting);
    this.#apply(posting, units);
    const undo = () => {
      this.#postings.pop();
      this.#apply(posting, -units);
    };
    this.#transactions.record(undo);
  }

  balance(account: string, currency: string): bigint {
    return this.#balances.get(`${currency} ${account}`) ?? 0n;
  }

  #apply({ from, to, currency }: Posting, units: bigint): void {
    this.#add(`${currency} ${from}`, -units);
    this.#add(`${currency} ${to}`, units);
  }

  #add(key: string, units: bigint): void {
    const sum = (this.#balances.get(key) ?? 0n) + units;
    if (sum === 0n) this.#balances.delete(key);
    else this.#balances.set(key, sum);
  }
}
