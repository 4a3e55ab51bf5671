import type { OpenDelivery } from "./open-delivery.ts";

/** The key of the events that wait for an event of any webhook. */
const anyWebhook = "";

/** A `reversed` fault holds back an event until the next event of a webhook. The events are grouped by the name of this webhook. */
export class ReversedEvents {
  #waitingEvents = new Map<string, OpenDelivery[]>();

  /**
   * @param delay the maximum waiting time in milliseconds.
   * @returns when the event is sent if no event of the webhook follows: the due time of the oldest event in the group, in milliseconds
   * since 1970.
   */
  add(record: OpenDelivery, delay: number, webhook = anyWebhook): number {
    const waitingEvents = [...this.#unsentEvents(webhook), record];
    this.#waitingEvents.set(webhook, waitingEvents);
    return waitingEvents[0]?.due ?? record.at + delay;
  }

  /** Removes and returns the events that were waiting for an event of this webhook. */
  take(webhook: string): OpenDelivery[] {
    const groups = [anyWebhook, webhook];
    const takenEvents = groups.flatMap((group) => this.#unsentEvents(group));
    for (const group of groups) this.#waitingEvents.delete(group);
    return takenEvents;
  }

  #unsentEvents(group: string): OpenDelivery[] {
    return (this.#waitingEvents.get(group) ?? []).filter(({ tries }) => tries === 0);
  }
}

/** The order of a reversed event among attempts with the same due time: newest first, and before all other events. */
export function orderAmongReversed({ number }: OpenDelivery): number {
  return -1 - number;
}
