/** The same seed gives the same sequence of values. */
import { hash } from "node:crypto";
import type { Transactions } from "./transactions.ts";

export class Ids {
  readonly #seed: string;
  readonly #transactions: Transactions;
  count = 0;

  constructor(seed: string, transactions: Transactions) {
    this.#seed = seed;
    this.#transactions = transactions;
  }

  /** Version 4 (RFC 9562). */
  uuid(): string {
    const hex = this.#nextDigest();
    const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  /** @param length at most 32. */
  digits(length: number): string {
    const bytes = Buffer.from(this.#nextDigest(), "hex");
    return [...bytes.subarray(0, length)].map((byte) => byte % 10).join("");
  }

  /** In lower case. @param length at most 64. */
  hex(length: number): string {
    return this.#nextDigest().slice(0, length);
  }

  #nextDigest(): string {
    const { count } = this;
    const undo = () => {
      this.count = count;
    };
    this.#transactions.record(undo);
    this.count += 1;
    return hash("sha256", `${this.#seed} ${count}`);
  }
}
