/** The time of a tenant: that of the machine, moved forwards or backwards, or frozen. Nothing else reads a clock. */

import type { ClockState } from "../plan/data.ts";

export class Clock {
  readonly #machine: () => number;
  #offset = 0;
  /** Where it stands still, and whether only while something happens, so that it runs on afterwards; null while it runs. */
  #stop: { readonly at: number; readonly runsOn: boolean } | null = null;

  /** Called after it was moved, stopped or started, with what it was before. */
  onMove: ((before: ClockState) => void) | undefined;

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
    const before = this.state;
    this.#stop = { at, runsOn };
    this.onMove?.(before);
  }

  /** Lets a frozen clock run on from the time at which it stands. */
  run(): void {
    if (this.#stop === null) return;
    const before = this.state;
    this.#offset = this.#stop.at - this.#machine();
    this.#stop = null;
    this.onMove?.(before);
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
