/** The mock behind MSW: handlers that answer the calls of a program to the addresses that it is configured with. */
import type { InProcessMock } from "./mock.ts";

/** What is needed of `http` of the package `msw`. */
export interface HandlerFactory<Handler> {
  all(path: string, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

export interface MockHandlerOptions<Handler> {
  /** `http` of the package `msw`. */
  readonly http: HandlerFactory<Handler>;
  /** What answers, with its functions for users, time and faults: `createMock()`. */
  readonly mock: InProcessMock;
  /** The main address as the program has it; that of the mock by default. */
  readonly baseUrl?: string | undefined;
  /** The deposit address as the program has it; that of the mock by default. */
  readonly depositBaseUrl?: string | undefined;
}

/**
 * Makes handlers for MSW, in Node or in a browser.
 *
 * @example
 * ```ts
 * const server = setupServer(...createMockHandlers({ http, mock: createMock(), baseUrl: "https://wallet.example" }));
 * ```
 */
export function createMockHandlers<Handler>(options: MockHandlerOptions<Handler>): Handler[] {
  const { http, mock, baseUrl = mock.baseUrl, depositBaseUrl = mock.depositBaseUrl } = options;
  const handlerOf = (from: string, to: string) => {
    const base = from.replace(/\/+$/, "");
    return http.all(`${base}/*`, async ({ request }) => {
      const rest = request.url.slice(new URL(base).href.replace(/\/+$/, "").length);
      // It rejects where a fault has dropped the connection, or the program has given up.
      return mock.fetch(new Request(`${to}${rest}`, request)).catch(() => Response.error());
    });
  };
  return [handlerOf(depositBaseUrl, mock.depositBaseUrl), handlerOf(baseUrl, mock.baseUrl)];
}
