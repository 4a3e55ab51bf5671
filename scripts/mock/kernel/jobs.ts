/** What happens later: jobs in the order of their time, those of the same time in the order in which they were made. */

import type { Changes } from "./changes.ts";
import type { Job } from "./data.ts";

export class Jobs {
  readonly #changes: Changes;
  /** A binary heap: the next one first, and none before the one at half its place. */
  readonly #heap: Job[] = [];
  #made = 0;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** Those that wait, the next one first. */
  get waiting(): readonly Job[] {
    return [...this.#heap].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  /** When the next one is due; undefined when there is none. */
  get nextDue(): number | undefined {
    return this.#heap[0]?.due;
  }

  /** @param number where it is known already. */
  add(name: string, due: number, about: Readonly<Record<string, string>>, number: number = this.#made): void {
    const before = this.#made;
    const job: Job = { due, number, name, about };
    this.#made = Math.max(before, number + 1);
    this.#insert(job);
    const undo = () => {
      this.#made = before;
      this.#remove(this.#heap.indexOf(job));
    };
    this.#changes.record(undo, "jobs", job);
  }

  /** Takes a job out that is done, whatever the time is. */
  drop(number: number): void {
    // It is the next one nearly always.
    const at = this.#heap[0]?.number === number ? 0 : this.#heap.findIndex((job) => job.number === number);
    if (at >= 0) this.#remove(at);
  }

  /** Takes the next job out that is due at a time. */
  take(now: number): Job | undefined {
    const [job] = this.#heap;
    if (job === undefined || job.due > now) return undefined;
    this.#remove(0);
    this.#changes.record(() => this.#insert(job), "done", job.number);
    return job;
  }

  #insert(job: Job): void {
    this.#heap.push(job);
    this.#rise(this.#heap.length - 1);
  }

  #remove(at: number): void {
    const last = this.#heap.pop() as Job;
    if (at === this.#heap.length) return;
    this.#heap[at] = last;
    this.#rise(at);
    this.#sink(at);
  }

  #rise(from: number): void {
    for (let at = from, above = (at - 1) >> 1; at > 0 && this.#swapped(above, at); above = (at - 1) >> 1) at = above;
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const isRight = right < this.#heap.length && isBefore(this.#heap[right] as Job, this.#heap[left] as Job);
      const below = isRight ? right : left;
      if (below >= this.#heap.length || !this.#swapped(at, below)) return;
      at = below;
    }
  }

  /** Exchanges two jobs when the lower one is before the upper one. */
  #swapped(upper: number, lower: number): boolean {
    const [first, second] = [this.#heap[upper] as Job, this.#heap[lower] as Job];
    if (!isBefore(second, first)) return false;
    this.#heap[upper] = second;
    this.#heap[lower] = first;
    return true;
  }
}

function isBefore(a: Job, b: Job): boolean {
  return a.due < b.due || (a.due === b.due && a.number < b.number);
}
