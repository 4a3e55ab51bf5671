/** What every operation does, every job, every event and every external event, from all areas. */

import type { Scripts } from "../kernel/world.ts";
import { balances } from "./balances.ts";
import type { AnyBehaviour, Area, EventTrigger, MockWorld } from "./behaviour.ts";
import { cards } from "./cards.ts";
import { cryptoDeposits } from "./crypto-deposits.ts";
import { cryptoWithdrawals } from "./crypto-withdrawals.ts";
import { exchangeArea } from "./exchanges.ts";
import { history } from "./history.ts";
import { kyc } from "./kyc.ts";
import { orders } from "./orders.ts";
import { partner } from "./partner.ts";
import { paymentLinks } from "./payment-links.ts";
import { proofOfAddress } from "./proof-of-address.ts";
import type { ResourceData } from "./records.ts";
import { sepa } from "./sepa.ts";
import { transfers } from "./transfers.ts";
import { users } from "./users.ts";
import { verification } from "./verification.ts";
import { wallets } from "./wallets.ts";

const areas = [
  balances,
  cards,
  cryptoDeposits,
  cryptoWithdrawals,
  exchangeArea,
  history,
  kyc,
  orders,
  partner,
  paymentLinks,
  proofOfAddress,
  sepa,
  transfers,
  users,
  verification,
  wallets,
] as const;

/** What an operation does. One without an entry answers its documented example. */
export const behaviours: Readonly<Record<string, AnyBehaviour>> = merge(
  areas.map((area: Area<never>) => (area.operations ?? {}) as Readonly<Record<string, AnyBehaviour>>),
);

/** The jobs and the events, for a world. */
export const scripts: Scripts<ResourceData> = {
  jobs: merge(areas.map((area: Area<never>) => area.jobs ?? {})),
  events: merge(areas.map((area: Area<never>) => area.events ?? {})),
};

/** The external events, by `resource.event` of `openapi/resources.yaml`. */
export const eventTriggers: Readonly<Record<string, EventTrigger>> = merge(
  areas.map((area: Area<never>) => area.externalEvents ?? {}),
);

export type { MockWorld };

/** @throws {TypeError} when two areas have an entry of one name. */
function merge<Entry>(parts: readonly Readonly<Record<string, Entry>>[]): Record<string, Entry> {
  const merged: Record<string, Entry> = {};
  for (const [name, entry] of parts.flatMap((part) => Object.entries(part))) {
    if (Object.hasOwn(merged, name)) throw new TypeError(`Two areas of the mock have an entry ${name}.`);
    merged[name] = entry;
  }
  return merged;
}
