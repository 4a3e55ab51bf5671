/** Identifiers, card numbers, addresses: everything that looks random, from a seed. The same seed gives the same ones. */
import { hash } from "node:crypto";
import type { Changes } from "./changes.ts";

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

export class Ids {
  readonly #seed: string;
  readonly #changes: Changes;
  #count = 0;

  constructor(seed: string, changes: Changes) {
    this.#seed = seed;
    this.#changes = changes;
  }

  /** How many values were made. */
  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    this.#count = count;
  }

  /** A UUID (RFC 9562, version 4 by its form). */
  uuid(): string {
    const bytes = this.#bytes();
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    const hex = bytes.toString("hex", 0, 16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** Decimal digits; at most 32. */
  digits(length: number): string {
    return [...this.#bytes().subarray(0, length)].map((byte) => byte % 10).join("");
  }

  /** Hexadecimal digits in lower case; at most 64. */
  hex(length: number): string {
    return this.#bytes().toString("hex").slice(0, length);
  }

  /** Letters and digits of base 58, as in addresses; at most 32. */
  base58(length: number): string {
    return [...this.#bytes().subarray(0, length)].map((byte) => base58[byte % 58]).join("");
  }

  #bytes(): Buffer {
    const count = this.#count;
    this.#changes.record(
      () => {
        this.#count = count;
      },
      "ids",
      count,
    );
    this.#count += 1;
    return hash("sha256", `${this.#seed} ${count}`, "buffer");
  }
}
