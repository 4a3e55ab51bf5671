/** Deposits of cryptocurrencies: they arrive from outside, may wait for data about the sender, and are credited. */

import { MockFault } from "../kernel/changes.ts";
import type { Entity } from "../kernel/data.ts";
import { toDecimalText, toUnits } from "../kernel/money.ts";
import type { Area, MockWorld } from "./behaviour.ts";
import { documentedAnswer, showRecord } from "./documented.ts";
import { ExternalEventError, type Given, givenUnits, read } from "./external-event.ts";
import { expect, giveBack, mark, outside, settle } from "./funds.ts";
import { comparable, makeAddress, newTransactionHash } from "./identifiers.ts";
import type { CryptoDepositData } from "./records.ts";
import { decision, whileIn } from "./steps.ts";
import { isActive, isPresent } from "./users.ts";
import { amountNumber, amountText, configuredNetworks, currencyOf, timestamp, usualNetwork } from "./values.ts";

type Deposit = Entity<CryptoDepositData>;
type About = Readonly<Record<string, unknown>>;

export const cryptoDeposits: Area<"getCryptoDepositDetails" | "updateTravelRule"> = {
  operations: {
    getCryptoDepositDetails: (call) => showRecord(call, "cryptoDeposit", call.query.externalId, detailsOf),

    // One that waits for nothing is left as it is, as no answer of its own is documented for it (Q-already-done).
    updateTravelRule({ operation, world, path, refuseNotFound }) {
      const deposit = world.records.find("cryptoDeposit", path.cryptoDepositId);
      if (deposit === undefined) return refuseNotFound();
      if (deposit.states.status === "WAITING_FOR_TR_DATA") {
        world.later(world.assumptions.delays.travelRule, "releaseCryptoDeposit", { cryptoDepositId: deposit.id });
      }
      return { status: 200, body: documentedAnswer(operation, 200) };
    },
  },

  jobs: {
    /** Unless something else was decided meanwhile. */
    releaseCryptoDeposit: whileIn("cryptoDeposit", "WAITING_FOR_TR_DATA", (world, deposit) =>
      moveDeposit(world, deposit, "SENT"),
    ),
    creditCryptoDeposit: whileIn("cryptoDeposit", "SENT", (world, deposit) =>
      moveDeposit(world, deposit, canBeCredited(world, deposit) ? "SUCCESSFUL" : "UNSUCCESSFUL"),
    ),
  },

  events: {
    cryptoDeposit: { body: eventOf },
  },

  externalEvents: {
    /**
     * Given `wallet`, an address, or `externalUserId` (null for the partner) with `currency` and `network`; further `amount`,
     * `from`, `transactionHash` and `status`.
     */
    "cryptoDeposit.depositArrives": depositArrives,
    ...decision("cryptoDeposit", "depositIsChecked", moveDeposit),
    ...decision("cryptoDeposit", "depositIsReleased", moveDeposit),
    ...decision("cryptoDeposit", "depositIsDecided", moveDeposit),
  },
};

/**
 * Lets a deposit arrive.
 *
 * @param about see `externalEvents`.
 * @throws {ExternalEventError} when there is no such wallet or user, or the amount is none.
 */
export function depositArrives(world: MockWorld, about: About): Deposit {
  const given = read(about);
  const statuses = world.plan.resources.cryptoDeposit?.externalEvents.depositArrives?.to ?? [];
  const status = given.choice("status", statuses, statuses[0]);
  const { owner, currency, network } = targetOf(world, about);
  const tenSmallest = toDecimalText(10n * smallest(world, currency, network), currencyOf(world, currency).decimals);
  const units = givenUnits(world, given, { field: "amount", currency, otherwise: tenSmallest });
  const from = given.text("from", makeAddress(world, network));
  const transactionHash = given.text("transactionHash", newTransactionHash(world, network));
  const { id: transactionId } = expect(
    world,
    { owner, type: "cryptoDeposit", currency, units },
    historyStatus[status] ?? "IN_PROGRESS",
  );
  const data = { units, currency, network, from, transactionHash, transactionId };
  const deposit = world.create("cryptoDeposit", { id: world.ids.uuid(), owner, data, states: { status } });
  if (status === "SENT") creditLater(world, deposit);
  return deposit;
}

