/** Money that arrives by SEPA. It is credited when its title and the account are right. */

import type { Entity } from "../kernel/records.ts";
import { amountText } from "./amounts.ts";
import { fiatBalanceOf } from "./balances.ts";
import type { Area, MockWorld, Reply } from "./behaviour.ts";
import { expect, giveBack, outside, settle } from "./funds.ts";
import { type Given, HappeningError, read } from "./happening.ts";
import { givenUnits } from "./happening-amount.ts";
import { subjectBecoming } from "./happening-subject.ts";
import { makeSenderIban } from "./ibans.ts";
import { isActive, isPresent, nameOf } from "./owners.ts";
import type { BalanceData, SepaDepositData } from "./records.ts";
import { timestamp } from "./timestamps.ts";

const decisions = ["SUCCESSFUL", "UNSUCCESSFUL"];

export const sepaDeposits: Pick<Area<never>, "jobs" | "events" | "outside"> = {
  jobs: {
    endSepaDeposit(world, { sepaDepositId = "", status = "" }) {
      const deposit = world.records.get("sepaDeposit", sepaDepositId);
      if (deposit.states.status !== "IN_PROGRESS") return;
      const isWanted = status === "SUCCESSFUL" && isPresent(world, deposit.owner);
      decide(world, deposit, status === "" ? isRight(world, deposit) : isWanted);
    },
  },

  events: {
    sepaDeposit: {
      body: (world, { id, owner, states, data, createdAt }: Entity<SepaDepositData>) => ({
        id,
        externalUserId: owner,
        amount: amountText(world, data.units, data.currency),
        currency: data.currency,
        transferTitle: data.transferTitle,
        sourceAccountNumber: data.sourceAccountNumber,
        status: states.status,
        createdAt: timestamp(createdAt),
      }),
    },
  },

  outside: {
    /** @param about externalUserId (null for the partner) or transferTitle, amount; sourceAccountNumber, issuer, status. */
    "sepaDeposit.depositArrives": (world, about) => {
      const given = read(about);
      const { owner, data: account } = receiverOf(world, about, given);
      const currency = given.choice("currency", [account.currency], account.currency);
      const units = givenUnits(world, given, { field: "amount", currency, otherwise: "100.00" });
      const status = about.status === undefined ? "" : given.choice("status", decisions);
      const fields = {
        transferTitle: given.text("transferTitle", account.transferTitle),
        sourceAccountNumber: given.text("sourceAccountNumber", usualSourceOf(world, owner)),
        issuer: given.text("issuer", world.plan.assumptions.bank.sender),
      };
      const { id: transactionId } = expect(world, { owner, type: "sepaDeposit", currency, units, fields });
      const data = { units, currency, ...fields, transactionId };
      const deposit = world.create("sepaDeposit", { id: world.ids.uuid(), owner, data });
      const { delays } = world.plan.assumptions;
      world.later(delays.sepaDeposit, "endSepaDeposit", { sepaDepositId: deposit.id, status });
      return deposit;
    },

    "sepaDeposit.depositIsDecided": (world, about) => {
      const status = read(about).choice("status", decisions, "SUCCESSFUL");
      const deposit = subjectBecoming(world, "sepaDeposit", about, status);
      if (status === "SUCCESSFUL" && !isPresent(world, deposit.owner)) {
        throw new HappeningError(`${deposit.owner} was deleted: the deposit can only become UNSUCCESSFUL.`);
      }
      decide(world, deposit, status === "SUCCESSFUL");
      return deposit;
    },
  },
};

/** The accounts from which deposits were credited, as those of their owner: what makes a contact is not stated (Q-unshown-operations). */
export function contactsOf(world: MockWorld, owner: string | null): Reply<"listSepaDepositContacts">["body"] {
  const accountHolder = nameOf(world, owner);
  const holder = accountHolder === undefined ? {} : { accountHolder };
  return creditedSourcesOf(world, owner).map((iban) => ({ ...holder, iban }));
}

function creditedSourcesOf(world: MockWorld, owner: string | null): string[] {
  const credited = world.records.ownedBy("sepaDeposit", owner).filter(({ states }) => states.status === "SUCCESSFUL");
  return [...new Set(credited.map(({ data }) => data.sourceAccountNumber))];
}

/** The account from which the last deposit came, or a new one. */
function usualSourceOf(world: MockWorld, owner: string | null): string {
  return world.records.ownedBy("sepaDeposit", owner).at(-1)?.data.sourceAccountNumber ?? makeSenderIban(world);
}

/** The balance that a deposit is for. @throws {HappeningError} when nothing tells it. */
function receiverOf(world: MockWorld, about: Readonly<Record<string, unknown>>, given: Given): Entity<BalanceData> {
  const { externalUserId, transferTitle } = about;
  if (externalUserId === null) return fiatBalanceOf(world, null);
  if (externalUserId !== undefined) {
    const owner = given.text("externalUserId");
    const account = isPresent(world, owner) ? fiatBalanceOf(world, owner) : undefined;
    if (account !== undefined) return account;
    throw new HappeningError(`There is no user ${owner} with balances: they are generated after the verification.`);
  }
  if (transferTitle === undefined) {
    throw new HappeningError("Give externalUserId (null for the partner) or the transferTitle of the deposit info.");
  }
  const account = world.records.all("fiatBalance").find(({ data }) => data.transferTitle === transferTitle);
  if (account !== undefined && isPresent(world, account.owner)) return account;
  throw new HappeningError("No account has this transferTitle: read it with SEPA Deposit Info.");
}

/** A deposit with another title, or to an account that is not active or whose user is suspended, is not credited. */
function isRight(world: MockWorld, { owner, data }: Entity<SepaDepositData>): boolean {
  const account = fiatBalanceOf(world, owner);
  const hasTitle = account?.data.transferTitle === data.transferTitle;
  return hasTitle && account.states.status === "ACTIVE" && isActive(world, owner);
}

function decide(world: MockWorld, deposit: Entity<SepaDepositData>, isCredited: boolean): void {
  if (isCredited) settle(world, deposit.data.transactionId, outside);
  else giveBack(world, deposit.data.transactionId);
  world.move(deposit, isCredited ? "SUCCESSFUL" : "UNSUCCESSFUL");
}
