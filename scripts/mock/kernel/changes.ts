/** Takes back what a refused call has changed. */

/** How to take back each change so far, in the order of the changes. */
export class Changes {
  readonly #undo: (() => void)[] = [];
  #depth = 0;

  /**
   * Notes a change that was just made.
   *
   * @param undo makes it unmade; it must not throw.
   */
  note(undo: () => void): void {
    if (this.#depth > 0) this.#undo.push(undo);
  }

  /**
   * Does some work whole or not at all: when it throws, everything that it changed is as before.
   *
   * @throws what the work throws.
   */
  atomically<T>(work: () => T): T {
    const start = this.#undo.length;
    this.#depth += 1;
    try {
      return work();
    } catch (error) {
      while (this.#undo.length > start) this.#undo.pop()?.();
      throw error;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#undo.length = 0;
    }
  }

  /** Whether anything has changed since the outermost `atomically` began. */
  get isAny(): boolean {
    return this.#undo.length > 0;
  }
}
