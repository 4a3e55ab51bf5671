/** openapi/scenario.yaml: all examples belong to a single scenario, which the mock can play. */
import { beforeAll, describe, expect, it } from "vitest";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { scenarioState } from "../../../scripts/mock/make-plan/scenario/play.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { checks } from "./checks.ts";
import { scenarioDifferences } from "./differences.ts";
import { type Facts, readFacts, stepsWithBodies } from "./facts.ts";
import { mutations } from "./mutations.ts";

let facts: Facts;
let plan: Plan;
let differences: string[];

beforeAll(async () => {
  [facts, plan] = [await readFacts(), await loadPlan()];
  differences = scenarioDifferences(facts, plan);
});

describe("the scenario", () => {
  it.each(Object.entries(checks))("%s", (_name, check) => {
    expect(check(facts)).toEqual([]);
  });

  it("differs from the mock's responses and events only in the listed assumptions and times", () => {
    expect(differences).toEqual([
      // The mock's messages name the refused value, and error examples have other times.
      "addPoaFiles/errorMessage",
      "addPoaFiles/timestamp",
      "addUserVerification/errorMessage",
      "addUserVerification/timestamp",
      // The mock generates activation codes and CVVs.
      "cardActivationCode 2026-04-02T10:00:10.000Z: not sent",
      "createVirtualCard/cvv",
      // The mock begins to check a hosted attempt after a second. In the scenario, the attempt is still PENDING after five minutes.
      "getKycStatus/attemptStatus",
      // The scenario gives no query, so its three fee requests have the query of the parameters' examples: usdc on polygon.
      "getNetworkFee/networkFee",
      // The scenario's rates change, and its partner account does not exist from the start.
      "getPartnerBalances/cryptoBalances/btc/rate",
      "getPartnerBalances/cryptoBalances/ltc/rate",
      "getPartnerBalances/cryptoBalances/usdc/rate",
      "getPartnerBalances/fiatBalances/*/iban",
      "getPartnerBalances/fiatBalances/*/status",
      // In the mock, all accounts belong to one bank, and rates differ as above.
      "getPartnerSepaDepositInfo/address",
      "getPartnerSepaDepositInfo/swift",
      "getUserBalances/cryptoBalances/btc/rate",
      "getUserBalances/cryptoBalances/usdc/rate",
      // In the mock, the user gets all wallets at the same time.
      "getUserBalances/cryptoBalances/usdc/wallet",
      // The mock writes times in UTC.
      "listUserCards/*/createdAt",
      // The mock would have refused this transfer, so its event gives no reason for the failure.
      "p2pTransfer 2026-04-03T12:00:10.000Z: not sent",
    ]);
  });

  it("is the initial state of worlds", () => {
    const state = scenarioState(plan, stepsWithBodies(facts));
    expect(plan.scenario).toEqual(JSON.parse(JSON.stringify(state)));
  });
});

describe("a mistake in the scenario", () => {
  it.each(Object.entries(mutations))("is found: %s", async (_mistake, plant) => {
    const mutant = await readFacts();
    plant(mutant);
    const newDifferences = scenarioDifferences(mutant, plan).filter((problem) => !differences.includes(problem));
    expect(newDifferences).not.toEqual([]);
  });

  it("is reported by the plan, with the step that is not possible", () => {
    const blockedStep = { at: "2026-01-01T00:00:00.000Z", resource: "card", id: "none", event: "cardIsBlocked" };
    const problem = "There is no card whose cardId is none.";
    expect(scenarioState(plan, [blockedStep, ...stepsWithBodies(facts)])).toEqual({ problem });
  });
});
