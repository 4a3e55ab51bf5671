import type { BehaviourGroup, Call, MockWorld } from "./behaviour.ts";
import { receiveDeposit } from "./crypto-deposits.ts";
import { EventFields } from "./external-event.ts";
import {
  endTransaction,
  externalAccount,
  hasHeldFunds,
  hold,
  moveFunds,
  refuseWithoutFunds,
  serviceAccount,
} from "./funds.ts";
import { newTransactionHash, normaliseAddress } from "./identifiers.ts";
import type { Resource } from "./records.ts";
import { assertFundsHeld, decisionEvent, jobForStatus, makeDetailsFilter, showRecord } from "./steps.ts";
import { isActive } from "./users.ts";
import {
  amountNumber,
  amountText,
  configuredNetworks,
  defaultNetwork,
  readAmount,
  responseFee,
  timestamp,
  unitsOf,
  usualNetwork,
} from "./values.ts";
import { walletOf } from "./wallets.ts";

type Withdrawal = Resource<"cryptoWithdrawal">;

export const cryptoWithdrawals: BehaviourGroup = {
  operations: {
    getNetworkFee({ world, query, refuse }) {
      const currency = query.currency.toLowerCase();
      const networks = configuredNetworks(world, currency);
      const name = query.network ?? defaultNetwork;
      const network = networks[name];
      if (network === undefined) {
        const names = Object.keys(networks);
        return refuse("P410", names.length === 0 ? currency : `${currency} is on ${names.join(", ")}, not on ${name}`);
      }
      return {
        status: 200,
        body: { networkFee: responseFee(world, unitsOf(world, network.networkFee, currency), currency) },
      };
    },

    createCryptoWithdrawal: (call) => createWithdrawal(call, call.body.sourceExternalUserId),
    createPartnerCryptoWithdrawal: (call) => createWithdrawal(call, null),

    getCryptoWithdrawalDetails: (call) =>
      showRecord(call, "cryptoWithdrawal", call.path.withdrawalId, bodyOf, makeDetailsFilter(call.world)),
  },

  jobs: {
    endCryptoWithdrawal: jobForStatus("cryptoWithdrawal", "IN_PROGRESS", (world, withdrawal) =>
      endWithdrawal(world, withdrawal, canBeSent(world, withdrawal)),
    ),
  },

  events: { cryptoWithdrawal: bodyOf },

  externalEvents: decisionEvent("cryptoWithdrawal", "cryptoWithdrawalIsDecided", (world, withdrawal, status) => {
    const isSent = status === "SUCCESSFUL";
    if (isSent) assertFundsHeld(world, "cryptoWithdrawal", withdrawal, "UNSUCCESSFUL");
    endWithdrawal(world, withdrawal, isSent);
  }),
};

/**
 * A withdrawal below the minimum is accepted and fails later, because no P-code for its refusal is documented. By default, the same applies
 * to one without sufficient funds (Q-money-refusals).
 */
function createWithdrawal(
  call: Call<"createCryptoWithdrawal"> | Call<"createPartnerCryptoWithdrawal">,
  owner: string | null,
) {
  const { world, body } = call;
  const { currency, units } = readAmount(call);
  const networks = configuredNetworks(world, currency);
  const { usualNetwork: usualNetworkName, fees } = world.assumptions.withdrawals;
  const network =
    body.network ?? (usualNetworkName === null ? usualNetworkName : usualNetwork(world, currency, usualNetworkName));
  if (network === null) return call.refuse("P403", "network is required");
  if (network === undefined) return call.refuse("P403", `currency ${currency} is no cryptocurrency`);
  const configuration = networks[network];
  if (configuration === undefined) {
    return call.refuse("P403", `network: ${currency} is on ${Object.keys(networks).join(", ")}, not on ${network}`);
  }
  const fee = unitsOf(world, configuration.fee, currency) + unitsOf(world, configuration.networkFee, currency);
  const debitedUnits = fees === "added" ? units + fee : units;
  refuseWithoutFunds(call, owner, currency, debitedUnits);
  const transaction = hold(world, { owner, type: "cryptoWithdrawal", currency, units: debitedUnits });
  const { walletAddress } = body;
  const data = { units, fee, currency, network, walletAddress, transactionHash: null, transactionId: transaction.id };
  const withdrawal = world.create("cryptoWithdrawal", { id: world.ids.uuid(), owner, data });
  world.schedule(world.assumptions.delays.cryptoWithdrawal, "endCryptoWithdrawal", { withdrawalId: withdrawal.id });
  return { status: 201 as const, body: { withdrawalId: withdrawal.id } };
}

function canBeSent(world: MockWorld, { owner, data }: Withdrawal): boolean {
  const { units, currency, network, transactionId } = data;
  const { minWithdrawal } = configuredNetworks(world, currency)[network] ?? {};
  if (minWithdrawal === undefined || !hasHeldFunds(world, transactionId)) return false;
  const receivedUnits = world.assumptions.withdrawals.fees === "added" ? units : units - data.fee;
  return isActive(world, owner) && receivedUnits > 0n && units >= unitsOf(world, minWithdrawal, currency);
}

function endWithdrawal(world: MockWorld, withdrawal: Withdrawal, isSent: boolean): void {
  const { transactionId, units, fee, currency, network } = withdrawal.data;
  const transactionHash = newTransactionHash(world, network);
  endTransaction(world, transactionId, isSent);
  if (isSent) {
    // The external account has received the whole debited amount. The fee is moved from this account to the service.
    if (fee > 0n) moveFunds(world, transactionId, [externalAccount, serviceAccount], currency, fee);
    world.records.change(withdrawal, { transactionHash });
    depositToKnownWallet(world, withdrawal, transactionHash);
  } else {
    world.records.change(world.records.get("transaction", transactionId), { units: -units });
  }
  world.move(withdrawal, isSent ? "SUCCESSFUL" : "UNSUCCESSFUL");
}

function depositToKnownWallet(world: MockWorld, { owner, data }: Withdrawal, transactionHash: string): void {
  const { currency, network, walletAddress } = data;
  const units = world.assumptions.withdrawals.fees === "added" ? data.units : data.units - data.fee;
  if (world.records.find("wallet", normaliseAddress(walletAddress))?.data.currency !== currency) return;
  const from = walletOf(world, owner, currency)?.id;
  const amount = amountText(world, units, currency);
  receiveDeposit(world, new EventFields({ wallet: walletAddress, network, amount, transactionHash, from }));
}

function bodyOf(world: MockWorld, { id, owner, states, data, createdAt }: Withdrawal) {
  const { units, fee, currency, network, walletAddress, transactionHash } = data;
  const { shownFee: feeParts, fees } = world.assumptions.withdrawals;
  const { fee: serviceFee = "0" } = configuredNetworks(world, currency)[network] ?? {};
  return {
    id,
    amount: amountNumber(world, fees === "added" ? units : units - fee, currency),
    fee: responseFee(world, feeParts === "whole" ? fee : unitsOf(world, serviceFee, currency), currency),
    destination: walletAddress,
    status: states.status ?? "",
    transactionHash,
    currency: { currency, network },
    createdAt: timestamp(createdAt),
    ...(owner === null ? {} : { user: { externalUserId: owner } }),
  };
}
