import { ControlError } from "../checks/error.ts";
import { MockError } from "../kernel/transactions.ts";
import type { BehaviourGroup, MockWorld } from "./behaviour.ts";
import { type EventFields, readAmountUnits, readNetwork } from "./external-event.ts";
import { endTransaction, recordTransaction, setTransactionStatus } from "./funds.ts";
import { makeAddress, newTransactionHash, normaliseAddress } from "./identifiers.ts";
import type { Resource } from "./records.ts";
import { decisionEvent, jobForStatus, outcomesOf, showRecord } from "./steps.ts";
import { isActive, requireUser } from "./users.ts";
import { amountText, configuredNetworks, timestamp, unitsOf } from "./values.ts";

type Deposit = Resource<"cryptoDeposit">;

export const cryptoDeposits: BehaviourGroup = {
  operations: {
    getCryptoDepositDetails: (call) => showRecord(call, "cryptoDeposit", call.query.externalId, detailsOf),

    // If the deposit does not wait for sender data, nothing changes, because no refusal is documented (Q-already-done).
    updateTravelRule({ world, path, refuseNotFound }) {
      const deposit = world.records.find("cryptoDeposit", path.cryptoDepositId);
      if (deposit === undefined) return refuseNotFound();
      if (deposit.states.status === "WAITING_FOR_TR_DATA") {
        world.schedule(world.assumptions.delays.travelRule, "releaseCryptoDeposit", { cryptoDepositId: deposit.id });
      }
    },
  },

  jobs: {
    releaseCryptoDeposit: jobForStatus("cryptoDeposit", "WAITING_FOR_TR_DATA", (world, deposit) =>
      moveDeposit(world, deposit, "SENT"),
    ),
    creditCryptoDeposit: jobForStatus("cryptoDeposit", "SENT", (world, deposit) =>
      moveDeposit(world, deposit, canBeCredited(world, deposit) ? "SUCCESSFUL" : "UNSUCCESSFUL"),
    ),
  },

  externalEvents: {
    "cryptoDeposit.depositArrives": receiveDeposit,
    ...decisionEvent("cryptoDeposit", "depositIsChecked", moveDeposit),
    ...decisionEvent("cryptoDeposit", "depositIsReleased", moveDeposit),
    ...decisionEvent("cryptoDeposit", "depositIsDecided", moveDeposit),
  },
};

export function receiveDeposit(world: MockWorld, input: EventFields): Deposit {
  const statuses = outcomesOf(world, "cryptoDeposit", "depositArrives");
  const status = input.choice("status", statuses, statuses[0]);
  const { owner, currency, network } = receiverOf(world, input);
  const fallback = amountText(world, 10n * minimumDeposit(world, currency, network), currency);
  const units = readAmountUnits(world, input, { field: "amount", currency, fallback });
  const from = input.text("from", makeAddress(world, network));
  const transactionHash = input.text("transactionHash", newTransactionHash(world, network));
  const movement = { owner, type: "cryptoDeposit", currency, units };
  const { id: transactionId } = recordTransaction(world, movement, historyStatuses[status]);
  const data = { units, currency, network, from, transactionHash, transactionId };
  const deposit = world.create("cryptoDeposit", { id: world.ids.uuid(), owner, data, states: { status } });
  if (status === "SENT") creditLater(world, deposit);
  return deposit;
}

function receiverOf(world: MockWorld, input: EventFields): { owner: string | null; currency: string; network: string } {
  const { externalUserId } = input.values;
  if (input.values.wallet !== undefined) {
    const address = input.text("wallet");
    const wallet = world.records.list("wallet").find(({ id }) => normaliseAddress(id) === normaliseAddress(address));
    if (wallet === undefined) {
      throw new ControlError(`wallet: no user has the address ${address}, and the partner does not have it either.`);
    }
    const { currency } = wallet.data;
    const requestedCurrency = input.text("currency", currency).toLowerCase();
    if (requestedCurrency !== currency)
      throw new ControlError(`currency: the wallet is for ${currency}. Leave currency out.`);
    return { owner: wallet.owner, currency, network: readNetwork(world, input, currency, wallet.data.network) };
  }
  const currency = input.text("currency", "usdc").toLowerCase();
  const network = readNetwork(world, input, currency);
  if (externalUserId === null) return { owner: null, currency, network };
  if (externalUserId === undefined) {
    throw new ControlError("Give wallet, or externalUserId, which is null for the partner.");
  }
  return { owner: requireUser(world, input.text("externalUserId")).id, currency, network };
}

const historyStatuses: Readonly<Record<string, string>> = { WAITING_FOR_TR_DATA: "IN_PROGRESS_TR_DATA" };

/** Accepts both spellings, because the specification (Crypto deposit status) shows the value `successful`, but its text names SUCCESSFUL. */
function isCredited(status: string): boolean {
  return status === "SUCCESSFUL" || status === "successful";
}

function moveDeposit(world: MockWorld, deposit: Deposit, status: string): void {
  const { transactionId } = deposit.data;
  if (isCredited(status) || status === "UNSUCCESSFUL") endTransaction(world, transactionId, isCredited(status));
  else setTransactionStatus(world, transactionId, historyStatuses[status] ?? "IN_PROGRESS");
  world.move(deposit, status);
  if (status === "SENT") creditLater(world, deposit);
}

function creditLater(world: MockWorld, { id }: Deposit): void {
  world.schedule(world.assumptions.delays.cryptoDeposit, "creditCryptoDeposit", { cryptoDepositId: id });
}

function canBeCredited(world: MockWorld, { owner, data }: Deposit): boolean {
  return isActive(world, owner) && data.units >= minimumDeposit(world, data.currency, data.network);
}

function minimumDeposit(world: MockWorld, currency: string, network: string): bigint {
  const configuration = configuredNetworks(world, currency)[network];
  if (configuration === undefined) throw new MockError(`The mock has no ${currency} on ${network}.`);
  return unitsOf(world, configuration.minDeposit, currency);
}

/** Unlike the event, the details have a transaction hash only in the statuses SENT and SUCCESSFUL. */
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
    transactionHash: status === "SENT" || isCredited(status) ? transactionHash : null,
    createdAt: timestamp(createdAt),
  };
}
