/** Collects the bytes of a body of `node:http` up to a limit. Drops them all when the body is larger. */
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

  /** The bytes so far; undefined if there were more than the limit. */
  concat(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks, this.#size);
  }
}
