/** A priority queue: the item that is due first comes first; among items due at the same time, the lowest number. */

export interface Scheduled {
  /** When the item is due, in milliseconds since 1970. */
  readonly due: number;
  readonly number: number;
}

export class Queue<Item extends Scheduled> {
  readonly #byNumber = new Map<number, Item>();
  /** A binary heap. A removed item stays in the heap until it reaches the front. */
  readonly #heap: Item[] = [];

  get first(): Item | undefined {
    let [first] = this.#heap;
    for (; first !== undefined && this.#byNumber.get(first.number) !== first; [first] = this.#heap) this.#dropFirst();
    return first;
  }

  get items(): Item[] {
    return [...this.#byNumber.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  add(item: Item): void {
    const heap = this.#heap;
    this.#byNumber.set(item.number, item);
    let at = heap.push(item) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(item, heap[above] as Item); above = (at - 1) >> 1) {
      heap[at] = heap[above] as Item;
      at = above;
    }
    heap[at] = item;
  }

  remove(number: number): void {
    this.#byNumber.delete(number);
  }

  #dropFirst(): void {
    const heap = this.#heap;
    const last = heap.pop() as Item;
    if (heap.length === 0) return;
    let at = 0;
    for (let below = 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Item, heap[below] as Item)) below += 1;
      if (isBefore(last, heap[below] as Item)) break;
      heap[at] = heap[below] as Item;
      at = below;
    }
    heap[at] = last;
  }
}

function isBefore(a: Scheduled, b: Scheduled): boolean {
  return a.due < b.due || (a.due === b.due && a.number < b.number);
}
