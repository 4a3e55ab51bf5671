import { createPartnerClient, type TestPartnerClient, type TransactionRecord, unwrap } from "partner-wallet-api";
import { createMock } from "partner-wallet-api/mock";
import { type CreateTransferResult, createClient, createExchange, createTransfer } from "partner-wallet-api/operations";
import { createWebhookHandler, type WebhookEvents } from "partner-wallet-api/webhooks";

const options = { baseUrl: "https://api.example", depositBaseUrl: "https://deposits.example", apiKey: "key" };

export async function outgoingTransactions(month: string, year: string): Promise<TransactionRecord[]> {
  const wallet = createPartnerClient(options);
  const history = unwrap(
    await wallet.getUserTransactionHistory({ path: { externalUserId: "user-1042", month, year } }),
  );
  return history.filter((record) => (record.amount ?? 0) < 0);
}

export async function needsMoney(): Promise<boolean> {
  const body = { destinationExternalUserId: "user-1042", amount: "10.50", currency: "eur" } as const;
  const { error }: CreateTransferResult = await createTransfer(createClient(options), { body });
  return error?.errorCode === "P433" && error.outcome === "refused";
}

export async function reasonOfRefusal(): Promise<"P412" | "P459" | "another" | undefined> {
  const { error } = await createPartnerClient(options).listUserCards({ path: { externalUserId: "user-1042" } });
  if (error === undefined) return undefined;
  // The contract does not document P412 for this operation, but the service may return it.
  return error.errorCode === "P412" || error.errorCode === "P459" ? error.errorCode : "another";
}

export const testClient: TestPartnerClient = createPartnerClient({
  ...createMock({ edition: "test" }).clientOptions,
  edition: "test",
});

export const callCreateExchange = (body: Parameters<typeof testClient.createExchange>[0]["body"]) =>
  createExchange(createClient({ ...options, edition: "test" }), { body });

// @ts-expect-error: only a client of the edition test has the operation.
export const missingOperation = createPartnerClient(options).createExchange;

export const isCompleted = (event: WebhookEvents["p2pTransfer"]): boolean => event.status === "SUCCESSFUL";

export const userOfCode = (event: WebhookEvents["card3dsCode"]): string => event.externalUserId ?? "";

export const POST: (request: Request) => Promise<Response> = createWebhookHandler({
  authorization: "token",
  on: {
    p2pTransfer: (event) => console.log(isCompleted(event)),
    sepaDeposit: (event) => console.log(event.id),
  },
  otherwise: "reject",
  nonconforming: (name, _body, violations) => console.log(name, violations.length),
  paths: { sepaDeposit: "/my/path" },
  unknown: ({ path }) => console.log(path),
  onDeviation: ({ webhook, pointer, rule, question }) => console.log(webhook, pointer, rule, question),
});

// @ts-expect-error: a path parameter is missing.
export const incompleteCall = createPartnerClient(options).listUserCards({ path: {} });
