/** The events of a tenant, in the order in which they came about. How they are delivered is not known here. */
import type { Changes } from "./changes.ts";

export interface Event {
  /** Counts the events of a tenant. */
  readonly number: number;
  readonly webhook: string;
  /** When it came about, in milliseconds since 1970. */
  readonly at: number;
  /** The JSON body. */
  readonly body: string;
}

export class Outbox {
  readonly #changes: Changes;
  readonly #events: Event[] = [];

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  add(webhook: string, at: number, body: string): void {
    this.#events.push({ number: this.#events.length, webhook, at, body });
    this.#changes.note(() => this.#events.pop());
  }
}
