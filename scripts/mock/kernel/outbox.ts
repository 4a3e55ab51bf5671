/** The events of a world, with the state of their delivery. How they are delivered is not known here. */
import type { DeliveryRecord, Event } from "../plan/data.ts";
import type { Changes } from "./changes.ts";

/** How many events are kept. One whose delivery is pending is kept even when it is older. */
export const mostEvents = 1000;

export class Outbox {
  readonly #changes: Changes;
  readonly #events = new Map<number, Event>();
  readonly #deliveries = new Map<number, DeliveryRecord>();
  /** Those that nobody has taken yet. */
  #fresh: Event[] = [];
  #made = 0;
  /** Whether there is somewhere to send events to. One that comes about otherwise is never sent by itself. */
  isOpen = true;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** In the order in which they came about. */
  get events(): readonly Event[] {
    return [...this.#events.values()];
  }

  /** The deliveries of events for which an attempt was made or that are not sent. */
  get deliveries(): readonly DeliveryRecord[] {
    return [...this.#deliveries.values()];
  }

  deliveryOf(number: number): DeliveryRecord | undefined {
    return this.#deliveries.get(number);
  }

  /** Those that came about since the last call. */
  take(): readonly Event[] {
    const events = this.#fresh;
    this.#fresh = [];
    if (this.#events.size >= 2 * mostEvents) this.#forgetOldest();
    return events;
  }

  add(webhook: string, at: number, body: string): void {
    const before = this.#made;
    const event: Event = { number: before, webhook, at, body, ...(this.isOpen ? {} : { isUndelivered: true }) };
    this.load(event);
    const undo = () => {
      this.#fresh.pop();
      this.#events.delete(event.number);
      this.#made = before;
    };
    this.#changes.record(undo, "events", event);
  }

  /** Keeps the state of a delivery, which cannot be taken back. */
  settle(delivery: DeliveryRecord): void {
    this.#deliveries.set(delivery.number, delivery);
    this.#changes.note(`delivery ${delivery.number}`, "deliveries", delivery);
    try {
      this.#changes.tell();
    } catch {
      // It is part of the next unit. Whoever keeps the units says that this one could not be kept.
    }
  }

  /** Puts an event in, with the number that it has already. */
  load(event: Event): void {
    this.#events.set(event.number, event);
    this.#fresh.push(event);
    this.#made = Math.max(this.#made, event.number + 1);
  }

  /** Puts the state of a delivery in. */
  loadDelivery(delivery: DeliveryRecord): void {
    this.#deliveries.set(delivery.number, delivery);
  }

  #forgetOldest(): void {
    for (const { number, isUndelivered } of [...this.#events.values()].slice(0, -mostEvents)) {
      const state = this.#deliveries.get(number)?.state ?? (isUndelivered ? "undelivered" : "pending");
      if (state === "pending") continue;
      this.#events.delete(number);
      this.#deliveries.delete(number);
    }
  }
}
