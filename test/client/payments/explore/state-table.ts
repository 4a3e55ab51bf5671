/** Stores the states of an exploration as numbers, because there are millions of states. */
import { hash } from "node:crypto";

/** Gives each part of a state a number, and equal parts the same number. A part must not change afterwards. */
export class Parts {
  readonly #parts: unknown[] = [undefined];
  readonly #idsByText = new Map<string, number>();
  // A property that is not enumerable is faster than a WeakMap, and is neither copied nor printed.
  readonly #idKey: symbol = Symbol("number");

  partOf(id: number): unknown {
    return this.#parts[id];
  }

  idOf(part: unknown): number {
    if (typeof part !== "object" || part === null) return this.#idOfText(`${JSON.stringify(part)}`, part);
    const knownId = (part as Record<symbol, number | undefined>)[this.#idKey];
    if (knownId !== undefined) return knownId;
    // Most elements of a list are objects of the previous state, whose numbers are known.
    const text = Array.isArray(part) ? `[${part.map((item) => this.idOf(item))}]` : JSON.stringify(part);
    const id = this.#idOfText(text, part);
    Object.defineProperty(part, this.#idKey, { value: id });
    return id;
  }

  #idOfText(text: string, part: unknown): number {
    const key = digestOf(text);
    let id = this.#idsByText.get(key);
    if (id === undefined) {
      id = this.#parts.push(part) - 1;
      this.#idsByText.set(key, id);
    }
    return id;
  }
}

const integersPerState = 6;

/** The states that were found, each with the number of the state before it, in the order in which they were found. */
export class StateTable {
  #keys = new Int32Array(integersPerState << 12);
  #parents = new Int32Array(1 << 12);
  #slots = new Int32Array(1 << 14);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  keyOf(state: number): Int32Array {
    return this.#keys.subarray(state * integersPerState, (state + 1) * integersPerState);
  }

  parentOf(state: number): number {
    return this.#parents[state] as number;
  }

  /** @returns the state's number; -1 if the state is known. */
  add(key: readonly number[], parent: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(key) & mask;
    for (let entry = this.#slots[slot] as number; entry !== 0; entry = this.#slots[slot] as number) {
      const offset = (entry - 1) * integersPerState;
      let index = 0;
      while (index < integersPerState && this.#keys[offset + index] === key[index]) index += 1;
      if (index === integersPerState) return -1;
      slot = (slot + 1) & mask;
    }
    if (this.#size === this.#parents.length)
      [this.#keys, this.#parents] = [withDoubleLength(this.#keys), withDoubleLength(this.#parents)];
    this.#keys.set(key, this.#size * integersPerState);
    this.#parents[this.#size] = parent;
    this.#size += 1;
    this.#slots[slot] = this.#size;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return this.#size - 1;
  }

  #rehash() {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let state = 0; state < this.#size; state += 1) {
      let slot = hashOf(this.keyOf(state)) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = state + 1;
    }
  }
}

/** A text of at most 40 characters that identifies `text`. */
export const digestOf = (text: string): string => (text.length < 40 ? text : hash("sha1", text, "base64"));

function withDoubleLength(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longerArray = new Int32Array(array.length * 2);
  longerArray.set(array);
  return longerArray;
}

function hashOf(key: ArrayLike<number>): number {
  let hash = 0x9e3779b9;
  for (let index = 0; index < integersPerState; index += 1) {
    hash = Math.imul(hash ^ (key[index] as number), 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
