/** A priority queue: the item with the earliest due time comes first; among equal due times, the item with the lowest number. */

export interface ScheduledItem {
  /** Milliseconds since 1970. */
  readonly due: number;
  readonly number: number;
}

export class Queue<Item extends ScheduledItem> {
  readonly #byNumber = new Map<number, Item>();
  /** A binary heap. A removed item stays in the heap until it reaches the front. */
  readonly #heap: Item[] = [];

  get head(): Item | undefined {
    let [head] = this.#heap;
    for (; head !== undefined && this.#byNumber.get(head.number) !== head; [head] = this.#heap) this.#dropFirst();
    return head;
  }

  get items(): Item[] {
    return [...this.#byNumber.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  add(item: Item): void {
    const heap = this.#heap;
    this.#byNumber.set(item.number, item);
    let index = heap.push(item) - 1;
    for (let parent = (index - 1) >> 1; index > 0 && isBefore(item, heap[parent] as Item); parent = (index - 1) >> 1) {
      heap[index] = heap[parent] as Item;
      index = parent;
    }
    heap[index] = item;
  }

  remove(number: number): void {
    this.#byNumber.delete(number);
  }

  #dropFirst(): void {
    const heap = this.#heap;
    const lastItem = heap.pop() as Item;
    if (heap.length === 0) return;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Item, heap[child] as Item)) child += 1;
      if (isBefore(lastItem, heap[child] as Item)) break;
      heap[index] = heap[child] as Item;
      index = child;
    }
    heap[index] = lastItem;
  }
}

function isBefore(a: ScheduledItem, b: ScheduledItem): boolean {
  return a.due < b.due || (a.due === b.due && a.number < b.number);
}
