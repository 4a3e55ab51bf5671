/** The client in every world: each answer to an open question that can be run, and sets of answers about money. */
import { describe, expect, it } from "vitest";
import { createMock } from "../../../scripts/mock/host/mock.ts";
import { makeClient } from "../../support/clients.ts";
import { plan } from "../../support/plan.ts";
import { callAll, problemsOf } from "./calls.ts";
import { areCompatible, coveringWorlds, nameOf, worlds } from "./worlds.ts";

const moneyWorlds = coveringWorlds("money", 1);

describe("the client never rejects, calls no success an error, and tells deviations", () => {
  it.each(worlds.map((world) => [nameOf(world), world] as const))("with %s", async (_name, world) => {
    expect(problemsOf(await callAll(world))).toEqual([]);
  });

  it.each(moneyWorlds.sets.map((set, index) => [index + 1, set] as const))(
    "with set %i of answers about money",
    async (_, set) => {
      expect(problemsOf(await callAll(set)), nameOf(set)).toEqual([]);
    },
  );
});

it("the sets cover every compatible pair of answers about money", () => {
  const coveredPairs = new Set<string>();
  for (const set of moneyWorlds.sets) {
    expect(areCompatible(set)).toBe(true);
    const levels = Object.entries(set).map((level) => level.join("="));
    for (const [index, level] of levels.entries())
      for (const otherLevel of levels.slice(index + 1)) coveredPairs.add([level, otherLevel].sort().join());
  }
  expect(moneyWorlds.pairCount).toBeGreaterThan(1000);
  expect(coveredPairs.size).toBe(moneyWorlds.pairCount);
});

it("a success without what its type requires is unknown", async () => {
  const changes = {
    createCryptoWithdrawal: { withdrawalId: { as: "id" } },
    createTransfer: { transferId: { as: "id" } },
    createOrderRateLock: { rate: { form: "text" } },
    createPaymentLink: { paymentLinkId: { as: "id" } },
  } as const;
  const mock = createMock(plan, { edition: "test", assume: { shapes: { bodies: changes } } });
  mock.users.create("user-1", { verified: true, funds: { eur: "100", usdc: "100" } });
  const client = makeClient("test", mock.clientOptions);
  const withdrawal = {
    sourceExternalUserId: "user-1",
    currency: "usdc",
    amount: "20",
    network: "polygon",
    name: "Ada Example",
    walletAddress: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    walletType: "OTHER",
    receiverType: "NATURAL",
  };
  const bodies: Record<keyof typeof changes, object> = {
    createCryptoWithdrawal: withdrawal,
    createTransfer: { sourceExternalUserId: "user-1", amount: "1.00", currency: "eur" },
    createOrderRateLock: { currency: "btc", amount: "100.00", network: "btc" },
    createPaymentLink: { amount: "10.00", currency: "eur", title: "Invoice" },
  };
  for (const [operationId, body] of Object.entries(bodies)) {
    const { error } = (await client[operationId]?.({ body })) ?? {};
    expect([operationId, error?.outcome]).toEqual([operationId, "unknown"]);
  }
  mock.close();
});
