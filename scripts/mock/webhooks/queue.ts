/** Things that are due at some time. */

interface Entry<Item> {
  readonly item: Item;
  /** In milliseconds since 1970. */
  readonly due: number;
  /** Which of two is first that are due at the same time. */
  readonly rank: number;
}

/** Kept in the order in which they are due. */
export class Queue<Item> {
  readonly #entries: Entry<Item>[] = [];

  get first(): { readonly item: Item; readonly due: number } | undefined {
    return this.#entries[0];
  }

  /** @param rank which of two is first that are due at the same time: that with the lower one. */
  add(item: Item, due: number, rank: number): void {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle] as Entry<Item>;
      if (entry.due < due || (entry.due === due && entry.rank < rank)) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, { item, due, rank });
  }

  remove(item: Item): void {
    const index = this.#entries.findIndex((entry) => entry.item === item);
    if (index >= 0) this.#entries.splice(index, 1);
  }
}
