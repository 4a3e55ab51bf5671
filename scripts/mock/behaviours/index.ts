import { applyShape } from "../answers/shape.ts";
import type { WorldHooks } from "../kernel/world.ts";
import type { Entity } from "../plan/data.ts";
import { balances } from "./balances.ts";
import type { AnyCall, BehaviourGroup, MockWorld } from "./behaviour.ts";
import { cards } from "./cards.ts";
import { cryptoDeposits } from "./crypto-deposits.ts";
import { cryptoWithdrawals } from "./crypto-withdrawals.ts";
import { documentedEvent } from "./documented.ts";
import { exchanges } from "./exchanges.ts";
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

const bankingGroups = [balances, cards, history, sepa, transfers, wallets];
const cryptoGroups = [cryptoDeposits, cryptoWithdrawals, exchanges, orders, paymentLinks];
const behaviourGroups: readonly BehaviourGroup[] = [...bankingGroups, ...cryptoGroups, kyc, users, verification];

type AnyBehaviour = (call: AnyCall) => { readonly status: number; readonly body: unknown } | undefined;

/**
 * The behaviours by operationId. An operation without a behaviour makes the immediate changes of its `x-effects`, and responds with its
 * documented example.
 */
export const behaviours: Readonly<Record<string, AnyBehaviour>> = mergeGroups("operations");

const events: Readonly<Record<string, (world: MockWorld, entity: Entity) => object>> = mergeGroups("events");

export const hooks: WorldHooks<ResourceData> = {
  jobs: mergeGroups("jobs"),
  eventOf: (world, webhook, entity) => events[webhook.name]?.(world, entity) ?? documentedEvent(world, webhook, entity),
  shapeBody: ({ assumptions }, { name, examples, validator }, body) =>
    applyShape(assumptions.shapes, body, { bodyKeys: [name], isValid: validator, examples: Object.values(examples) }),
  sentOnlyByBehaviours: behaviourGroups.flatMap(({ sentOnlyByBehaviours = [] }) => sentOnlyByBehaviours),
};

const triggers: Readonly<Record<string, (world: MockWorld, input: EventFields) => Entity>> =
  mergeGroups("externalEvents");

export const eventTriggers = Object.fromEntries(
  Object.entries(triggers).map(([name, trigger]) => [
    name,
    (world: MockWorld, values: EventFields["values"]) => trigger(world, new EventFields(values)),
  ]),
);

function mergeGroups<Entry>(part: keyof BehaviourGroup): Record<string, Entry> {
  const entries = behaviourGroups.flatMap((group) => Object.entries(group[part] ?? {}));
  const mergedEntries = Object.fromEntries(entries);
  if (Object.keys(mergedEntries).length < entries.length)
    throw new TypeError(`Two areas of the mock have ${part} with the same name.`);
  return mergedEntries;
}