/** Who gets a deposit, and in what. */
function targetOf(world: MockWorld, about: About): { owner: string | null; currency: string; network: string } {
  const given = read(about);
  if (about.wallet !== undefined) {
    const address = given.text("wallet");
    const wallet = world.records.all("wallet").find(({ id }) => comparable(id) === comparable(address));
    if (wallet === undefined) {
      throw new ExternalEventError(
        `wallet: no user has the address ${address}, and the partner does not have it either.`,
      );
    }
    const { currency } = wallet.data;
    const other = given.text("currency", currency).toLowerCase();
    if (other !== currency)
      throw new ExternalEventError(`currency: the wallet is for ${currency}. Leave currency out.`);
    return { owner: wallet.owner, currency, network: networkOf(world, given, currency, wallet.data.network) };
  }
  const currency = given.text("currency", "usdc").toLowerCase();
  const network = networkOf(world, given, currency, usualNetwork(world, currency));
  if (about.externalUserId === null) return { owner: null, currency, network };
  if (about.externalUserId === undefined) {
    throw new ExternalEventError("Give wallet, or externalUserId, which is null for the partner.");
  }
  const owner = given.text("externalUserId");
  if (!isPresent(world, owner)) throw new ExternalEventError(`externalUserId: there is no user ${owner}.`);
  return { owner, currency, network };
}

function networkOf(world: MockWorld, given: Given, currency: string, usual: string | undefined): string {
  const names = Object.keys(configuredNetworks(world, currency));
  if (names.length > 0) return given.choice("network", names, usual);
  const { list } = world.assumptions.currencies;
  const known = Object.keys(list).filter((code) => list[code]?.kind === "crypto");
  throw new ExternalEventError(`currency must be one of ${known.join(", ")}.`);
}

/** What the history says of a deposit that is not decided yet; those without an entry are in progress. */
const historyStatus: Readonly<Record<string, string>> = { WAITING_FOR_TR_DATA: "IN_PROGRESS_TR_DATA" };

/** Moves a deposit along its lifecycle, with the money and the record of the history. */
function moveDeposit(world: MockWorld, deposit: Deposit, status: string): void {
  const { transactionId } = deposit.data;
  if (status === "SUCCESSFUL") settle(world, transactionId, outside);
  else if (status === "UNSUCCESSFUL") giveBack(world, transactionId);
  else mark(world, transactionId, historyStatus[status] ?? "IN_PROGRESS");
  world.move(deposit, status);
  if (status === "SENT") creditLater(world, deposit);
}

function creditLater(world: MockWorld, { id }: Deposit): void {
  world.later(world.assumptions.delays.cryptoDeposit, "creditCryptoDeposit", { cryptoDepositId: id });
}

/** A user who is suspended or deleted gets no deposits, and nobody one that is too small. */
function canBeCredited(world: MockWorld, { owner, data }: Deposit): boolean {
  return isActive(world, owner) && data.units >= smallest(world, data.currency, data.network);
}

/** The smallest deposit on a network, in minor units. */
function smallest(world: MockWorld, currency: string, network: string): bigint {
  const configuration = configuredNetworks(world, currency)[network];
  if (configuration === undefined) throw new MockFault(`The mock has no ${currency} on ${network}.`);
  return toUnits(configuration.minDeposit, currencyOf(world, currency).decimals);
}

/** The record. It has the hash from SENT on, although the event has it before. */
function detailsOf(world: MockWorld, { id, states, data, createdAt }: Deposit) {
  const { units, currency, from, transactionHash } = data;
  const status = states.status ?? "";
  return {
    externalId: id,
    status,
    amount: amountText(world, units, currency),
    currency: currency.toUpperCase(),
    from,
    fee: amountText(world, 0n, currency),
    transactionHash: status === "SENT" || status === "SUCCESSFUL" ? transactionHash : null,
    createdAt: timestamp(createdAt),
  };
}

function eventOf(world: MockWorld, { id, owner, states, data, createdAt }: Deposit) {
  return {
    externalUserId: owner,
    cryptoDepositId: id,
    amount: amountNumber(world, data.units, data.currency),
    currency: data.currency,
    status: states.status ?? "",
    transactionHash: data.transactionHash,
    createdAt: timestamp(createdAt),
  };
}
