/** If the bytes exceed the limit, all of them are dropped. */
export class BoundedBytes {
  readonly #maxBytes: number;
  #chunks: Buffer[] | undefined = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @returns whether the body is still within the limit. */
  add(chunk: Buffer): boolean {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) this.#chunks = undefined;
    this.#chunks?.push(chunk);
    return this.#chunks !== undefined;
  }

  /** Undefined if there were more bytes than the limit. */
  concat(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks, this.#size);
  }
}
