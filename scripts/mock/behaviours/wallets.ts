/** All networks of a currency share one address, because the API shows one address per balance. */

import { ControlError } from "../checks/error.ts";
import { MockError } from "../kernel/transactions.ts";
import type { BehaviourGroup, MockWorld } from "./behaviour.ts";
import { makeAddress } from "./identifiers.ts";
import type { Resource } from "./records.ts";
import { ownerExists } from "./users.ts";
import { cryptocurrenciesOf, usualNetwork } from "./values.ts";

export function walletOf(world: MockWorld, owner: string | null, currency: string): Resource<"wallet"> | undefined {
  return world.records.listOwned("wallet", owner).find(({ data }) => data.currency === currency);
}

export function openWallet(world: MockWorld, owner: string | null, currency: string): Resource<"wallet"> {
  const network = usualNetwork(world, currency);
  if (network === undefined) throw new MockError(`There are no wallets for ${currency}.`);
  const data = { currency, network };
  return walletOf(world, owner, currency) ?? world.create("wallet", { id: makeAddress(world, network), owner, data });
}

export const wallets: BehaviourGroup = {
  operations: {
    // The call has no effect if the partner already has a wallet for the currency (Q-already-done).
    createPartnerWallet({ world, body, refuse }) {
      const currency = body.currency.toLowerCase();
      if (usualNetwork(world, currency) === undefined) {
        refuse("P403", `currency ${JSON.stringify(body.currency)} is no known cryptocurrency`);
      }
      world.schedule(world.assumptions.delays.wallet, "createPartnerWallet", { currency });
    },
  },

  jobs: {
    createUserWallets(world, { owner = "" }) {
      if (!ownerExists(world, owner)) return;
      for (const currency of world.assumptions.wallets.ofUsers) openWallet(world, owner, currency);
    },
    createPartnerWallet(world, { currency = "" }) {
      openWallet(world, null, currency);
    },
  },

  externalEvents: {
    "wallet.walletIsCreated": (world, input) => {
      const owner = input.values.externalUserId === null ? null : input.text("externalUserId");
      const currency = input.choice("currency", cryptocurrenciesOf(world));
      if (owner !== null && world.records.find("userBalances", owner) === undefined) {
        throw new ControlError(`${owner} has no balances yet: they are generated after the verification.`);
      }
      if (walletOf(world, owner, currency) !== undefined) {
        throw new ControlError(`There is a wallet for ${currency} already; a balance has only one.`);
      }
      return openWallet(world, owner, currency);
    },
  },
};
