/** The partner's own balances and wallets. */

import { balancesOf, fiatBalanceOf } from "./balances.ts";
import type { Area } from "./behaviour.ts";
import { documentedAnswer } from "./documented.ts";
import { giveBack, holdIfCovered, isHeld, service, settle } from "./funds.ts";
import { readAmount, usualNetwork } from "./values.ts";

export const partner: Area<"getPartnerBalances" | "createPartnerWallet" | "transferToMasterBalance"> = {
  operations: {
    getPartnerBalances: ({ world }) => ({ status: 200, body: balancesOf(world, fiatBalanceOf(world, null)) }),

    /** For a balance that has a wallet nothing more happens (Q-already-done). */
    createPartnerWallet({ operation, world, body, refuse }) {
      const currency = body.currency.toLowerCase();
      if (usualNetwork(world, currency) === undefined) {
        refuse("P403", `currency ${JSON.stringify(body.currency)} is no known cryptocurrency`);
      }
      world.later(world.assumptions.delays.wallet, "createPartnerWallet", { currency });
      return { status: 201, body: documentedAnswer(operation, 201) };
    },

    /** The partner's balance pays. No code says that it does not suffice, so that such a transfer fails (Q-money-refusals). */
    transferToMasterBalance(call) {
      const { world } = call;
      const { currency, units } = readAmount(call);
      const movement = { owner: null, type: "transfer", currency, units };
      const { id } = holdIfCovered(world, movement);
      world.later(world.assumptions.delays.transfer, "endMasterBalanceTransfer", { transactionId: id });
      // No transfer of Get Transfer Details, of which an event would tell: it is found in the history.
      return { status: 201, body: { transferId: id } };
    },
  },

  jobs: {
    endMasterBalanceTransfer(world, { transactionId = "" }) {
      if (isHeld(world, transactionId)) settle(world, transactionId, service);
      else giveBack(world, transactionId);
    },
  },
};
