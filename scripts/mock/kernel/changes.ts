/** Transactions: the changes of a call are rolled back together when it is refused. */

/** An error in the mock itself, never a mistake of its caller. */
export class MockFault extends Error {
  override readonly name = "MockFault";
}

export class Changes {
  readonly #undos: (() => void)[] = [];
  #depth = 0;
  /** Called after a change that the state file must contain. */
  onChange: (() => void) | undefined;

  /** `undo` must not throw. */
  record(undo: () => void): void {
    if (this.#depth > 0) this.#undos.push(undo);
  }

  atomically<T>(work: () => T): T {
    const start = this.#undos.length;
    this.#depth += 1;
    try {
      const result = work();
      if (this.#depth === 1 && this.#undos.length > 0) this.onChange?.();
      return result;
    } catch (error) {
      this.#undo(start);
      throw error;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#undos.length = 0;
    }
  }

  #undo(start: number): void {
    while (this.#undos.length > start) this.#undos.pop()?.();
  }
}
