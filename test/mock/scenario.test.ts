/** A world that begins with the state after the scenario: what the documentation shows is found in it. */
import { beforeAll, describe, expect, it } from "vitest";
import type { MockWorld } from "../../scripts/mock/behaviours/behaviour.ts";
import { accountOf } from "../../scripts/mock/behaviours/funds.ts";
import { Clock } from "../../scripts/mock/kernel/clock.ts";
import { createMock, startMock } from "../../scripts/mock/mock.ts";
import type { Plan } from "../../scripts/mock/plan/plan.ts";
import { beginScenario } from "../../scripts/mock/scenario.ts";
import { type AcceptedCall, act, makeWorld } from "../../scripts/mock/tenants/act.ts";
import { loadPlan } from "../../scripts/plan/index.ts";
import type { Step } from "../../scripts/plan/scenario/steps.ts";
import { sources } from "../support/contract.ts";

const machine = Date.parse("2027-11-01T00:00:00.000Z");
const end = Date.parse("2026-05-05T09:30:00.000Z");
let plan: Plan;
let world: MockWorld;

function seeded(clock = new Clock(() => machine)): MockWorld {
  const made = makeWorld(plan, { seed: "any", clock });
  beginScenario(made, plan.scenario ?? { problem: "There is none." });
  return made;
}

beforeAll(async () => {
  plan = await loadPlan();
  world = seeded();
});

function read(operationId: string, about: Partial<AcceptedCall> = {}) {
  const operation = plan.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(operationId);
  return act(world, { operation, path: {}, query: {}, body: undefined, amounts: {}, files: {}, ...about });
}

describe("the scenario in the mock", () => {
  it.each([
    ["user-1042", "eur", "358.10"],
    ["user-1042", "usdc", "115.600000"],
    ["user-1042", "btc", "0.04050000"],
    [null, "eur", "7549.90"],
    [null, "usdc", "389.600000"],
    [null, "btc", "0.00150000"],
  ])("%s has %s %s at the end of April", (owner, currency, amount) => {
    const decimals = plan.assumptions.currencies.list[currency]?.decimals ?? 0;
    const units = world.ledger.postings
      .filter(({ at }) => at < Date.parse("2026-05-01"))
      .filter((posting) => posting.currency === currency)
      .reduce((sum, { from, to, units: moved }) => {
        return sum + (to === accountOf(owner) ? moved : 0n) - (from === accountOf(owner) ? moved : 0n);
      }, 0n);
    expect(units).toBe(BigInt(amount.replace(".", "")));
    expect(amount.split(".")[1]).toHaveLength(decimals);
  });

  it("knows every identifier that a lookup of the scenario is asked for, afterwards too", () => {
    const { timeline } = sources.document(sources.layout.scenario).parsed as { timeline: Step[] };
    const lookups = timeline.filter(({ operation = "" }) =>
      /^get\w+(Details|History|Info|Balances|Status)$/.test(operation),
    );
    expect(lookups.length).toBeGreaterThan(30);
    for (const { operation = "", path = {}, query = {} } of lookups) {
      const { status } = read(operation, { path, query });
      expect(status, `${operation} ${JSON.stringify({ path, query })}`).toBe(200);
    }
  });

  it("goes on at the time of its last step", () => {
    const clock = new Clock(() => machine);
    seeded(clock);
    expect(clock.now).toBe(end);
    expect(clock.isFrozen).toBe(false);
    const frozen = new Clock(() => machine);
    frozen.freeze();
    seeded(frozen);
    expect(frozen.state).toEqual({ offset: 0, frozenAt: end });
  });

  it("goes on by itself: what its last steps have begun comes to an end", () => {
    const clock = new Clock(() => machine);
    const world = seeded(clock);
    const last = () => world.records.get("sepaTransfer", "068fe849-f98f-4a0d-9a23-cea1a9c59a2d").states.status;
    expect(last()).toBe("IN_PROGRESS");
    world.runJobs(end + 60_000);
    expect(last()).toBe("SUCCESSFUL");
    expect(world.records.get("cryptoDeposit", "1ed194c9-74a6-4dcb-9030-f10b7d53a464").states.status).toBe(
      "WAITING_FOR_VERIFICATION",
    );
  });
});

describe("a state that a mock begins with", () => {
  const options = { clock: "2026-03-10T09:00:00Z", edition: "test" } as const;

  it("is that of each world, until and after a reset, and a copy", async () => {
    const first = createMock(plan, options);
    first.users.create("user-a", { verified: true, extended: true, funds: { eur: "5.00" } });
    const state = first.state();
    const started = await startMock(plan, { ...options, state });
    const seconds = [createMock(plan, { ...options, state }), started];
    for (const second of seconds) {
      expect(second.state()).toEqual(state);
      second.users.fund("user-a", { eur: "1.00" });
      second.reset();
      expect(second.tenant("another").state()).toEqual(state);
    }
    await started.close();
    (state.entities[0] as { states: object }).states = {};
    expect(seconds[0]?.state()).toEqual(first.state());
  });

  it("is refused where it does not fit the contract", async () => {
    const state = createMock(plan, options).state();
    const wrong = { ...state, jobs: [{ name: "none", due: 0, about: {} }] };
    expect(() => createMock(plan, { state: wrong })).toThrow("The state: There is no job none.");
    await expect(startMock(plan, { state: { ...state, format: 7 } })).rejects.toThrow("format must be 2");
  });
});
