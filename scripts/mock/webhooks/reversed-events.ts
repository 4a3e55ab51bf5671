import type { OpenDelivery } from "./open-delivery.ts";

/** The key of the events that wait for an event of any webhook. */
const anyWebhook = "";

/** The events that a `reversed` fault holds back until the next event of a webhook, by this webhook. */
export class ReversedEvents {
  #waiting = new Map<string, OpenDelivery[]>();

  /** Holds back an event. @returns when it is sent if no other event comes: at the due time of the oldest event in its group. */
  add(record: OpenDelivery, delay: number, webhook = anyWebhook): number {
    const waiting = [...this.#unsent(webhook), record];
    this.#waiting.set(webhook, waiting);
    return waiting[0]?.due ?? record.at + delay;
  }

  /** Removes and returns the events that were waiting for an event of this webhook. */
  take(webhook: string): OpenDelivery[] {
    const groups = [anyWebhook, webhook];
    const taken = groups.flatMap((group) => this.#unsent(group));
    for (const group of groups) this.#waiting.delete(group);
    return taken;
  }

  #unsent(group: string): OpenDelivery[] {
    return (this.#waiting.get(group) ?? []).filter(({ tries }) => tries === 0);
  }
}

/** The order of a reversed event among attempts with the same due time: newest first, and before all other events. */
export function orderAmongReversed({ number }: OpenDelivery): number {
  return -1 - number;
}
