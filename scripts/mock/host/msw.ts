/** The mock as handlers for MSW, which answer a program's calls to its configured addresses. */
import type { InProcessMock } from "./mock.ts";

/** The part of MSW's `http` that is used. */
export interface HandlerFactory<Handler> {
  all(path: string, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

export interface MockHandlerOptions<Handler> {
  /** `http` of the package `msw`. */
  readonly http: HandlerFactory<Handler>;
  /** The mock that answers, with its functions for users, time and faults: `createMock()`. */
  readonly mock: InProcessMock;
  /** The program's main address; that of the mock by default. */
  readonly baseUrl?: string | undefined;
  /** The program's deposit address; that of the mock by default. */
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
      // Rejects for a dropped connection (a fault), or when the program aborts.
      return mock.fetch(new Request(`${to}${rest}`, request)).catch(() => Response.error());
    });
  };
  return [handlerOf(depositBaseUrl, mock.depositBaseUrl), handlerOf(baseUrl, mock.baseUrl)];
}
