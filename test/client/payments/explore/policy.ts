import type { Policy } from "../../../../scripts/client/src/payments/protocol.ts";

/** The policy of a partner without options, with changes. */
export const policyOf = (change: Partial<Policy> = {}): Policy => ({
  edition: "test",
  lookForMs: 0,
  repeatAfterMs: null,
  allowanceMs: 15 * 60_000,
  timeoutMs: 30_000,
  maxSendDelayMs: 60_000,
  evidence: "matching",
  ...change,
});
