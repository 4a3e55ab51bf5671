import { call, callWith } from "../call/call.ts";
import { checkClientOptions, isLoopback } from "../state/check-options.ts";
import { type Client, withState } from "../state/client.ts";
import type { ClientContract } from "../state/client-contract.ts";
import type { ClientOptions } from "../state/client-options.ts";

export function makeClient(options: ClientOptions, contract: ClientContract): Client {
  const checkedOptions = checkClientOptions(options);
  const { retryBudget: remainingRetries, maxConcurrent: freeSlots } = checkedOptions;
  if ("document" in globalThis && !isLoopback(new URL(checkedOptions.baseUrl))) {
    console.warn(
      "partner-wallet-api: the API key is in a browser, where every visitor can read it. Call the service from your server.",
    );
  }
  const state = { contract, options: checkedOptions, remainingRetries, freeSlots, queue: new Set<() => void>() };
  return withState(
    state,
    (...args) => call(state, ...args),
    (operation, callOptions) => callWith(state, operation, callOptions),
  );
}
