/** A service for tests: the mock with the scenario, whose responses a test can change. */
import { createMock } from "../../scripts/mock/host/mock.ts";
import { makeRouter } from "../../scripts/mock/request/router.ts";
import { readBody, serve } from "../support/http.ts";
import { plan } from "../support/plan.ts";

/** A change of an operation's success responses, see drift.yaml. */
export interface Seed {
  operation: string;
  status?: number;
  headers?: Record<string, string>;
  text?: string;
  set?: Record<string, unknown>;
  remove?: string;
}

export interface SeededService {
  url: string;
  depositUrl: string;
  readonly requests: { line: string; query: string; body: string }[];
  readonly env: Readonly<Record<string, string>>;
  seed: Seed | undefined;
  /** Is called before each response, with the method and the path. */
  onRequest: ((line: string) => void) | undefined;
  close(): Promise<void>;
}

export const key = "the-key-of-a-test";

export const knownValues = [
  "externalUserId=user-1042",
  "month=04",
  "year=2026",
  "cardId=67164890-d49d-4ac1-a5b8-063831360a40",
  "externalId=475a0310-d619-430d-a417-38f514e20fc0",
];

export async function serveSeeded(): Promise<SeededService> {
  const mock = createMock(plan, { edition: "test", scenario: true, key, keys: [], clock: "2026-05-01T09:00:00.000Z" });
  const route = makeRouter(plan, "test");
  const requests: SeededService["requests"] = [];
  const start = (address: "base_url" | "deposit_base_url", base: string) =>
    serve(async (request, response) => {
      const { method = "", url = "" } = request;
      const [path = "", query = ""] = url.split("?");
      const requestBody = await readBody(request);
      requests.push({ line: `${method} ${path}`, query, body: requestBody.toString() });
      service.onRequest?.(`${method} ${path}`);
      const { "x-api-key": apiKey = "", "content-type": type = "" } = request.headers as Record<string, string>;
      const init = {
        method,
        headers: { "x-api-key": apiKey, "content-type": type },
        ...(requestBody.length > 0 && { body: new Uint8Array(requestBody) }),
      };
      const mockResponse = await mock.fetch(`${base}${url}`, init);
      const foundRoute = route(address, method, path);
      const { seed } = service;
      const isSeeded =
        foundRoute.kind === "operation" && foundRoute.operation.operationId === seed?.operation && mockResponse.ok;
      const change = isSeeded ? seed : undefined;
      const text = await mockResponse.text();
      response.writeHead(change?.status ?? mockResponse.status, {
        ...Object.fromEntries(mockResponse.headers),
        ...change?.headers,
      });
      response.end(change?.text ?? (change === undefined ? text : changeText(text, change)));
    });
  const [main, deposit] = [await start("base_url", mock.baseUrl), await start("deposit_base_url", mock.depositBaseUrl)];
  const service: SeededService = {
    url: main.url,
    depositUrl: deposit.url,
    requests,
    seed: undefined,
    onRequest: undefined,
    env: {
      PARTNER_WALLET_API_KEY: key,
      PARTNER_WALLET_BASE_URL: main.url,
      PARTNER_WALLET_DEPOSIT_BASE_URL: deposit.url,
    },
    close: async () => void (await Promise.all([main.close(), deposit.close()])),
  };
  return service;
}

function changeText(text: string, { set = {}, remove }: Seed): string {
  const root = { "": JSON.parse(text) as unknown };
  const holderOf = (pointer: string): [Record<string, unknown>, string] => {
    const names = pointer.split("/");
    const lastName = names.pop() as string;
    return [
      names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], root) as Record<string, unknown>,
      lastName,
    ];
  };
  for (const [pointer, value] of Object.entries(set)) {
    const [holder, name] = holderOf(pointer);
    holder[name] = value;
  }
  if (remove !== undefined) {
    const [holder, name] = holderOf(remove);
    delete holder[name];
  }
  return JSON.stringify(root[""]);
}

export const refusal = (errorCode: string) => ({
  errorCode,
  errorMessage: "No",
  timestamp: "2026-05-01T09:00:00.000Z",
});

export const writeNothing = ((_text: string, done?: () => void) => {
  done?.();
  return true;
}) as typeof process.stdout.write;
