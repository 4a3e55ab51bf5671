/** Jobs are in order of their due times; jobs with the same due time are in order of creation. */

import type { Job } from "../plan/data.ts";
import { Queue } from "./queue.ts";
import type { Transactions } from "./transactions.ts";

export class Jobs {
  readonly #transactions: Transactions;
  readonly #queue = new Queue<Job>();
  #nextNumber = 0;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  get pendingJobs(): readonly Job[] {
    return this.#queue.items;
  }

  get nextDue(): number {
    return this.#queue.head?.due ?? Number.POSITIVE_INFINITY;
  }

  add(name: string, due: number, values: Readonly<Record<string, string>>, number: number = this.#nextNumber): void {
    const previousNumber = this.#nextNumber;
    const job: Job = { due, number, name, about: values };
    this.#nextNumber = Math.max(previousNumber, number + 1);
    this.#queue.add(job);
    const undo = () => {
      this.#nextNumber = previousNumber;
      this.#queue.remove(number);
    };
    this.#transactions.record(undo);
  }

  takeDue(now: number): Job | undefined {
    const { head: job } = this.#queue;
    if (job === undefined || job.due > now) return undefined;
    this.#queue.remove(job.number);
    this.#transactions.record(() => this.#queue.add(job));
    return job;
  }
}
