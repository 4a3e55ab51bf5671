/** Payments with a scripted service, clock and store. */
import { type ClientOptions, createPartnerClient } from "partner-wallet-api";
import { createPayments, type PaymentsOptions } from "partner-wallet-api/payments";
import { createSlowStore, waitTurns } from "./fixture.ts";

export const minute = 60_000;
export const transferId = "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63";
export const invoice = { reference: "invoice-1", user: "user-1", amount: "10.00", currency: "eur" };
export const equalInvoice = { ...invoice, reference: "invoice-2" };
export const record = {
  id: "record-1",
  type: "transfer",
  status: "PENDING",
  amount: "10.00",
  currency: "EUR",
  transferId,
  createdAt: "2026-04-10T07:00:01.000Z",
};
export const event = {
  id: transferId,
  status: "SUCCESSFUL",
  amount: 10,
  currency: "EUR",
  destinationExternalUserId: "user-1",
  createdAt: "2026-04-10T07:00:01.000Z",
};

export const withdrawal = {
  reference: "w-1",
  of: { user: "user-1" },
  address: "0xab",
  network: "polygon",
  name: "Lena",
  amount: "5",
  currency: "usdc",
  walletType: "OTHER",
  receiverType: "NATURAL",
};

interface WorldOptions {
  readonly edition?: string;
  readonly clientOptions?: Partial<ClientOptions>;
}

export function makeScriptedWorld(
  start = "2026-04-10T07:00:00.000Z",
  { edition = "test", clientOptions = {}, ...paymentsOptions }: Partial<PaymentsOptions> & WorldOptions = {},
) {
  const service = {
    now: Date.parse(start),
    posts: 0,
    reads: 0,
    post: async (_request?: Request): Promise<Response> =>
      Response.json({ transferId, withdrawalId: transferId }, { status: 201 }),
    history: (_month: string, _user?: string): Response | Promise<Response> => Response.json(service.records),
    records: [] as object[],
    details: (): Response => Response.json({}, { status: 503 }),
  };
  const fetch = async (request: Request) => {
    const { method, url } = request;
    const [, user, month, year] = /transaction-history\/?(.*)\/(\d\d)\/(\d{4})$/.exec(url) ?? [];
    service[method === "POST" ? "posts" : "reads"] += 1;
    if (method === "POST") return service.post(request);
    return month === undefined ? service.details() : service.history(`${year}-${month}`, user);
  };
  const clock = {
    now: () => service.now,
    wait: async (milliseconds: number) => {
      await waitTurns(20);
      service.now += milliseconds;
    },
  };
  const allClientOptions = {
    baseUrl: "https://api.example",
    apiKey: "k",
    fetch,
    retries: 0,
    edition: edition as "test",
    ...clientOptions,
  };
  const options = {
    client: createPartnerClient(allClientOptions),
    store: createSlowStore(),
    clock,
    ...paymentsOptions,
  };
  const createProcess = (changes: Partial<PaymentsOptions> = {}) => createPayments({ ...options, ...changes });
  return { service, store: options.store, clientOptions: allClientOptions, createProcess, payments: createProcess() };
}

type ScriptedWorld = ReturnType<typeof makeScriptedWorld>;

export const loseResponse = () => Promise.reject(new Error("connection lost"));
export const refusal = (errorCode: string, status = 400) =>
  Response.json({ errorCode, errorMessage: "-", timestamp: "2026-04-10T07:00:00.000Z" }, { status });

export const timeText = (time: number) => new Date(time).toISOString();
export const acceptedResponse = (transferId: string) => Response.json({ transferId }, { status: 201 });

export const sepaInvoice = {
  reference: "R-1",
  of: { user: "user-1" },
  iban: "GB33BUKB20201555555555",
  amount: "250.00",
  currency: "eur",
};

/** With `shownRecord`, the call has an effect, and the record is added to the history. */
export function loseFurtherResponses(service: ScriptedWorld["service"], shownRecord?: object): void {
  service.post = () => {
    if (shownRecord !== undefined) service.records = [...service.records, shownRecord];
    return loseResponse();
  };
}
