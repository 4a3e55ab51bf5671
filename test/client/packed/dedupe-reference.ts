import fc from "fast-check";
import type { DedupeStore } from "partner-wallet-api/webhooks";
import { expect } from "vitest";

const keys = ["a", "b"] as const;

/** `tokenIndex` selects the token of an earlier successful claim, of any key. Without such a claim, the token is unknown. */
export type StoreOperation =
  | { readonly kind: "claim"; readonly key: string }
  | { readonly kind: "extend" | "complete" | "release"; readonly key: string; readonly tokenIndex: number }
  | { readonly kind: "wait"; readonly ms: number };

const key = fc.constantFrom(...keys);
const tokenIndex = fc.nat(7);

export const storeOperations = (maxMs: number): fc.Arbitrary<StoreOperation[]> =>
  fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("claim" as const), key }),
      fc.record({ kind: fc.constantFrom("extend" as const, "complete" as const, "release" as const), key, tokenIndex }),
      fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(maxMs) }),
    ),
    { minLength: 1, maxLength: 40 },
  );

class Reference {
  now = 0;
  readonly #claimMs: number;
  readonly #keepMs: number;
  readonly #claims = new Map<string, { token: string; expiresAt: number }>();
  readonly #doneUntil = new Map<string, number>();

  constructor(claimMs: number, keepMs: number) {
    this.#claimMs = claimMs;
    this.#keepMs = keepMs;
  }

  stateOf(key: string): "new" | "busy" | "done" {
    if ((this.#doneUntil.get(key) ?? 0) > this.now) return "done";
    return (this.#claims.get(key)?.expiresAt ?? 0) > this.now ? "busy" : "new";
  }

  isClaimedBy(key: string, token: string): boolean {
    return this.stateOf(key) === "busy" && this.#claims.get(key)?.token === token;
  }

  claim(key: string, token: string): void {
    this.#claims.set(key, { token, expiresAt: this.now + this.#claimMs });
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
    if (storeCall.kind === "wait") {
      await wait(storeCall.ms);
      reference.now += storeCall.ms;
      continue;
    }
    const { key } = storeCall;
    if (storeCall.kind === "claim") {
      const claim = await store.claim(key);
      expect(claim.state).toBe(reference.stateOf(key));
      if (claim.state !== "new") continue;
      expect(tokens).not.toContain(claim.token);
      tokens.push(claim.token);
      reference.claim(key, claim.token);
      continue;
    }
    const token = tokens[storeCall.tokenIndex] ?? "unknown-token";
    const isClaimHeld = reference.isClaimedBy(key, token);
    if (storeCall.kind === "complete") {
      await store.complete(key, token);
      reference.complete(key);
    } else if (storeCall.kind === "extend") {
      expect(await store.extend(key, token)).toBe(isClaimHeld);
      if (isClaimHeld) reference.claim(key, token);
    } else {
      expect(await store.release(key, token)).toBe(isClaimHeld);
      if (isClaimHeld) reference.release(key);
    }
  }
}
