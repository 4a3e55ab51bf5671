import { checkNames } from "../../base/check-names.ts";
import { maxTimerMs } from "../../base/deadline.ts";

/**
 * Stores which events were handled. The service may deliver an event more than once, and two processes may receive it at the same time. A
 * claim expires after `claimMs`, so that an event is not lost when the process that claimed it ends. While the event is being handled, its
 * claim is extended every third of `claimMs`. If the process ends before the event is handled, deliveries of the event get a 503 until the
 * claim has expired.
 */
export interface DedupeStore {
  /** Duration of a claim in milliseconds, unless it is extended: a whole number from 1 to 2147483647. */
  readonly claimMs: number;
  /**
   * Claims an event. `new`: this call has claimed it, with a unique token. `busy`: another call holds the claim. `done`: the event was
   * handled.
   */
  claim(key: string): Promise<Claimed>;
  /**
   * Extends the claim with this token until `claimMs` from now. Resolves to false, without a change, when the claim has expired, another
   * call holds a claim, or the event was handled.
   */
  extend(key: string, token: string): Promise<boolean>;
  /** Marks the event as handled, regardless of the current claim. May be called again after it rejected. */
  complete(key: string, token: string): Promise<void>;
  /**
   * Removes the claim with this token, so that the next delivery can claim the event. Resolves to false, without a change, when the claim
   * has expired, another call holds it, or the event was handled.
   */
  release(key: string, token: string): Promise<boolean>;
}

/** The result of {@link DedupeStore.claim}. */
export type Claimed = { state: "new"; token: string } | { state: "busy" } | { state: "done" };

/**
 * Default durations in milliseconds. The specification does not state how long the service repeats a delivery; a day is assumed to be
 * longer.
 */
export const storeDefaults: { readonly keepMs: number; readonly claimMs: number } = {
  keepMs: 24 * 60 * 60 * 1000,
  claimMs: 60_000,
};

export function checkStore(store: unknown): asserts store is DedupeStore {
  const members = (store ?? {}) as Record<string, unknown>;
  const missingMethods = ["claim", "extend", "complete", "release"].filter(
    (name) => typeof members[name] !== "function",
  );
  if (missingMethods.length > 0) {
    throw new TypeError(
      `dedupe has no method ${missingMethods.join(", ")}. Give createMemoryStore() or createRedisStore(client) of partner-wallet-api/webhooks, an object with all methods of DedupeStore, or false.`,
    );
  }
  if (!isWholeNumber(members.claimMs) || members.claimMs > maxTimerMs) {
    throw new TypeError(`claimMs of dedupe must be a whole number of milliseconds from 1 to ${maxTimerMs}.`);
  }
}

export function checkStoreOptions<Options extends object>(options: unknown, defaults: Options): Options {
  const optionNames = Object.keys(defaults);
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`The options must be an object with some of ${optionNames.join(", ")}, or left out.`);
  }
  checkNames("option", options, optionNames);
  const givenEntries = Object.entries(options).filter(([, value]) => value !== undefined);
  const checkedOptions = { ...defaults, ...Object.fromEntries(givenEntries) };
  for (const [name, value] of Object.entries(checkedOptions)) {
    const isNumber = typeof defaults[name as keyof Options] === "number";
    if (isNumber && !isWholeNumber(value)) throw new TypeError(`${name} must be a whole number above 0.`);
    if (!isNumber && typeof value !== "string") throw new TypeError(`${name} must be a text.`);
  }
  return checkedOptions;
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
