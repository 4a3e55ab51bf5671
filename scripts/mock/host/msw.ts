import type { InProcessMock } from "./mock.ts";

/** The part of MSW's `http` that {@link createMockHandlers} uses. */
export interface HandlerFactory<Handler> {
  all(path: string, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

export interface MockHandlerOptions<Handler> {
  /** `http` of the package `msw`. */
  readonly http: HandlerFactory<Handler>;
  /** The mock that responds to the requests: `createMock()`. */
  readonly mock: InProcessMock;
  /** The main base URL that the program calls; by default the mock's base URL. */
  readonly baseUrl?: string | undefined;
  /** The deposit base URL that the program calls; by default the mock's deposit base URL. */
  readonly depositBaseUrl?: string | undefined;
}

/**
 * Makes handlers for MSW. They send all requests for the two base URLs to the mock.
 *
 * @example
 * ```ts
 * const server = setupServer(...createMockHandlers({ http, mock: createMock(), baseUrl: "https://wallet.example" }));
 * ```
 */
export function createMockHandlers<Handler>(options: MockHandlerOptions<Handler>): Handler[] {
  const { http, mock, baseUrl = mock.baseUrl, depositBaseUrl = mock.depositBaseUrl } = options;
  const handlerOf = (clientUrl: string, mockUrl: string) => {
    const clientBase = clientUrl.replace(/\/+$/, "");
    return http.all(`${clientBase}/*`, async ({ request }) => {
      const pathAndQuery = request.url.slice(new URL(clientBase).href.replace(/\/+$/, "").length);
      // If the mock drops the connection, or the program aborts the request, `mock.fetch` rejects, and MSW must report a network error.
      return mock.fetch(new Request(`${mockUrl}${pathAndQuery}`, request)).catch(() => Response.error());
    });
  };
  return [handlerOf(depositBaseUrl, mock.depositBaseUrl), handlerOf(baseUrl, mock.baseUrl)];
}
