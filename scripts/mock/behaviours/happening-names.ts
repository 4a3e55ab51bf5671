/** What each happening can be told, by name. What is not listed is refused, so that a slip of the pen is noticed. */

import type { Plan } from "../plan/plan.ts";
import type { ResourceData } from "./records.ts";

interface Names {
  /** The resource whose id can be given. */
  readonly subject?: keyof ResourceData & string;
  readonly others?: readonly string[];
}

const owner = "externalUserId";

const names: Readonly<Record<string, Names>> = {
  "card.activationIsRequired": { subject: "card", others: ["code"] },
  "card.cardIsBlocked": { subject: "card", others: ["status"] },
  "card.cardIsReleased": { subject: "card" },
  "card.codeIsRequired": { subject: "card", others: ["code"] },
  "cardTransaction.cardIsUsed": { subject: "card", others: ["type", "amount", "currency", "merchant"] },
  "cardTransaction.paymentIsSettled": { subject: "cardTransaction", others: ["status"] },
  "cryptoDeposit.depositArrives": {
    others: ["wallet", owner, "currency", "network", "amount", "from", "transactionHash", "status"],
  },
  "cryptoDeposit.depositIsChecked": { subject: "cryptoDeposit", others: ["status"] },
  "cryptoDeposit.depositIsDecided": { subject: "cryptoDeposit", others: ["status"] },
  "cryptoDeposit.depositIsReleased": { subject: "cryptoDeposit", others: ["status"] },
  "exchangeLock.lockExpires": { subject: "exchangeLock" },
  "fiatBalance.balanceIsActivated": { others: [owner] },
  "iban.ibanIsDecided": { subject: "iban", others: ["status"] },
  "iban.ibanIsRequested": { others: [owner] },
  "kycVerification.attemptIsChecked": { subject: "kycVerification" },
  "kycVerification.kycIsDecided": { subject: "kycVerification", others: ["status", "rejectionReason"] },
  "order.addressIsAssigned": {
    subject: "order",
    others: ["walletAddress", "confirmations", "receivedAmount", "transactionHash"],
  },
  "order.paymentIsConfirmed": { subject: "order", others: ["status"] },
  "orderLock.lockExpires": { subject: "orderLock" },
  "paymentLink.linkExpires": { subject: "paymentLink" },
  "paymentLink.paymentArrives": {
    subject: "paymentLink",
    others: ["cryptocurrency", "network", "receivedAmount", "transactionHash"],
  },
  "paymentLink.paymentIsConfirmed": { subject: "paymentLink", others: ["status"] },
  "riskVerification.riskIsChecked": { others: [owner] },
  "riskVerification.riskIsDecided": { subject: "riskVerification", others: ["status"] },
  "sepaDeposit.depositArrives": {
    others: [owner, "transferTitle", "amount", "currency", "sourceAccountNumber", "issuer", "status"],
  },
  "sepaDeposit.depositIsDecided": { subject: "sepaDeposit", others: ["status"] },
  "user.addressIsDecided": { others: [owner, "status"] },
  "wallet.walletIsCreated": { others: [owner, "currency"] },
};

/**
 * The names that a happening can be told.
 *
 * @param happening as `resource.happening`.
 */
export function namesOf({ resources }: Pick<Plan, "resources">, happening: string): readonly string[] {
  const { subject, others = [] } = names[happening] ?? {};
  const id = subject && resources[subject]?.id;
  return id === undefined ? others : [id, ...others];
}
