/** A session that starts with the contract's story: what the documentation shows is found in it. */
import { beforeAll, describe, expect, it } from "vitest";
import { accountOf } from "../../scripts/mock/behaviours/funds.ts";
import { Clock } from "../../scripts/mock/kernel/clock.ts";
import type { Plan } from "../../scripts/mock/plan/plan.ts";
import { type Step, seedScenario } from "../../scripts/mock/scenario/seed.ts";
import { type AcceptedCall, Session } from "../../scripts/mock/tenants/session.ts";
import { loadPlan } from "../../scripts/plan/index.ts";

const machine = Date.parse("2027-11-01T00:00:00.000Z");
const end = Date.parse("2026-05-05T09:30:00.000Z");
let plan: Plan;
let session: Session;
/** What the mock answers in another way than the story shows, by the operation and the place. */
const differences: string[] = [];

function seeded(clock = new Clock(() => machine), onAnswer?: Parameters<typeof seedScenario>[2]): Session {
  const made = new Session({ plan, seed: "story", clock });
  seedScenario(made, plan.scenario, onAnswer);
  return made;
}

beforeAll(async () => {
  plan = await loadPlan();
  session = seeded(undefined, (step, { status, body }) => {
    if (status !== step.status) differences.push(`${step.operation} ${step.at}: status ${status}`);
    else differences.push(...differing(body, step.answer).map((place) => `${step.operation}${place}`));
  });
});

/** The places in which an answer is not as it is shown. Something that is shown without a field says nothing of it. */
function differing(answered: unknown, shown: unknown, place = ""): string[] {
  if (typeof shown !== "object" || shown === null || typeof answered !== "object" || answered === null) {
    return Object.is(answered, shown) ? [] : [place];
  }
  if (place === "/cryptoBalances") {
    // The mock knows more currencies than each balance of the story.
    const balances = answered as { name: string }[];
    return (shown as { name: string }[]).flatMap((balance) =>
      differing(
        balances.find(({ name }) => name === balance.name),
        balance,
        `${place}/${balance.name}`,
      ),
    );
  }
  const isList = Array.isArray(shown);
  if (isList && shown.length !== (answered as unknown[]).length) return [`${place} (length)`];
  return Object.entries(shown).flatMap(([name, value]) => {
    return differing((answered as Record<string, unknown>)[name], value, `${place}/${isList ? "*" : name}`);
  });
}

function read(operationId: string, about: Partial<AcceptedCall> = {}) {
  const operation = plan.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(operationId);
  return session.act({ operation, path: {}, query: {}, body: undefined, amounts: {}, files: {}, ...about });
}

