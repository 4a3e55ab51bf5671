// Compiled with a module resolution that ignores `exports`.
import { createPartnerClient, PartnerApiError, toDecimal, unwrap } from "partner-wallet-api";
import contract from "partner-wallet-api/openapi.json";
import testContract from "partner-wallet-api/openapi.test.json";
import { createClient, createTransfer } from "partner-wallet-api/operations";
import { failure } from "partner-wallet-api/testing";
import { createWebhookHandler, testEvent, toNodeListener, type WebhookEvents } from "partner-wallet-api/webhooks";

const options = { baseUrl: "https://api.example", depositBaseUrl: "https://deposits.example", apiKey: "key" };

export async function hasTransferSucceeded(): Promise<boolean> {
  const body = { destinationExternalUserId: "user-1042", amount: "10.50", currency: "eur" } as const;
  const { error } = await createTransfer(createClient(options), { body });
  return error?.outcome === undefined;
}

export async function transferIdLength(): Promise<number | undefined> {
  const body = { destinationExternalUserId: "user-1042", amount: toDecimal("10.50"), currency: "eur" } as const;
  const { data, error } = await createPartnerClient(options).createTransfer({ body });
  if (error instanceof PartnerApiError && error.errorCode === "P433") return undefined;
  return data?.transferId?.length;
}

export async function numberOfCards(): Promise<number> {
  return unwrap(
    await createPartnerClient({ ...options, edition: "test" }).listUserCards({ path: { externalUserId: "user-1042" } }),
  ).length;
}

export const isCompleted = (event: WebhookEvents["p2pTransfer"]): boolean => event.status === "SUCCESSFUL";
export const isRefused = failure("createTransfer", "P433").error.errorCode === "P433";
export const events = [testEvent("p2pTransfer"), contract.info, testContract.info];
export const listener = toNodeListener(
  createWebhookHandler({
    authorization: "token",
    on: { p2pTransfer: (event) => console.log(isCompleted(event)) },
    otherwise: "reject",
    nonconforming: "reject",
  }),
);
