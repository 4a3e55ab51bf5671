/** The limits of the design that guides state. A world can break them on purpose. */
import type { Policy, StoredPayment } from "../../../../scripts/client/src/payments/protocol.ts";
import type { View } from "./model.ts";
import { type Effect, timeAt, type World } from "./service.ts";

const minute = 60_000;

export const lastAttemptOf = ({ data }: StoredPayment) =>
  (JSON.parse(data) as { attempts: { number: number; at: number }[] }).attempts.at(-1);

/** The returned function names the stated limit that the world has broken for a payment; undefined if there is none. */
export function limitsOf(world: World, policy: Policy) {
  // A record shows neither the other user of a transfer nor the address of a withdrawal, so such payments look equal.
  const looksEqual = (differingMember: string | undefined) =>
    differingMember === undefined ||
    differingMember === "address" ||
    (differingMember === "user" && world.operation === "between");
  const hasEqualOtherPayment = world.otherPayments.some(
    ({ paidAt, differingMember }) => paidAt === "meanwhile" && looksEqual(differingMember),
  );
  // A record of the last 15 minutes that was left out before the payment was sent looks like a new one.
  const canMissOtherPayment =
    world.omission !== "never" && world.otherPayments.some(({ paidAt }) => typeof paidAt === "number" && paidAt > -15);

  /**
   * Whether another program has made an equal payment up to the time at which the last attempt can have its effect. The time of the first
   * attempt is not known, because attempts without an effect are removed from the row.
   */
  function isPaidByOther(row: StoredPayment, { effects }: View<StoredPayment>): boolean {
    const { timeoutMs, maxSendDelayMs, allowanceMs } = policy;
    const { createdAt, decided } = JSON.parse(row.data) as { createdAt: number; decided?: { decision: string } };
    // Before a repeat that a person decided, evidence of any time counts.
    if (decided?.decision === "repeat") return true;
    const latestTime = (lastAttemptOf(row)?.at ?? createdAt) + timeoutMs + maxSendDelayMs + allowanceMs;
    return effects.some(
      ({ paymentIndex, differingMember, effectAt }) =>
        paymentIndex === null &&
        looksEqual(differingMember) &&
        timeAt(world, effectAt, world.clocks.service) <= latestTime,
    );
  }

  return (
    row: StoredPayment | undefined,
    ownEffects: readonly Effect[],
    view: View<StoredPayment>,
  ): string | undefined => {
    const repeatAfterMs = policy.repeatAfterMs;
    const isOtherPossible =
      canMissOtherPayment ||
      (hasEqualOtherPayment && (row === undefined || row.isContradicted || isPaidByOther(row, view)));
    if (isOtherPossible && policy.evidence === "matching") return "another program pays the same to the same user";
    if (repeatAfterMs === null) return undefined;
    if (world.omission === "unseen") return "a history leaves records out and does not show it";
    return ownEffects.some(({ recordDelay }) => recordDelay === null || recordDelay * minute > repeatAfterMs)
      ? "a record comes later than repeatAfter"
      : undefined;
  };
}
