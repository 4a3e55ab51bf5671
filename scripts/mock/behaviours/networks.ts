/** The networks of cryptocurrencies. */
import type { Network } from "../plan/assumptions.ts";
import { knownCurrency } from "./amounts.ts";
import type { MockWorld } from "./behaviour.ts";

/** Where no network is named (stated for Get Network Fee only, Q-withdrawal-network). */
export const defaultNetwork = "ethereum";

/** The networks that the mock knows for a currency, by name; empty for a fiat currency and one that it does not know. */
export function configuredNetworks(world: MockWorld, currency: string): Readonly<Record<string, Network>> {
  return knownCurrency(world, currency)?.networks ?? {};
}

/** The network of a currency where none is named: the default one, otherwise the first that it has. */
export function usualNetwork(world: MockWorld, currency: string): string | undefined {
  const names = Object.keys(configuredNetworks(world, currency));
  return names.includes(defaultNetwork) ? defaultNetwork : names[0];
}
