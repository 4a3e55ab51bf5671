/** Wallets: the addresses for deposits. A currency has one address for all its networks, as its balance shows one. */

import { MockFault } from "../kernel/changes.ts";
import type { Entity } from "../kernel/data.ts";
import type { Area, MockWorld } from "./behaviour.ts";
import { ExternalEventError, read } from "./external-event.ts";
import { comparable, makeAddress } from "./identifiers.ts";
import type { WalletData } from "./records.ts";
import { isPresent } from "./users.ts";
import { configuredNetworks, usualNetwork } from "./values.ts";

/**
 * The wallet of a user, or with null of the partner.
 *
 * @param network the currency has to be on it, where it is given.
 * @returns undefined when there is none.
 */
export function walletOf(
  world: MockWorld,
  owner: string | null,
  currency: string,
  network?: string,
): Entity<WalletData> | undefined {
  if (network !== undefined && !Object.hasOwn(configuredNetworks(world, currency), network)) return undefined;
  return world.records.ownedBy("wallet", owner).find(({ data }) => data.currency === currency);
}

/** Whose an address is: the externalUserId of a user, null for the partner, undefined for an address outside. */
export function ownerOfWallet(world: MockWorld, address: string): string | null | undefined {
  return world.records.find("wallet", comparable(address))?.owner;
}

/**
 * Creates a wallet, unless there is one.
 *
 * @throws {MockFault} when the currency has no network.
 */
export function openWallet(world: MockWorld, owner: string | null, currency: string): Entity<WalletData> {
  const network = usualNetwork(world, currency);
  if (network === undefined) throw new MockFault(`There are no wallets for ${currency}.`);
  const data = { currency, network };
  return walletOf(world, owner, currency) ?? world.create("wallet", { id: makeAddress(world, network), owner, data });
}

export const wallets: Area<never> = {
  jobs: {
    createUserWallets(world, { owner = "" }) {
      if (!isPresent(world, owner)) return;
      for (const currency of world.assumptions.wallets.ofUsers) openWallet(world, owner, currency);
    },
    createPartnerWallet(world, { currency = "" }) {
      openWallet(world, null, currency);
    },
  },

  events: {
    walletCreated: {
      body: (_world, { id, owner, data }: Entity<WalletData>) => ({
        externalUserId: owner,
        currency: data.currency,
        network: data.network,
        wallet: id,
      }),
    },
  },

  externalEvents: {
    "wallet.walletIsCreated": (world, about) => {
      const owner = about.externalUserId === null ? null : read(about).text("externalUserId");
      const currencies = Object.keys(world.assumptions.currencies.list);
      const currency = read(about).choice(
        "currency",
        currencies.filter((code) => usualNetwork(world, code) !== undefined),
      );
      if (owner !== null && world.records.find("userBalances", owner) === undefined) {
        throw new ExternalEventError(`${owner} has no balances yet: they are generated after the verification.`);
      }
      if (walletOf(world, owner, currency) !== undefined) {
        throw new ExternalEventError(`There is a wallet for ${currency} already, and a balance has one only.`);
      }
      return openWallet(world, owner, currency);
    },
  },
};
