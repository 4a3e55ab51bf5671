import type { MockWorldControl } from "../mock/control/index.ts";
import type { Plan } from "../mock/plan/index.ts";
import { failureOf } from "./caller.ts";
import type { CallOperation } from "./conditions.ts";

export interface ReceivedEvent {
  readonly webhook: string;
  readonly path: string;
  readonly body: string;
}

/** Decimal strings by user and currency, such as `user-a/eur`. */
export type Sums = Readonly<Record<string, string>>;

export interface EventSequence {
  readonly events: readonly ReceivedEvent[];
  readonly truth: Sums;
  /** How each movement of money changes the sums; this shows the cause of a wrong sum. */
  readonly movements: readonly { readonly what: string; readonly sums: Sums }[];
}

export const receiverIban = "DE02120300000000202051";
const sepa = { currency: "eur", destinationIban: receiverIban, transferTitle: "PAYOUT" };

interface Step {
  readonly what: string;
  readonly sums: Sums;
  /** The operation of the call that the mock first accepts and later lets fail. */
  readonly failing?: string;
  readonly act: (world: MockWorldControl, call: CallOperation) => Promise<unknown> | unknown;
}

/** Incoming money of two users, with two equal deposits. The steps of {@link evening} move money to the other user, or out. */
const day: readonly Step[] = [
  {
    what: "the transfer of 20.00 to user-a",
    sums: { "user-a/eur": "20.00" },
    act: (_, call) => call("createTransfer", { destinationExternalUserId: "user-a", currency: "eur", amount: "20.00" }),
  },
  ...[1, 2].map((number) => ({
    what: `the SEPA deposit of 55.10 (${number} of 2)`,
    sums: { "user-a/eur": "55.10" },
    act: (world: MockWorldControl) =>
      world.triggerEvent("sepaDeposit", "depositArrives", { externalUserId: "user-a", amount: "55.10" }),
  })),
  {
    what: "the crypto deposit of 100",
    sums: { "user-b/usdc": "100" },
    act: (world) =>
      world.triggerEvent("cryptoDeposit", "depositArrives", {
        ...{ externalUserId: "user-b", currency: "usdc", network: "polygon", amount: "100" },
      }),
  },
];

const evening: readonly Step[] = [
  {
    what: "the transfer of 5.00 from user-a to user-b",
    sums: { "user-a/eur": "-5.00", "user-b/eur": "5.00" },
    act: (_, call) =>
      call("createTransfer", {
        ...{ sourceExternalUserId: "user-a", destinationExternalUserId: "user-b", currency: "eur", amount: "5.00" },
      }),
  },
  {
    what: "the transfer of 2.50 from user-a",
    sums: { "user-a/eur": "-2.50" },
    act: (_, call) => call("createTransfer", { sourceExternalUserId: "user-a", currency: "eur", amount: "2.50" }),
  },
  {
    what: "the SEPA transfer of 9.00",
    sums: { "user-a/eur": "-9.00" },
    act: (_, call) => call("createSepaTransfer", { ...sepa, sourceExternalUserId: "user-a", amount: "9.00" }),
  },
];

const failing: readonly Step[] = [
  {
    what: "the transfer of 4.00 to user-b, which failed",
    sums: { "user-b/eur": "4.00" },
    failing: "createTransfer",
    act: (_, call) => call("createTransfer", { destinationExternalUserId: "user-b", currency: "eur", amount: "4.00" }),
  },
  {
    what: "the SEPA transfer of 7000.00, which failed",
    sums: { "user-a/eur": "-7000.00" },
    act: (_, call) => call("createSepaTransfer", { ...sepa, sourceExternalUserId: "user-a", amount: "7000.00" }),
  },
];

const days = 2;

export async function makeEventSequence(
  plan: Plan,
  world: MockWorldControl,
  call: CallOperation,
  hasFailures: boolean,
): Promise<EventSequence> {
  await world.clock.freeze();
  for (const user of ["user-a", "user-b"]) world.users.create(user, { verified: true });
  world.partner.fund({ eur: "1000.00" });
  await world.clock.advance("1 minute");
  const earlier = world.deliveries.length;
  const movements: EventSequence["movements"][number][] = [];
  for (let number = 0; number < days; number += 1) {
    for (const steps of [day, [...evening, ...(hasFailures ? failing : [])]]) {
      for (const { what, sums, act, failing: operation } of steps) {
        if (operation !== undefined) world.faults.add({ operation, ends: failureOf(plan, operation) ?? "" });
        await act(world, call);
        movements.push({ what, sums });
      }
      await world.clock.advance("1 minute");
    }
  }
  const truth = world.users.list.flatMap(({ externalUserId, funds }) =>
    Object.entries(funds).map(([currency, amount]) => [`${externalUserId}/${currency}`, amount]),
  );
  const events = world.deliveries.slice(earlier).map(({ webhook, path, body }) => ({ webhook, path, body }));
  return { events, truth: Object.fromEntries(truth), movements };
}

/** Returns the body of the event with the given members replaced. With a new `id`, it is a different event. */
export function changed({ body }: ReceivedEvent, members: object): string {
  return JSON.stringify({ ...JSON.parse(body), ...members });
}

export function freshId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}
