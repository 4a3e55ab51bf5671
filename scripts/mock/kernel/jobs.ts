/** What happens later: jobs in the order of their time, those of the same time in the order in which they were made. */

import type { Job } from "../plan/data.ts";
import type { Changes } from "./changes.ts";
import { Queue } from "./queue.ts";

export class Jobs {
  readonly #changes: Changes;
  readonly #queue = new Queue<Job>();
  #made = 0;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** Those that wait, the next one first. */
  get waiting(): readonly Job[] {
    return this.#queue.items;
  }

  /** When the next one is due; infinite when there is none. */
  get nextDue(): number {
    return this.#queue.first?.due ?? Number.POSITIVE_INFINITY;
  }

  /** @param number where it is known already. */
  add(name: string, due: number, about: Readonly<Record<string, string>>, number: number = this.#made): void {
    const before = this.#made;
    const job: Job = { due, number, name, about };
    this.#made = Math.max(before, number + 1);
    this.#queue.add(job);
    const undo = () => {
      this.#made = before;
      this.#queue.remove(number);
    };
    this.#changes.record(undo, "jobs", job);
  }

  /** Takes a job out that is done, whatever the time is. */
  drop(number: number): void {
    this.#queue.remove(number);
  }

  /** Takes the next job out that is due at a time. */
  take(now: number): Job | undefined {
    const { first: job } = this.#queue;
    if (job === undefined || job.due > now) return undefined;
    this.#queue.remove(job.number);
    this.#changes.record(() => this.#queue.add(job), "done", job.number);
    return job;
  }
}
