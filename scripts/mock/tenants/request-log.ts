/** The requests that a tenant has sent, the newest ones only. No header and no body is kept. */

export interface SeenRequest {
  /** Counts the requests of a tenant. */
  readonly number: number;
  /** When it was answered, in the time of the mock. */
  readonly at: string;
  readonly method: string;
  /** As it was sent, without its query. */
  readonly path: string;
  /** Undefined when no operation matches. */
  readonly operation: string | undefined;
  /** Of the answer; `drop` when the connection was closed without one. */
  readonly status: number | "drop";
  /** The P-code of the answer. */
  readonly code: string | undefined;
  /** Why it was answered so. */
  readonly notes: readonly string[];
}

/** Its time in milliseconds since 1970, which is written out only when somebody asks. */
type Seen = Omit<SeenRequest, "at"> & { readonly at: number };

/** How many requests are kept. */
const mostRequests = 1000;

export class RequestLog {
  #seen: Seen[] = [];
  #count = 0;

  /** Oldest first. */
  get list(): readonly SeenRequest[] {
    return this.#seen.slice(-mostRequests).map(({ at, ...seen }) => ({ ...seen, at: new Date(at).toISOString() }));
  }

  add(request: Omit<Seen, "number">): void {
    this.#seen.push({ number: this.#count, ...request });
    this.#count += 1;
    // Not with each request, since it moves all others.
    if (this.#seen.length >= 2 * mostRequests) this.#seen = this.#seen.slice(-mostRequests);
  }

  clear(): void {
    this.#seen = [];
    this.#count = 0;
  }
}
