import { call } from "../call/call.ts";
import { checkClientOptions } from "./check-options.ts";
import { isLoopback } from "./check-tools.ts";
import { type Client, withState } from "./client.ts";
import type { ClientContract } from "./client-contract.ts";
import type { ClientOptions } from "./client-options.ts";

export function makeClient(options: ClientOptions, contract: ClientContract): Client {
  const checkedOptions = checkClientOptions(options);
  const { retryBudget: remainingRetries, maxConcurrent: freeSlots } = checkedOptions;
  if ("document" in globalThis && !isLoopback(new URL(checkedOptions.baseUrl))) {
    console.warn(
      "partner-wallet-api: the API key is in a browser, where every visitor can read it. Call the service from your server.",
    );
  }
  const state = { contract, options: checkedOptions, remainingRetries, freeSlots, queue: new Set<() => void>() };
  return withState(state, (operation, callOptions, guard) => call(state, operation, callOptions, guard));
}
