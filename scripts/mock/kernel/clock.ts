/** The time of a tenant: that of the machine, moved forwards or backwards, or frozen. Nothing else reads a clock. */

/** Between these times the clock can stand: the years of which every date can be written. */
export const earliest = 0;
export const latest: number = Date.UTC(9999, 11, 31);

export interface ClockState {
  /** Milliseconds that are added to the time of the machine. */
  offset: number;
  /** The time at which the clock stands still, in milliseconds since 1970; null while it runs. */
  frozenAt: number | null;
}

export class Clock {
  readonly #machine: () => number;
  #offset = 0;
  /** Where it stands still, and whether only while something happens, so that it runs on afterwards; null while it runs. */
  #stop: { readonly at: number; readonly runsOn: boolean } | null = null;

  /** @param machine the time of the machine, in milliseconds since 1970. */
  constructor(machine: () => number = Date.now) {
    this.#machine = machine;
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#stop?.at ?? this.#machine() + this.#offset;
  }

  get isFrozen(): boolean {
    return this.#stop !== null;
  }

  /** Lets the time stand still, at a time or now. @param runsOn whether {@link run} follows at once. */
  freeze(at: number = this.now, runsOn = false): void {
    this.#stop = { at, runsOn };
  }

  /** Lets a frozen clock run on from the time at which it stands. */
  run(): void {
    if (this.#stop !== null) this.#offset = this.#stop.at - this.#machine();
    this.#stop = null;
  }

  get state(): ClockState {
    const stop = this.#stop;
    if (stop?.runsOn) return { offset: stop.at - this.#machine(), frozenAt: null };
    return { offset: this.#offset, frozenAt: stop?.at ?? null };
  }

  set state({ offset, frozenAt }: ClockState) {
    this.#offset = offset;
    this.#stop = frozenAt === null ? null : { at: frozenAt, runsOn: false };
  }
}

const units: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/**
 * Reads a length of time.
 *
 * @param text milliseconds as a number, or a text such as "90 seconds", "2 days" or "1 hour 30 minutes".
 * @returns milliseconds, never negative.
 * @throws {RangeError} when it is neither.
 */
export function toMilliseconds(text: string | number): number {
  if (typeof text === "number" && Number.isFinite(text) && text >= 0) return text;
  const parts = String(text).trim().toLowerCase();
  if (!/^(\d+(\.\d+)? ?[a-z]+[ ,]*)+$/.test(parts)) throw invalidLength(text);
  let sum = 0;
  for (const [, amount = "", unit = ""] of parts.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/g)) {
    const factor =
      units[unit.replace(/s$/, "")] ??
      units[{ ms: "millisecond", s: "second", m: "minute", min: "minute", h: "hour", d: "day" }[unit] ?? ""];
    if (factor === undefined) throw invalidLength(text);
    sum += Number(amount) * factor;
  }
  return Math.round(sum);
}

function invalidLength(text: unknown): RangeError {
  return new RangeError(
    `${JSON.stringify(text)} is no length of time. Give milliseconds, or a text such as "2 days" or "90 seconds".`,
  );
}
