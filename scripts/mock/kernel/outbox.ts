/** Stores the events of a world with their delivery states. `webhooks/deliveries.ts` delivers them. */
import type { DeliveryRecord, Event } from "../plan/data.ts";
import type { Changes } from "./changes.ts";

/** Maximum number of kept events. Events with a pending delivery are always kept. */
export const mostEvents = 1000;

export class Outbox {
  readonly #changes: Changes;
  readonly #events = new Map<number, Event>();
  readonly #deliveries = new Map<number, DeliveryRecord>();
  #fresh: Event[] = [];
  #made = 0;
  /** Whether there is a receiver. Events created without a receiver are never sent automatically. */
  isOpen = true;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** In the order of creation. */
  get events(): readonly Event[] {
    return [...this.#events.values()];
  }

  /** The stored delivery states. An event that is not sent has a state from the start, any other event from its first attempt. */
  get deliveries(): readonly DeliveryRecord[] {
    return [...this.#deliveries.values()];
  }

  deliveryOf(number: number): DeliveryRecord | undefined {
    return this.#deliveries.get(number);
  }

  /** Returns the events created since the last call. */
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

  /** Stores the state of a delivery. It cannot be rolled back, since the attempt was already made. */
  settle(delivery: DeliveryRecord): void {
    this.#deliveries.set(delivery.number, delivery);
    this.#changes.note(`delivery ${delivery.number}`, "deliveries", delivery);
    try {
      this.#changes.tell();
    } catch {
      // The change stays recorded for the next attempt to write it, and the journal has reported the problem.
    }
  }

  load(event: Event): void {
    this.#events.set(event.number, event);
    this.#fresh.push(event);
    this.#made = Math.max(this.#made, event.number + 1);
  }

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
