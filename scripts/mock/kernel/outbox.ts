import type { DeliveryRecord, Event } from "../plan/data.ts";
import type { Transactions } from "./transactions.ts";

/** The number of newest events that are always kept. Older ones are removed from time to time, except while their delivery is pending. */
export const maxEvents = 1000;

export class Outbox {
  readonly #transactions: Transactions;
  readonly #events = new Map<number, Event>();
  readonly #deliveries = new Map<number, DeliveryRecord>();
  #newEvents: Event[] = [];
  #nextNumber = 0;
  /** Whether events have a receiver. An event that is created without a receiver is never sent automatically. */
  hasReceiver = true;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  get events(): readonly Event[] {
    return [...this.#events.values()];
  }

  get deliveries(): readonly DeliveryRecord[] {
    return [...this.#deliveries.values()];
  }

  deliveryOf(number: number): DeliveryRecord | undefined {
    return this.#deliveries.get(number);
  }

  takeNew(): readonly Event[] {
    const events = this.#newEvents;
    this.#newEvents = [];
    if (this.#events.size >= 2 * maxEvents) this.#forgetOldest();
    return events;
  }

  add(webhook: string, time: number, body: string): void {
    const previousNumber = this.#nextNumber;
    const event: Event = {
      number: previousNumber,
      webhook,
      at: time,
      body,
      ...(this.hasReceiver ? {} : { isUndelivered: true }),
    };
    this.load(event);
    const undo = () => {
      this.#newEvents.pop();
      this.#events.delete(event.number);
      this.#nextNumber = previousNumber;
    };
    this.#transactions.record(undo);
  }

  /** A rollback does not undo this, because deliveries are not part of a transaction. */
  storeDelivery(delivery: DeliveryRecord): void {
    this.#deliveries.set(delivery.number, delivery);
    this.#transactions.onChange?.();
  }

  load(event: Event): void {
    this.#events.set(event.number, event);
    this.#newEvents.push(event);
    this.#nextNumber = Math.max(this.#nextNumber, event.number + 1);
  }

  loadDelivery(delivery: DeliveryRecord): void {
    this.#deliveries.set(delivery.number, delivery);
  }

  #forgetOldest(): void {
    for (const { number, isUndelivered } of [...this.#events.values()].slice(0, -maxEvents)) {
      const state = this.#deliveries.get(number)?.state ?? (isUndelivered ? "undelivered" : "pending");
      if (state === "pending") continue;
      this.#events.delete(number);
      this.#deliveries.delete(number);
    }
  }
}
