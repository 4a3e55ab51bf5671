/** Sends the request of a payment at most once, and not late. */
import type { BeforeSend } from "../state/client.ts";
import type { SendReply } from "./protocol.ts";

/** `fetch`, and code that wraps it, can read and buffer this number of chunks before the connection is ready. Empty ones are not sent. */
const maxBuffered = 8;

export interface SendGuard {
  readonly beforeSend: BeforeSend;
  /**
   * Ends the call: nothing is sent any more. Corrects the outcome of a failed call, because `fetch` does not say whether it has sent
   * something.
   */
  end(reply: SendReply): SendReply;
}

/**
 * With Node's own `fetch`, the body is a stream, which is read when the connection is ready: a process can be held up while it connects. A
 * stream also keeps `fetch` from sending the request again after a response with status 421. Other runtimes send a stream without a
 * `content-length`, and a partner's `fetch` may expect a text.
 *
 * @param isLate whether it is too late to send the request.
 * @param hasOwnFetch whether the client calls a `fetch` of the partner.
 */
export function createSendGuard(isLate: () => boolean, hasOwnFetch: boolean): SendGuard {
  let isSent = false;
  let isRefused = false;
  let isEnded = false;
  let isStream = false;
  const takeBody = (): void => {
    // A middleware can call the client again, also after it has ended the call.
    isRefused = isSent || isEnded || isLate();
    if (isRefused) throw new Error(isSent ? "The payment was sent before." : "It is too late to send the payment.");
    isSent = true;
  };
  return {
    beforeSend(request) {
      const { body } = request;
      const { process } = globalThis as { process?: { versions?: { undici?: string } } };
      if (hasOwnFetch || typeof body !== "string" || process?.versions?.undici === undefined) {
        takeBody();
        return request;
      }
      isStream = true;
      const bytes = new TextEncoder().encode(body);
      const headers = new Headers(request.headers);
      headers.set("content-length", `${bytes.length}`);
      let emptyCount = maxBuffered;
      const stream = new ReadableStream(
        {
          pull(controller) {
            if (emptyCount-- > 0) return controller.enqueue(new Uint8Array());
            takeBody();
            controller.enqueue(bytes);
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      return { ...request, headers, body: stream, duplex: "half" };
    },
    end(reply) {
      isEnded = true;
      if (reply.outcome === "accepted") return reply;
      // The service cannot execute a call without its body. `fetch` reads a stream only when the connection is ready.
      const isWrong = isRefused || (isStream && isSent && reply.outcome === "not-sent");
      return isWrong ? { ...reply, outcome: isSent ? "unknown" : "not-sent" } : reply;
    },
  };
}
