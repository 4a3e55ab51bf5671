import { setImmediate as nextTurn } from "node:timers/promises";
import { createPartnerClient } from "partner-wallet-api";
import {
  createMemoryStore,
  createPayments,
  type PaymentStore,
  type Payments,
  type PaymentsOptions,
} from "partner-wallet-api/payments";
import { createMock, type InProcessMock } from "../../../scripts/mock/host/mock.ts";
import { plan } from "../../support/plan.ts";

export const start = "2026-04-10T07:00:00.000Z";

export interface PaymentFixture {
  readonly mock: InProcessMock;
  readonly options: PaymentsOptions & { readonly store: NonNullable<PaymentsOptions["store"]> };
  readonly payments: Payments;
  /** Simulates another process with the same store. */
  createAnother(changes?: Partial<PaymentsOptions>): Payments;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  euroBalanceOf(user: string): string | undefined;
}

export function makeFixture(
  changes: Partial<PaymentsOptions> = {},
  { edition = "test" }: { edition?: "latest" | "test" } = {},
): PaymentFixture {
  const events: Record<string, unknown>[] = [];
  const handler = async (request: Request) => {
    events.push((await request.json()) as Record<string, unknown>);
    return Response.json({});
  };
  const mock = createMock(plan, { clock: start, edition, webhooks: { handler } });
  for (const user of ["user-1", "user-2"]) {
    mock.users.create(user, { verified: true, funds: { eur: "1000.00", usdc: "1000" } });
  }
  mock.partner.fund({ eur: "100000.00", usdc: "1000" });
  const client = createPartnerClient({ ...mock.clientOptions, edition: edition as "test", retries: 0 });
  const clock = {
    now: () => mock.clock.now.getTime(),
    wait: async (milliseconds: number) => {
      await waitTurns(20);
      await mock.clock.advance(milliseconds);
    },
  };
  const options = { client, store: createMemoryStore(), clock, ...changes };
  return {
    mock,
    options,
    events,
    payments: createPayments(options),
    createAnother: (changes = {}) => createPayments({ ...options, ...changes }),
    euroBalanceOf: (user) => mock.users.list.find(({ externalUserId }) => externalUserId === user)?.funds.eur,
  };
}

export async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/** A memory store whose writes take more turns of the event loop than its reads. */
export function createSlowStore(): PaymentStore {
  const slowMethods = Object.entries(createMemoryStore()).map(([name, run]) => {
    return [
      name,
      async (...args: unknown[]) =>
        waitTurns(name === "write" ? 2 : 1).then(() => (run as (...args: unknown[]) => unknown)(...args)),
    ];
  });
  return Object.fromEntries(slowMethods) as PaymentStore;
}
