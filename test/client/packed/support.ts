import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ClientOptions, createPartnerClient, type LogEvent, type PartnerClient } from "partner-wallet-api";

export type Fetch = NonNullable<ClientOptions["fetch"]>;

export function clientWith(fetch: Fetch, clientOptions: Partial<ClientOptions> = {}): PartnerClient {
  return createPartnerClient({
    baseUrl: "https://api.example",
    depositBaseUrl: "https://deposits.example",
    apiKey: "key-of-the-test-4711",
    fetch,
    ...clientOptions,
  });
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
}

export function refusalResponse(errorCode: string, status = 400): Response {
  return jsonResponse(status, { errorCode, errorMessage: "as sent", timestamp: "2026-03-14T09:26:53.589Z" });
}

export const transferId = "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63";
export const transfer = { sourceExternalUserId: "user-1042", amount: 10, currency: "eur" };
export const lock = {
  lockId: "a3f7e9d0-4b62-48c1-95ae-1d0c8b6f2e73",
  rate: 1,
  amount: 1,
  expiresAt: "2026-03-09T10:45:30Z",
  cryptocurrency: "btc",
  network: "btc",
};
export const createdResponse = (): Response => jsonResponse(201, { transferId });

export function recordingClient(
  respond: (attempt: number) => Response = createdResponse,
  options: Partial<ClientOptions> = {},
): { client: PartnerClient; sentRequests: Request[] } {
  const sentRequests: Request[] = [];
  const client = clientWith(async (request) => {
    sentRequests.push(request);
    return respond(sentRequests.length);
  }, options);
  return { client, sentRequests };
}

export const makeThrower =
  (message: string): (() => never) =>
  () => {
    throw new Error(message);
  };

export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface LoopbackServer extends RunningServer {
  readonly url: string;
}

export async function listen(server: Server): Promise<LoopbackServer> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, url: `http://127.0.0.1:${port}`, close };
}

export const serveOnLoopback = (
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<LoopbackServer> => listen(createServer(listener));

/** The calls get the responses in turn. Further calls get the last response again. */
export function clientWithResponses(...responses: (() => Response | Promise<Response>)[]) {
  const log: LogEvent[] = [];
  let callCount = 0;
  const wallet = clientWith(
    async () => {
      const response = responses[Math.min(callCount, responses.length - 1)];
      callCount += 1;
      return (response as () => Response)();
    },
    { logger: (event) => log.push(event) },
  );
  return { wallet, log };
}
