/** If the work of a transaction throws, all changes of this work are rolled back. */

/** An internal error of the mock, or invalid data of a world that it loads. */
export class MockError extends Error {
  override readonly name = "MockError";
}

export class Transactions {
  readonly #undos: (() => void)[] = [];
  #depth = 0;
  #isDerived = false;
  #hasChanges = false;
  /**
   * Called before the commit of a transaction with changes, unless {@link runDerived} made all of them. If this function throws, the
   * transaction is rolled back.
   */
  beforeCommit: (() => void) | undefined;
  /** Called after changes of data that the state file contains. */
  onChange: (() => void) | undefined;

  /** Does nothing outside a transaction. @param undo undoes a change, and must not throw. */
  record(undo: () => void): void {
    if (this.#depth === 0) return;
    this.#undos.push(undo);
    this.#hasChanges ||= !this.#isDerived;
  }

  /**
   * Runs work that does not count as a change for {@link beforeCommit}. Only for work that may be lost because a later call repeats it,
   * such as creating a balance at its first read.
   */
  runDerived<T>(work: () => T): T {
    const wasDerived = this.#isDerived;
    this.#isDerived = true;
    try {
      return work();
    } finally {
      this.#isDerived = wasDerived;
    }
  }

  runAtomically<T>(work: () => T): T {
    const start = this.#undos.length;
    this.#depth += 1;
    try {
      const result = work();
      if (this.#depth === 1 && this.#undos.length > 0) {
        if (this.#hasChanges) this.beforeCommit?.();
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
        this.#hasChanges = false;
      }
    }
  }

  #undo(start: number): void {
    while (this.#undos.length > start) this.#undos.pop()?.();
  }
}
