/** The machine's time plus an offset, or a frozen time. */

import type { ClockState } from "../plan/data.ts";

export class Clock {
  readonly #machineTime: () => number;
  #offset = 0;
  /** The time at which the clock is stopped; null while it runs. During a temporary stop, {@link state} describes a running clock. */
  #stop: { readonly stopTime: number; readonly isTemporary: boolean } | null = null;

  onMove: (() => void) | undefined;

  constructor(machineTime: () => number = Date.now) {
    this.#machineTime = machineTime;
  }

  get now(): number {
    return this.#stop?.stopTime ?? this.#machineTime() + this.#offset;
  }

  get isFrozen(): boolean {
    return this.#stop !== null;
  }

  freeze(stopTime: number = this.now, isTemporary = false): void {
    this.#stop = { stopTime, isTemporary };
    this.onMove?.();
  }

  run(): void {
    if (this.#stop === null) return;
    this.#offset = this.#stop.stopTime - this.#machineTime();
    this.#stop = null;
    this.onMove?.();
  }

  get state(): ClockState {
    const stop = this.#stop;
    if (stop?.isTemporary) return { offset: stop.stopTime - this.#machineTime(), frozenAt: null };
    return { offset: this.#offset, frozenAt: stop?.stopTime ?? null };
  }

  set state({ offset, frozenAt }: ClockState) {
    this.#offset = offset;
    this.#stop = frozenAt === null ? null : { stopTime: frozenAt, isTemporary: false };
  }
}
