import type { OpenDelivery } from "./open-delivery.ts";

/** The group of events that wait for an event of any webhook. */
const anyWebhook = "";

/** The events that a `reversed` fault keeps until the next event, by the webhook of that event. */
export class ReversedEvents {
  #waiting = new Map<string, OpenDelivery[]>();

  /** @returns the time at which the oldest waiting event, and with it this one, is sent even if no other event comes. */
  add(record: OpenDelivery, delay: number, webhook = anyWebhook): number {
    const waiting = [...this.#unsent(webhook), record];
    this.#waiting.set(webhook, waiting);
    return waiting[0]?.due ?? record.at + delay;
  }

  /** Returns the events that waited for an event of this webhook, and forgets them. */
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

/** The order among attempts of the same time: reversed events are sent newest first, and before other events. */
export function orderAmongReversed({ number }: OpenDelivery): number {
  return -1 - number;
}
