/** Runs payments from the intent to a final state. Each step is stored before the next begins, so that any process can continue. */
import { lookups } from "../entries/lookups.ts";
import { isIn } from "../operation.ts";
import { Evidence, type EvidenceOptions, type RecordMatch, skewMs } from "./evidence.ts";
import type { PaymentKind, PreparedRequest } from "./intents.ts";
import { digest, keyOfEvent, keysOf, type ReceivedRecord } from "./lookup.ts";
import {
  type AcceptedAs,
  type Data,
  type Decision,
  markAccepted,
  type Row,
  toProblem,
  toRow,
  toStored,
} from "./payment.ts";
import type { PaymentState, PaymentStore } from "./store.ts";

export interface EngineOptions extends EvidenceOptions {
  readonly store: PaymentStore;
  readonly lookForMs: number;
  /** Undefined when an unclear payment is never sent again. */
  readonly repeatAfterMs: number | undefined;
}

/**
 * Milliseconds after which no further record of a payment is expected, unless `repeatAfter` is longer. Until then, the payment blocks
 * payments with an equal key.
 */
const recordWithinMs = 30 * 60_000;

/** Thrown when another process has leased the payment. */
class Lost extends Error {}

export class Engine {
  readonly #options: EngineOptions;
  readonly #evidence: Evidence;
  readonly #name = crypto.randomUUID();
  readonly #leaseMs: number;
  readonly #busy = new Map<string, Promise<Row>>();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#evidence = new Evidence(options);
    this.#leaseMs = Math.max(5000, 4 * options.timeoutMs);
  }

  async begin(kind: PaymentKind, reference: string, { operation, body }: PreparedRequest): Promise<Row> {
    const fingerprint = await digest([reference, operation, Object.entries(body).sort()]);
    let row = await this.read(reference);
    if (row === undefined) {
      const { operation: called } = lookups[operation];
      if (!isIn(this.#options.client.edition, called))
        throw new TypeError(`${kind}: ${operation} needs a client of the edition ${called.edition}.`);
      row = await this.#create(kind, reference, { operation, body }, fingerprint);
    }
    if (row.data.fingerprint !== fingerprint) {
      throw new TypeError(`${kind}: another payment has this reference. Give each payment a reference of its own.`);
    }
    return row.state === "pending" ? this.#work(reference, this.#options.lookForMs) : row;
  }

  async read(reference: string): Promise<Row | undefined> {
    const stored = await this.#options.store.read(reference);
    return stored && toRow(stored);
  }

  async *list(states: readonly PaymentState[]): AsyncGenerator<Row, void, undefined> {
    for (let after = ""; ; ) {
      const page = await this.#options.store.list(states, after, 200);
      yield* page.map(toRow);
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.reference;
    }
  }

  async look(row: Row): Promise<Row> {
    if (row.state === "accepted") {
      const end = await this.#evidence.finalResult(row);
      if (end === undefined) return row;
      return this.#change(row.reference, (now) => markAccepted(now, end));
    }
    return this.#work(row.reference, 0);
  }

  async observe(name: string, event: ReceivedRecord): Promise<Row | undefined> {
    const operations = Object.keys(lookups) as (keyof typeof lookups)[];
    const [first] = operations.filter((operation) => lookups[operation].webhook.name === name);
    if (first === undefined) return undefined;
    const { webhook, ends } = lookups[first];
    const id = typeof event[webhook.id] === "string" ? (event[webhook.id] as string) : undefined;
    const row = id === undefined ? undefined : await this.#options.store.withId(id);
    const found = { id, isSuccess: ends[String(event.status)] };
    if (row !== undefined) return this.#change(row.reference, (now) => markAccepted(now, found));
    let key = await keyOfEvent(lookups[first], event);
    let shown: ReceivedRecord | undefined = event;
    if (key === undefined && id !== undefined) {
      // The event of a failed payment may lack the members that `keyOfEvent` needs.
      shown = await this.#evidence.details(first, id);
      key = shown && (await keyOfEvent(lookups[first], shown));
    }
    if (key === undefined) return undefined;
    const made = Date.parse(String(shown?.createdAt));
    const candidates = (await this.#options.store.withEvent(key)).map(toRow).filter(({ state, data }) => {
      const isSent = data.attempts > 0 && (state !== "refused" || data.decided === "abandon");
      return isSent && !(made < data.createdAt - skewMs);
    });
    const [only, ...others] = candidates;
    if (only === undefined || others.length > 0) return undefined;
    return this.#change(only.reference, (now) => (now.id === null ? markAccepted(now, found) : undefined));
  }

  async decide(reference: string, decision: Decision): Promise<Row> {
    const row = await this.#change(reference, (now) => {
      const isUnsent = now.state === "pending" && now.data.step === "waiting" && decision === "abandon";
      if (now.state !== "unclear" && !isUnsent) {
        throw new TypeError(`decide: the payment is ${now.state}, and not unclear: there is nothing to decide.`);
      }
      const decided = { ...now.data, decided: decision, reason: undefined };
      if (decision === "abandon") return refuse({ ...now, data: decided });
      if (decision === "repeat") return { ...now, state: "pending", data: { ...decided, step: "waiting" } };
      return markAccepted({ ...now, data: decided });
    });
    return decision === "repeat" ? this.#work(reference, this.#options.lookForMs) : row;
  }

  async #create(kind: PaymentKind, reference: string, request: PreparedRequest, fingerprint: string): Promise<Row> {
    const row: Row = {
      ...{ reference, version: 1, state: "pending", holds: false, id: null, leasedBy: null, leasedUntil: 0 },
      ...(await keysOf(lookups[request.operation], request.body)),
      data: { kind, ...request, fingerprint, step: "waiting", attempts: 0, createdAt: this.#options.clock.now() },
    };
    // Another process may have stored the payment at the same time.
    await this.#options.store.write(toStored(row));
    return this.#known(reference);
  }

  async #known(reference: string): Promise<Row> {
    const row = await this.read(reference);
    if (row === undefined) throw new TypeError("There is no payment with this reference.");
    return row;
  }

  /** Changes a payment regardless of its lease. */
  async #change(reference: string, change: (now: Row) => Row | undefined): Promise<Row> {
    for (;;) {
      const now = await this.#known(reference);
      const next = change(now);
      if (next === undefined) return now;
      const changed = { ...next, version: now.version + 1 };
      const outcome = await this.#options.store.write(toStored(changed));
      if (outcome === "written") return changed;
      // Another payment has the identifier or a key.
      if (outcome === "taken") return now;
    }
  }

  /** Changes a payment that this process has leased, and renews the lease. */
  async #step(row: Row, change: (now: Row) => Row): Promise<Row> {
    return this.#change(row.reference, (now) => {
      if (now.leasedBy !== this.#name) throw new Lost();
      return { ...change(now), leasedUntil: this.#options.clock.now() + this.#leaseMs };
    });
  }

  /** Calls in this process for the same payment share one run. */
  #work(reference: string, patienceMs: number): Promise<Row> {
    const busy = this.#busy.get(reference);
    if (busy !== undefined) return busy;
    const work = this.#run(reference, patienceMs).finally(() => this.#busy.delete(reference));
    this.#busy.set(reference, work);
    return work;
  }

  async #run(reference: string, patienceMs: number): Promise<Row> {
    const { clock } = this.#options;
    const until = clock.now() + patienceMs;
    for (let turn = 0; ; turn += 1) {
      const row = await this.#lease(reference);
      if (row.leasedBy === this.#name) {
        try {
          return await this.#advance(row, until);
        } catch (cause) {
          if (!(cause instanceof Lost)) throw cause;
        }
      } else if (row.state !== "pending") return row;
      if (clock.now() >= until) return this.#known(reference);
      await clock.wait(pauseAfter(turn));
    }
  }

  async #lease(reference: string): Promise<Row> {
    return this.#change(reference, (now) => {
      const time = this.#options.clock.now();
      const isFree = now.leasedBy === null || now.leasedBy === this.#name || now.leasedUntil <= time;
      const isOpen = now.state === "pending" || now.state === "unclear";
      if (!isFree || !isOpen) return undefined;
      return { ...now, leasedBy: this.#name, leasedUntil: time + this.#leaseMs };
    });
  }

  async #advance(row: Row, until: number): Promise<Row> {
    const { step } = row.data;
    if (row.state === "unclear") return this.#lookOnce(row);
    if (step === "waiting") return this.#send(row, until);
    // The step `sending` means that a process ended while it was sending. The outcome is unknown.
    return step === "sending" ? this.#startLooking(row) : this.#lookFor(row);
  }

  async #send(row: Row, until: number): Promise<Row> {
    const { clock } = this.#options;
    let held = row;
    for (let turn = 0; !held.holds; turn += 1) {
      const blocker = await this.#blockerOf(held);
      if (blocker === undefined) held = await this.#step(held, (now) => ({ ...now, holds: true }));
      else if (clock.now() < until) await clock.wait(pauseAfter(turn));
      else return this.#leave(held, { reason: `An equal payment is open: ${blocker.reference}.` });
    }
    let known = held.data.known;
    if (known === undefined) {
      const sides: Record<string, string[]> = {};
      for (const source of this.#evidence.sources(held)) {
        const result = await this.#evidence.matchingRecords(held, source);
        if ("error" in result) {
          const { error } = result;
          const problem = toProblem(error);
          // The payment is refused too if its operation has the same P-code, such as that of an unknown user.
          const refusals = Object.values(lookups[held.data.operation].operation.responses).flat();
          const isRefused = error.outcome === "refused" && refusals.some((code) => code === error.errorCode);
          if (isRefused) return this.#end(held, { problem });
          return this.#leave(held, { problem, reason: "The history could not be read, so that nothing was sent." });
        }
        sides[source.column] = result.records.map(({ id }) => String(id));
      }
      known = sides;
    }
    const begun = clock.now();
    const sent = await this.#step(held, (now) => {
      // An event may have changed the state since the payment was read.
      if (now.state !== "pending") return now;
      const attempts = now.data.attempts + 1;
      return { ...now, data: { ...now.data, step: "sending", attempts, known, sentAt: begun, problem: undefined } };
    });
    // Nothing is sent before the step is stored.
    if (sent.data.step !== "sending") return this.#leave(sent, {});
    // The lease could end before the call does, and another process could send the payment too.
    if (clock.now() - begun > this.#leaseMs / 3) {
      return this.#leave(sent, { reason: "The process was held up, so that nothing was sent." });
    }
    const { operation, created } = lookups[sent.data.operation];
    const { data, error } = await this.#evidence.call(operation, { body: sent.data.body });
    if (error === undefined) return this.#accept(sent, { id: String((data as ReceivedRecord)[created]) });
    const problem = toProblem(error);
    if (error.outcome === "refused" || error.kind === "invalid-request") return this.#end(sent, { problem });
    if (error.outcome === "not-sent") return this.#leave(sent, { problem, reason: "Nothing was sent." });
    return this.#startLooking(sent);
  }

  /** Finds another payment with an equal key whose record may still appear. */
  async #blockerOf(row: Row): Promise<Row | undefined> {
    const holders = (await this.#options.store.holders(row)).map(toRow);
    for (const holder of holders) {
      if (!(await this.#settle(holder))) return holder;
    }
    return undefined;
  }

  /**
   * Stores the records of a payment whose outcome is known, so that they are not attributed to another payment. Resolves to true, and
   * releases the keys, when all records were found or no more are expected.
   */
  async #settle(holder: Row): Promise<boolean> {
    const { state, data } = holder;
    if (state === "pending" || state === "unclear") return false;
    const sources = this.#evidence.sources(holder);
    const missing = sources.filter(({ column }) => data.records?.[column] === undefined);
    const found = await Promise.all(missing.map((source) => this.#evidence.look(holder, [source])));
    const records = found.filter((one): one is RecordMatch => typeof one === "object");
    const patience = Math.max(recordWithinMs, this.#options.repeatAfterMs ?? 0);
    const isLate = this.#options.clock.now() - (data.sentAt as number) > patience;
    if (!isLate && records.length < missing.length) return false;
    await this.#change(holder.reference, (now) => ({ ...withRecords(now, records), holds: false }));
    return true;
  }

  async #startLooking(row: Row): Promise<Row> {
    const { clock, lookForMs } = this.#options;
    const looking = await this.#step(row, (now) => {
      if (now.state !== "pending") return now;
      return { ...now, data: { ...now.data, step: "looking", lookedUntil: clock.now() + lookForMs } };
    });
    return this.#lookFor(looking);
  }

  async #lookFor(row: Row): Promise<Row> {
    const { clock } = this.#options;
    let now = row;
    for (let turn = 0; now.state === "pending"; turn += 1) {
      const found = await this.#evidence.look(now);
      if (typeof found === "object") return this.#accept(now, found, [found]);
      const left = (now.data.lookedUntil as number) - clock.now();
      if (left <= 0) {
        return this.#step(now, (open) => {
          if (open.state !== "pending") return free(open);
          return free({ ...open, state: "unclear", data: { ...open.data, step: "done", reason: reasons[found] } });
        });
      }
      await clock.wait(Math.min(pauseAfter(turn), left));
      // Reads changes made by an event, and renews the lease.
      now = await this.#step(now, (open) => open);
    }
    return this.#leave(now, {});
  }

  async #lookOnce(row: Row): Promise<Row> {
    const { clock, repeatAfterMs, timeoutMs, lookForMs } = this.#options;
    const found = await this.#evidence.look(row);
    if (typeof found === "object") return this.#accept(row, found, [found]);
    const isOver =
      clock.now() - (row.data.sentAt as number) > (repeatAfterMs ?? Infinity) + timeoutMs + this.#leaseMs / 3;
    // A history that cannot be read is no evidence that the payment was not made.
    if (found === "unseen" || !isOver) return this.#leave(row, { reason: reasons[found] });
    const again = await this.#step(row, (now) =>
      now.state === "unclear" ? { ...now, state: "pending", data: { ...now.data, step: "waiting" } } : now,
    );
    return again.state === "pending" ? this.#send(again, clock.now() + lookForMs) : this.#leave(again, {});
  }

  async #accept(row: Row, found: AcceptedAs, records: readonly RecordMatch[] = []): Promise<Row> {
    const sources = this.#evidence.sources(row);
    const accepted = await this.#step(row, (now) => {
      const next = withRecords(markAccepted(now, found), records);
      return free({ ...next, holds: !sources.every(({ column }) => next.data.records?.[column]) });
    });
    if (accepted.data.step === "done") return accepted;
    // Nothing was written, because another payment has the identifier. An identifier from a record means that the record belongs to the
    // other payment. With an identifier from a response, this payment is accepted without the identifier.
    return this.#step(accepted, (now) => free(records.length > 0 ? withKnown(now, records) : markAccepted(now)));
  }

  #end(row: Row, { problem }: Pick<Data, "problem">): Promise<Row> {
    return this.#step(row, (now) =>
      now.state === "pending" ? refuse({ ...now, data: { ...now.data, problem } }) : free(now),
    );
  }

  /** Ends the lease, so that a later run continues the payment. `sending` becomes `waiting`, because nothing was sent. */
  #leave(row: Row, about: Pick<Data, "reason" | "problem">): Promise<Row> {
    return this.#step(row, (now) => {
      const { step } = now.data;
      const data = { ...now.data, ...about, step: step === "sending" ? ("waiting" as const) : step };
      return free({ ...now, data });
    });
  }
}

const reasons = {
  none: "The response was lost, and no record of the payment was found. It may still appear.",
  unseen: "The response was lost, and no history can be read that would show the payment. Its event would.",
} as const;

function withRecords(row: Row, found: readonly RecordMatch[]): Row {
  const records = { ...row.data.records, ...Object.fromEntries(found.map(({ column, record }) => [column, record])) };
  return { ...row, data: { ...row.data, records } };
}

function withKnown(row: Row, found: readonly RecordMatch[]): Row {
  const { known } = row.data;
  const more = found.map(({ column, record }) => [column, [...(known?.[column] ?? []), record]]);
  return { ...row, data: { ...row.data, known: { ...known, ...Object.fromEntries(more) } } };
}

/** Releases the keys, so that an equal payment can be sent. */
function refuse(row: Row): Row {
  const { reason, problem } = row.data;
  const { data } = markAccepted(row);
  return free({ ...row, state: "refused", holds: false, data: { ...data, reason, problem } });
}

function free(row: Row): Row {
  return { ...row, leasedBy: null, leasedUntil: 0 };
}

function pauseAfter(turn: number): number {
  return Math.min(250 * 2 ** turn, 15_000);
}
