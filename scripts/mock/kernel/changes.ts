/** Transactions: the changes of a call are rolled back together when it is refused. */

/** An error in the mock itself, never a mistake of its caller. */
export class MockFault extends Error {
  override readonly name = "MockFault";
}

export class Changes {
  readonly #undos: (() => void)[] = [];
  #depth = 0;
  #isDerived = false;
  #hasNew = false;
  /** Called before a transaction with changes, other than {@link derived} ones, is committed. If it throws, the transaction is rolled back. */
  beforeCommit: (() => void) | undefined;
  /** Called after a change that the state file must contain. */
  onChange: (() => void) | undefined;

  /** `undo` must not throw. */
  record(undo: () => void): void {
    if (this.#depth === 0) return;
    this.#undos.push(undo);
    this.#hasNew ||= !this.#isDerived;
  }

  /** Runs work that any later call would repeat, such as creating a balance at its first read. Alone, it does not count as a change. */
  derived<T>(work: () => T): T {
    const before = this.#isDerived;
    this.#isDerived = true;
    try {
      return work();
    } finally {
      this.#isDerived = before;
    }
  }

  atomically<T>(work: () => T): T {
    const start = this.#undos.length;
    this.#depth += 1;
    try {
      const result = work();
      if (this.#depth === 1 && this.#undos.length > 0) {
        if (this.#hasNew) this.beforeCommit?.();
        this.onChange?.();
      }
      return result;
    } catch (error) {
      this.#undo(start);
      throw error;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) {
        this.#undos.length = 0;
        this.#hasNew = false;
      }
    }
  }

  #undo(start: number): void {
    while (this.#undos.length > start) this.#undos.pop()?.();
  }
}
