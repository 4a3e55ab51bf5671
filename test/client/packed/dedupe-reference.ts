import fc from "fast-check";
import type { DedupeStore } from "partner-wallet-api/webhooks";
import { expect } from "vitest";

const keys = ["a", "b"] as const;

/** `token` is the index of an earlier claim of any key. */
export type StoreOperation =
  | { readonly use: "claim"; readonly key: string }
  | { readonly use: "extend" | "complete" | "release"; readonly key: string; readonly token: number }
  | { readonly use: "wait"; readonly ms: number };

const key = fc.constantFrom(...keys);
const token = fc.nat(7);

export const storeOperations = (maxMs: number): fc.Arbitrary<StoreOperation[]> =>
  fc.array(
    fc.oneof(
      fc.record({ use: fc.constant("claim" as const), key }),
      fc.record({ use: fc.constantFrom("extend" as const, "complete" as const, "release" as const), key, token }),
      fc.record({ use: fc.constant("wait" as const), ms: fc.nat(maxMs) }),
    ),
    { minLength: 1, maxLength: 40 },
  );

class Reference {
  now = 0;
  readonly #claimMs: number;
  readonly #keepMs: number;
  readonly #claims = new Map<string, { token: string; until: number }>();
  readonly #doneUntil = new Map<string, number>();

  constructor(claimMs: number, keepMs: number) {
    this.#claimMs = claimMs;
    this.#keepMs = keepMs;
  }

  state(key: string): "new" | "busy" | "done" {
    if ((this.#doneUntil.get(key) ?? 0) > this.now) return "done";
    return (this.#claims.get(key)?.until ?? 0) > this.now ? "busy" : "new";
  }

  isClaimedBy(key: string, token: string): boolean {
    return this.state(key) === "busy" && this.#claims.get(key)?.token === token;
  }

  claim(key: string, token: string): void {
    this.#claims.set(key, { token, until: this.now + this.#claimMs });
  }

  complete(key: string): void {
    this.#claims.delete(key);
    this.#doneUntil.set(key, this.now + this.#keepMs);
  }

  release(key: string): void {
    this.#claims.delete(key);
  }
}

export async function compareWithReference(
  store: DedupeStore,
  keepMs: number,
  storeCalls: readonly StoreOperation[],
  wait: (ms: number) => Promise<unknown> | unknown,
): Promise<void> {
  const reference = new Reference(store.claimMs, keepMs);
  const tokens: string[] = [];
  for (const storeCall of storeCalls) {
    if (storeCall.use === "wait") {
      await wait(storeCall.ms);
      reference.now += storeCall.ms;
      continue;
    }
    const { key } = storeCall;
    if (storeCall.use === "claim") {
      const claim = await store.claim(key);
      expect(claim.state).toBe(reference.state(key));
      if (claim.state !== "new") continue;
      expect(tokens).not.toContain(claim.token);
      tokens.push(claim.token);
      reference.claim(key, claim.token);
      continue;
    }
    const token = tokens[storeCall.token] ?? "unknown-token";
    const isHeld = reference.isClaimedBy(key, token);
    if (storeCall.use === "complete") {
      await store.complete(key, token);
      reference.complete(key);
    } else if (storeCall.use === "extend") {
      expect(await store.extend(key, token)).toBe(isHeld);
      if (isHeld) reference.claim(key, token);
    } else {
      expect(await store.release(key, token)).toBe(isHeld);
      if (isHeld) reference.release(key);
    }
  }
}
