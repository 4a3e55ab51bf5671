/** Milliseconds without further changes before an update. The delay is needed because editors save in several steps. */
export const settleMs = 40;

interface QueueOptions {
  readonly update: (files: readonly string[]) => Promise<void>;
  /** Cancels the slower steps of the update that runs. */
  readonly supersede: () => void;
}

/** Runs one update at a time. */
export class UpdateQueue {
  readonly #options: QueueOptions;
  readonly #changedFiles = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #lastUpdate: Promise<void>;

  /** @param firstUpdate the update that runs now. */
  constructor(firstUpdate: Promise<void>, options: QueueOptions) {
    this.#lastUpdate = firstUpdate;
    this.#options = options;
  }

  add(file: string): void {
    this.#changedFiles.add(file);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // If an update has begun since the change, it includes the file, so it must not be superseded.
      if (this.#changedFiles.size === 0) return;
      this.#options.supersede();
      this.#lastUpdate = this.#lastUpdate.then(() => this.#updateAll());
    }, settleMs);
  }

  /** Drops the updates that have not begun, cancels the slower steps of the update that runs, and waits for its end. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#changedFiles.clear();
    this.#options.supersede();
    await this.#lastUpdate;
  }

  async #updateAll(): Promise<void> {
    const files = [...this.#changedFiles];
    this.#changedFiles.clear();
    if (files.length > 0) await this.#options.update(files);
  }
}
