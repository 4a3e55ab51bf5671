import type { IncomingMessage, ServerResponse } from "node:http";
import { Clock } from "../../../scripts/mock/kernel/clock.ts";
import { Outbox } from "../../../scripts/mock/kernel/outbox.ts";
import { Transactions } from "../../../scripts/mock/kernel/transactions.ts";
import { readBody, serveInTest } from "../../support/http.ts";

export const token = "canary-token";

export const midnight = Date.UTC(2026, 0, 1);

export function frozenClock(seconds = 0): Clock {
  const clock = new Clock();
  clock.freeze(midnight + seconds * 1000);
  return clock;
}

/** An outbox with the given events, each created at a number of seconds after {@link midnight}. The bodies are numbered from 0. */
export function outboxOf(...events: readonly (readonly [second: number, webhook: string])[]): Outbox {
  const outbox = new Outbox(new Transactions());
  for (const [second, webhook] of events) addEvent(outbox, second, webhook);
  return outbox;
}

export function addEvent(outbox: Outbox, seconds: number, webhook: string): void {
  outbox.add(webhook, midnight + seconds * 1000, JSON.stringify({ n: outbox.events.length }));
}

export function secondsOf(attempts: readonly { at: number }[]): number[] {
  return attempts.map(({ at }) => (at - midnight) / 1000);
}

export interface ReceivedCall {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export async function serveRecorder(
  respond: (response: ServerResponse, call: ReceivedCall) => void = (response) => void response.end("{}"),
) {
  const receivedCalls: ReceivedCall[] = [];
  const server = await serveInTest(async (request, response) => {
    const { method, url, headers } = request;
    const call = { method, url, headers, body: (await readBody(request)).toString() };
    receivedCalls.push(call);
    respond(response, call);
  });
  return { ...server, receivedCalls };
}