describe("the story in the mock", () => {
  it("differs from the documented answers only where the mock assumes something else, or the moment is another one", () => {
    expect([...new Set(differences)].sort()).toEqual([
      // Messages name what was sent, and the examples of codes have times of their own.
      "addPoaFiles/errorMessage",
      "addPoaFiles/timestamp",
      "addUserVerification/errorMessage",
      "addUserVerification/timestamp",
      // The attempt on the hosted page is checked a second later, not half an hour.
      "getKycStatus/attemptStatus",
      // The story names no query, so that its three fees are asked for with one.
      "getNetworkFee/networkFee",
      // Rates move in the story. The partner's account exists from the start.
      "getPartnerBalances/cryptoBalances/btc/rate",
      "getPartnerBalances/cryptoBalances/ltc/rate",
      "getPartnerBalances/cryptoBalances/usdc/rate",
      "getPartnerBalances/fiatBalances/*/iban",
      "getPartnerBalances/fiatBalances/*/status",
      // All accounts are at one bank.
      "getPartnerSepaDepositInfo/address",
      "getPartnerSepaDepositInfo/swift",
      "getSepaDepositInfo/address",
      "getSepaDepositInfo/swift",
      "getUserBalances/cryptoBalances/btc/rate",
      "getUserBalances/cryptoBalances/usdc/rate",
      // Lena gets both wallets at once.
      "getUserBalances/cryptoBalances/usdc/wallet",
      // Times are in UTC.
      "listUserCards/*/createdAt",
    ]);
  });

  it.each([
    ["user-1042", "eur", "358.10"],
    ["user-1042", "usdc", "115.600000"],
    ["user-1042", "btc", "0.04050000"],
    [null, "eur", "7549.90"],
    [null, "usdc", "389.600000"],
    [null, "btc", "0.00150000"],
  ])("%s has %s %s at the end of April", (owner, currency, amount) => {
    const decimals = plan.assumptions.currencies.list[currency]?.decimals ?? 0;
    const units = session.world.ledger.postings
      .filter(({ at }) => at < Date.parse("2026-05-01"))
      .flatMap(({ entries }) => entries)
      .filter((entry) => entry.account === accountOf(owner) && entry.currency === currency)
      .reduce((sum, entry) => sum + entry.units, 0n);
    expect(units).toBe(BigInt(amount.replace(".", "")));
    expect(amount.split(".")[1]).toHaveLength(decimals);
  });

  it("has no money from nowhere", () => {
    for (const currency of Object.keys(plan.assumptions.currencies.list)) {
      expect(session.world.ledger.total(currency), currency).toBe(0n);
    }
  });

  it("knows every identifier that a lookup of the story is asked for, afterwards too", () => {
    const { timeline } = plan.scenario as { timeline: Step[] };
    const lookups = timeline.filter(({ operation = "" }) =>
      /^get\w+(Details|History|Info|Balances|Status)$/.test(operation),
    );
    expect(lookups.length).toBeGreaterThan(30);
    for (const { operation = "", path = {}, query = {} } of lookups) {
      const { status } = read(operation, { path, query });
      expect(status, `${operation} ${JSON.stringify({ path, query })}`).toBe(200);
    }
  });

  it("has told the partner of every state that the story tells of, and shown what it shows", () => {
    const { timeline } = plan.scenario as { timeline: Step[] };
    const sent = session.world.outbox.events.map(({ webhook, body }) => ({ webhook, body: JSON.parse(body) }));
    const missing = timeline
      .filter(({ webhook }) => webhook !== undefined)
      .filter(
        ({ webhook, body }) =>
          !sent.some((event) => event.webhook === webhook && differing(event.body, body).length === 0),
      );
    // The code is random, and the mock does not say why a transfer failed that it would have refused.
    expect(missing.map(({ webhook, at }) => `${webhook} ${at}`)).toEqual([
      "cardActivationCode 2026-04-02T10:00:10.000Z",
      "p2pTransfer 2026-04-03T12:00:10.000Z",
    ]);
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
    const { world } = seeded(clock);
    const last = () => world.records.get("sepaTransfer", "068fe849-f98f-4a0d-9a23-cea1a9c59a2d").states.status;
    expect(last()).toBe("IN_PROGRESS");
    world.runJobs(end + 60_000);
    expect(last()).toBe("SUCCESSFUL");
    expect(world.records.get("cryptoDeposit", "1ed194c9-74a6-4dcb-9030-f10b7d53a464").states.status).toBe(
      "WAITING_FOR_VERIFICATION",
    );
  });

  it("is the same with the same seed", () => {
    const texts = [seeded(), seeded()].map(({ world }) =>
      JSON.stringify([world.records.dump(), world.outbox.events, world.jobs.waiting], (_key, value) => {
        return typeof value === "bigint" ? String(value) : value;
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  it("cannot be told when an example is missing", () => {
    const { timeline, ...rest } = plan.scenario as { timeline: Step[] };
    const without = { ...rest, timeline: timeline.map(({ answer: _answer, ...step }) => step) };
    const made = new Session({ plan, seed: "story" });
    expect(() => seedScenario(made, without)).toThrow("the example of createUserAccount is missing");
    expect(made.world.records.dump().entities).toEqual([]);
  });
});
