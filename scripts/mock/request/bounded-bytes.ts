/** Collects the bytes of a `node:http` body up to a limit. If the body is larger, all bytes are dropped. */
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

  /** The collected bytes; undefined if there were more than the limit. */
  concat(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks, this.#size);
  }
}
