// Imports the package, and uses a library that requires it: the types of both formats must be equal.
import { type Decimal, type PartnerApiError, type PartnerClient, unwrap } from "partner-wallet-api";
import { type CreateTransferResult, createTransfer } from "partner-wallet-api/operations";
import type { WebhookEvents } from "partner-wallet-api/webhooks";
import { amount, codeOf, event, operationsClient, refusedTransfer, wallet } from "./typed-required.cjs";

export const sameClient: PartnerClient = wallet;
export const sameAmount: Decimal = amount;
export const sameEvent: WebhookEvents["p2pTransfer"] = event;
export const sameResult: CreateTransferResult = refusedTransfer;
export const codeOfImported = (error: PartnerApiError): string | undefined => codeOf(error);

export async function numberOfCards(): Promise<number> {
  return unwrap(await wallet.listUserCards({ path: { externalUserId: "user-1042" } })).length;
}

export function transfer(): Promise<CreateTransferResult> {
  return createTransfer(operationsClient, {
    body: { destinationExternalUserId: "user-1042", amount: sameAmount, currency: "eur" },
  });
}
