/** What happens later: jobs in the order of their time, those of the same time in the order in which they were made. */
import type { Changes } from "./changes.ts";

export interface Job {
  /** When it is due, in milliseconds since 1970. */
  readonly due: number;
  /** Counts the jobs of a tenant. */
  readonly number: number;
  /** Which function runs it. */
  readonly name: string;
  /** What the function is given: plain data. */
  readonly about: Readonly<Record<string, string>>;
}

export class Jobs {
  readonly #changes: Changes;
  /** Sorted, the next one last. */
  readonly #waiting: Job[] = [];
  #made = 0;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** Those that wait, the next one first. */
  get waiting(): readonly Job[] {
    return [...this.#waiting].reverse();
  }

  /** When the next one is due; undefined when there is none. */
  get nextDue(): number | undefined {
    return this.#waiting.at(-1)?.due;
  }

  add(name: string, due: number, about: Readonly<Record<string, string>>): void {
    const number = this.#made;
    const job: Job = { due, number, name, about };
    this.#made += 1;
    this.#insert(job);
    this.#changes.note(() => {
      this.#made = number;
      this.#waiting.splice(this.#waiting.indexOf(job), 1);
    });
  }

  /** Takes the next job out that is due at a time. */
  take(now: number): Job | undefined {
    const job = this.#waiting.at(-1);
    if (job === undefined || job.due > now) return undefined;
    this.#waiting.pop();
    this.#changes.note(() => this.#insert(job));
    return job;
  }

  #insert(job: Job): void {
    let low = 0;
    let high = this.#waiting.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(job, this.#waiting[middle] as Job)) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, job);
  }
}

function isBefore(a: Job, b: Job): boolean {
  return a.due < b.due || (a.due === b.due && a.number < b.number);
}
