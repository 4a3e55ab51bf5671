import { type MockRequest, maxBytesOf } from "../request/body.ts";
import type { Address } from "../request/router.ts";
import type { MockReply } from "../response/replies.ts";

/** The host names are reserved (RFC 2606). */
export const mockUrls: Readonly<Record<Address, string>> = {
  base_url: "https://mock.wallet-service.example",
  deposit_base_url: "https://deposit.mock.wallet-service.example",
};

export function makeFetch(
  handle: (address: Address, request: MockRequest) => MockReply | Promise<MockReply>,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const address = addressOf(request.url);
    const respond = async (): Promise<Response> => {
      const reply = await handle(address, await toMockRequest(request));
      if (reply.delay) await waitFor(reply.delay, signal);
      return responseTo(request, reply);
    };
    return Promise.race([respond(), rejectOnAbort(signal)]);
  };
}

function addressOf(url: string): Address {
  const { origin } = new URL(url);
  const matchedAddress = (Object.keys(mockUrls) as Address[]).find((address) => mockUrls[address] === origin);
  if (matchedAddress !== undefined) return matchedAddress;
  throw new TypeError(`fetch failed: the mock answers ${Object.values(mockUrls).join(" and ")} only, not ${origin}.`);
}

async function toMockRequest(request: Request): Promise<MockRequest> {
  const { pathname, searchParams } = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  const bytes = Buffer.from(await request.arrayBuffer());
  const isTooLarge = bytes.length > maxBytesOf(headers["content-type"], pathname);
  const body = { bytes: isTooLarge ? Buffer.alloc(0) : bytes, isTooLarge };
  return { method: request.method, path: pathname, query: searchParams, headers, body };
}

function responseTo({ method, url }: Request, { status, headers, body, isCut, rejection }: MockReply): Response {
  if (status === "drop") throw rejection?.(new URL(url)) ?? connectionError("fetch failed");
  const isEmpty = method === "HEAD" || status === 204;
  const response = new Response(isEmpty ? null : isCut ? firstHalf(body) : body, { status, headers });
  // The URL is added, because a constructed Response has none.
  return Object.defineProperty(response, "url", { value: url });
}

function firstHalf(body: string): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body);
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes.subarray(0, bytes.length / 2)),
    pull: (controller) => controller.error(connectionError("terminated")),
  });
}

function connectionError(message: string): TypeError {
  const cause = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
  return new TypeError(message, { cause });
}

/** Reads the global `setTimeout` at the time of the call, so that the fake timers of a test take effect. */
function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}
