/** Scheduled jobs in order of time. Jobs of the same time are in order of creation. */

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

  get waiting(): readonly Job[] {
    return this.#queue.items;
  }

  get nextDue(): number {
    return this.#queue.first?.due ?? Number.POSITIVE_INFINITY;
  }

  add(name: string, due: number, about: Readonly<Record<string, string>>, number: number = this.#made): void {
    const before = this.#made;
    const job: Job = { due, number, name, about };
    this.#made = Math.max(before, number + 1);
    this.#queue.add(job);
    const undo = () => {
      this.#made = before;
      this.#queue.remove(number);
    };
    this.#changes.record(undo);
  }

  take(now: number): Job | undefined {
    const { first: job } = this.#queue;
    if (job === undefined || job.due > now) return undefined;
    this.#queue.remove(job.number);
    this.#changes.record(() => this.#queue.add(job));
    return job;
  }
}
