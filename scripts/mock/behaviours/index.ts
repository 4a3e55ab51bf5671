import { applyShape } from "../answers/shape.ts";
import type { WorldHooks } from "../kernel/world.ts";
import type { Entity } from "../plan/data.ts";
import { balances } from "./balances.ts";
import type { AnyCall, Area, MockWorld } from "./behaviour.ts";
import { cards } from "./cards.ts";
import { cryptoDeposits } from "./crypto-deposits.ts";
import { cryptoWithdrawals } from "./crypto-withdrawals.ts";
import { documentedEvent } from "./documented.ts";
import { exchangeArea } from "./exchanges.ts";
import { EventFields } from "./external-event.ts";
import { history } from "./history.ts";
import { kyc } from "./kyc.ts";
import { orders } from "./orders.ts";
import { paymentLinks } from "./payment-links.ts";
import type { ResourceData } from "./records.ts";
import { sepa } from "./sepa.ts";
import { transfers } from "./transfers.ts";
import { users } from "./users.ts";
import { verification } from "./verification.ts";
import { wallets } from "./wallets.ts";

const banking = [balances, cards, history, sepa, transfers, wallets];
const crypto = [cryptoDeposits, cryptoWithdrawals, exchangeArea, orders, paymentLinks];
const areas: readonly Area[] = [...banking, ...crypto, kyc, users, verification];

type AnyBehaviour = (call: AnyCall) => { readonly status: number; readonly body: unknown } | undefined;

/** The behaviours by operationId. An operation with neither a behaviour nor `x-effects` responds with its documented example. */
export const behaviours: Readonly<Record<string, AnyBehaviour>> = mergeAreas("operations");

const events: Readonly<Record<string, (world: MockWorld, entity: Entity) => object>> = mergeAreas("events");

export const hooks: WorldHooks<ResourceData> = {
  jobs: mergeAreas("jobs"),
  eventOf: (world, webhook, entity) => events[webhook.name]?.(world, entity) ?? documentedEvent(world, webhook, entity),
  shapeBody: ({ assumptions }, { name, examples, validator }, body) =>
    applyShape(assumptions.shapes, body, { names: [name], isValid: validator, examples: Object.values(examples) }),
  sentOnlyByBehaviours: areas.flatMap(({ sentOnlyByBehaviours = [] }) => sentOnlyByBehaviours),
};

const triggers: Readonly<Record<string, (world: MockWorld, input: EventFields) => Entity>> =
  mergeAreas("externalEvents");

export const eventTriggers = Object.fromEntries(
  Object.entries(triggers).map(([name, trigger]) => [
    name,
    (world: MockWorld, values: EventFields["values"]) => trigger(world, new EventFields(values)),
  ]),
);

function mergeAreas<Entry>(part: keyof Area): Record<string, Entry> {
  const entries = areas.flatMap((area) => Object.entries(area[part] ?? {}));
  const merged = Object.fromEntries(entries);
  if (Object.keys(merged).length < entries.length)
    throw new TypeError(`Two areas of the mock have ${part} with the same name.`);
  return merged;
}
