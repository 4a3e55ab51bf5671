import type { MockWorldControl } from "../mock/control/index.ts";
import type { Plan } from "../mock/plan/index.ts";
import { failureStatusOf } from "./caller.ts";
import type { CallOperation } from "./conditions.ts";

export interface ReceivedEvent {
  readonly webhook: string;
  readonly path: string;
  readonly body: string;
}

/** Sums of money as decimal strings, by user and currency, such as `user-a/eur`. */
export type Sums = Readonly<Record<string, string>>;

export interface EventSequence {
  readonly events: readonly ReceivedEvent[];
  readonly expectedSums: Sums;
  /** The movements of money, each with the change of the sums that it causes or, if it failed, would have caused. They explain a wrong sum. */
  readonly movements: readonly { readonly description: string; readonly sums: Sums }[];
}

export const receiverIban = "DE02120300000000202051";
const sepaBody = { currency: "eur", destinationIban: receiverIban, transferTitle: "PAYOUT" };

interface Step {
  readonly description: string;
  readonly sums: Sums;
  /** The operation that gets a fault, so that the mock accepts the call and the created resource fails later; absent if no fault is needed. */
  readonly failingOperation?: string;
  readonly act: (world: MockWorldControl, call: CallOperation) => Promise<unknown> | unknown;
}

const incomingSteps: readonly Step[] = [
  {
    description: "the transfer of 20.00 to user-a",
    sums: { "user-a/eur": "20.00" },
    act: (_, call) => call("createTransfer", { destinationExternalUserId: "user-a", currency: "eur", amount: "20.00" }),
  },
  ...[1, 2].map((number) => ({
    description: `the SEPA deposit of 55.10 (${number} of 2)`,
    sums: { "user-a/eur": "55.10" },
    act: (world: MockWorldControl) =>
      world.triggerEvent("sepaDeposit", "depositArrives", { externalUserId: "user-a", amount: "55.10" }),
  })),
  {
    description: "the crypto deposit of 100",
    sums: { "user-b/usdc": "100" },
    act: (world) =>
      world.triggerEvent("cryptoDeposit", "depositArrives", {
        externalUserId: "user-b",
        currency: "usdc",
        network: "polygon",
        amount: "100",
      }),
  },
];

const outgoingSteps: readonly Step[] = [
  {
    description: "the transfer of 5.00 from user-a to user-b",
    sums: { "user-a/eur": "-5.00", "user-b/eur": "5.00" },
    act: (_, call) =>
      call("createTransfer", {
        sourceExternalUserId: "user-a",
        destinationExternalUserId: "user-b",
        currency: "eur",
        amount: "5.00",
      }),
  },
  {
    description: "the transfer of 2.50 from user-a",
    sums: { "user-a/eur": "-2.50" },
    act: (_, call) => call("createTransfer", { sourceExternalUserId: "user-a", currency: "eur", amount: "2.50" }),
  },
  {
    description: "the SEPA transfer of 9.00",
    sums: { "user-a/eur": "-9.00" },
    act: (_, call) => call("createSepaTransfer", { ...sepaBody, sourceExternalUserId: "user-a", amount: "9.00" }),
  },
];

const failingSteps: readonly Step[] = [
  {
    description: "the transfer of 4.00 to user-b, which failed",
    sums: { "user-b/eur": "4.00" },
    failingOperation: "createTransfer",
    act: (_, call) => call("createTransfer", { destinationExternalUserId: "user-b", currency: "eur", amount: "4.00" }),
  },
  {
    description: "the SEPA transfer of 7000.00, which failed",
    sums: { "user-a/eur": "-7000.00" },
    act: (_, call) => call("createSepaTransfer", { ...sepaBody, sourceExternalUserId: "user-a", amount: "7000.00" }),
  },
];

const roundCount = 2;

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
  const initialEventCount = world.deliveries.length;
  const movements: EventSequence["movements"][number][] = [];
  for (let number = 0; number < roundCount; number += 1) {
    for (const steps of [incomingSteps, [...outgoingSteps, ...(hasFailures ? failingSteps : [])]]) {
      for (const { description, sums, act, failingOperation: operation } of steps) {
        if (operation !== undefined) world.faults.add({ operation, ends: failureStatusOf(plan, operation) ?? "" });
        await act(world, call);
        movements.push({ description, sums });
      }
      await world.clock.advance("1 minute");
    }
  }
  const balances = world.users.list.flatMap(({ externalUserId, funds }) =>
    Object.entries(funds).map(([currency, amount]) => [`${externalUserId}/${currency}`, amount]),
  );
  const events = world.deliveries.slice(initialEventCount).map(({ webhook, path, body }) => ({ webhook, path, body }));
  return { events, expectedSums: Object.fromEntries(balances), movements };
}

/** With a new `id`, the body is that of a different event. */
export function withMembers({ body }: ReceivedEvent, members: object): string {
  return JSON.stringify({ ...JSON.parse(body), ...members });
}

export function makeId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}
