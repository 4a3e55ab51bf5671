/** The clock of a tenant: the machine's time plus an offset, or a frozen time. */

import type { ClockState } from "../plan/data.ts";

export class Clock {
  readonly #machine: () => number;
  #offset = 0;
  /** The time at which the clock is stopped; null while it runs. During a temporary stop, {@link state} describes a running clock. */
  #stop: { readonly at: number; readonly isTemporary: boolean } | null = null;

  onMove: (() => void) | undefined;

  constructor(machine: () => number = Date.now) {
    this.#machine = machine;
  }

  get now(): number {
    return this.#stop?.at ?? this.#machine() + this.#offset;
  }

  get isFrozen(): boolean {
    return this.#stop !== null;
  }

  freeze(at: number = this.now, isTemporary = false): void {
    this.#stop = { at, isTemporary };
    this.onMove?.();
  }

  run(): void {
    if (this.#stop === null) return;
    this.#offset = this.#stop.at - this.#machine();
    this.#stop = null;
    this.onMove?.();
  }

  get state(): ClockState {
    const stop = this.#stop;
    if (stop?.isTemporary) return { offset: stop.at - this.#machine(), frozenAt: null };
    return { offset: this.#offset, frozenAt: stop?.at ?? null };
  }

  set state({ offset, frozenAt }: ClockState) {
    this.#offset = offset;
    this.#stop = frozenAt === null ? null : { at: frozenAt, isTemporary: false };
  }
}
