import { describe, expect, it } from "vitest";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { hasFailed } from "../../scripts/mock/plan/index.ts";
import type { Entity } from "../../scripts/prove/journey.ts";
import { onboarding } from "../../scripts/prove/journeys/onboarding.ts";
import { payouts } from "../../scripts/prove/journeys/payouts.ts";
import { treasury } from "../../scripts/prove/journeys/treasury.ts";
import { type Receiver, receiverConditions } from "../../scripts/prove/receiver-conditions.ts";
import { operationNamed } from "../mock/codes/calls.ts";
import { plan } from "../support/plan.ts";

const makeEntity = (resource: string, data: object, members: object = {}) =>
  ({ resource, owner: null, id: "1", states: { status: "SUCCESSFUL" }, data, ...members }) as unknown as Entity;
const failedState = { states: { status: "UNSUCCESSFUL" } };

type TestMock = ReturnType<typeof createMock>;

async function callIn(mock: TestMock, operationId: string, body: object): Promise<void> {
  const { method, path } = operationNamed(plan, operationId);
  const headers = { "x-api-key": mock.apiKey, "content-type": "application/json" };
  const response = await mock.fetch(mock.baseUrl + path, { method, headers, body: JSON.stringify(body) });
  expect(response.status).toBeLessThan(300);
}

const hasFailedIn = ({ resource, states }: Entity) => hasFailed(plan, resource, states.status);

describe("the effects of payouts", () => {
  const eur = { units: "1000", currency: "eur" };
  const sepa = { ...eur, destinationIban: "DE02120300000000202051", transferTitle: "T" };
  it.each<[Entity, string, boolean?]>([
    [makeEntity("transfer", { ...eur, source: null, destination: "user-a" }), "10.00 eur to user-a"],
    [makeEntity("transfer", { ...eur, source: null, destination: "user-a" }, failedState), "10.00 eur to user-a", true],
    [makeEntity("transfer", { ...eur, source: "user-a", destination: null }), "10.00 eur from user-a"],
    [makeEntity("transfer", { ...eur, source: "a", destination: "b" }), "10.00 eur, from a to b"],
    [makeEntity("transfer", { source: null, destination: "a" }), "0.00  to a"],
    [makeEntity("sepaTransfer", sepa), '10.00 eur by SEPA to the IBAN …2051 with the title "T"'],
    [
      makeEntity("sepaTransfer", { ...sepa, destinationIban: "DE02500105170137075030" }),
      '10.00 eur by SEPA to the IBAN …5030 with the title "T"',
    ],
    [
      makeEntity("sepaTransfer", { ...sepa, destinationIban: "DE00" }),
      '10.00 eur by SEPA to an IBAN of no row, …DE00 with the title "T"',
    ],
    [makeEntity("sepaTransfer", eur), '10.00 eur by SEPA to an IBAN of no row, … with the title ""'],
    [makeEntity("sepaTransfer", sepa, { owner: "user-a" }), "10.00 eur, by SEPA of user-a"],
  ])("have the expected description: %# $resource", (madeEntity, description, hasFailed = false) => {
    const effects = payouts.findEffects([madeEntity, makeEntity("other", {})], hasFailedIn);
    expect(effects).toEqual([{ description, hasFailed }]);
  });
});

it.each([
  [
    payouts,
    ["7.50 eur to user-b", "10.00 eur from user-a", '40.00 eur by SEPA to the IBAN …2051 with the title "INVOICE 76"'],
  ],
  [treasury, ["100 eur exchanged for usdc", "25 usdc on polygon to the address …1c26"]],
])("the preparation of $name makes earlier payments, one after the other", async (journey, earlierPayments) => {
  const mock = createMock(plan, { edition: "test", clock: "2026-04-01T07:00:00Z" });
  let [openCallCount, maxOpenCallCount] = [0, 0];
  await journey.prepare(mock, async (operationId, body) => {
    openCallCount += 1;
    maxOpenCallCount = Math.max(maxOpenCallCount, openCallCount);
    await callIn(mock, operationId, body);
    openCallCount -= 1;
  });
  expect([openCallCount, maxOpenCallCount]).toEqual([0, 1]);
  const effects = journey.findEffects(mock.state().entities, hasFailedIn);
  expect(effects.map(({ description }) => description).sort()).toEqual(earlierPayments.sort());
  mock.close();
});

const transferBody = { destinationExternalUserId: "user-a", amount: "3.00", currency: "eur" };

function makeFundedMock(clock?: string): TestMock {
  const mock = createMock(plan, { edition: "test", ...(clock === undefined ? {} : { clock }) });
  mock.users.create("user-a", { verified: true });
  mock.partner.fund({ eur: "1000.00" });
  return mock;
}

describe("the conditions", () => {
  it("of onboarding are those that are not only for payments", () => {
    expect(onboarding.conditions.map(({ name }) => name)).toEqual([
      ...["no-fault", "request-lost", "response-lost", "response-cut", "proxy-502-after-effect", "proxy-504-no-effect"],
      ...["json-502-after-effect", "json-504-no-effect", "odd-status-after-effect", "new-code-after-effect"],
      ...["refused-without-code", "key-refused", "p500-after-effect", "p501-after-effect", "p501-no-effect"],
      ...["two-faults", "killed-before", "killed-after", "killed-on-response", "run-again", "run-twice-at-once"],
    ]);
  });

  it("of treasury have an expired lock, and no refusal, which its operations do not have", () => {
    const names = treasury.conditions.map(({ name }) => name);
    expect([names.includes("lock-expired"), names.includes("payment-refused")]).toEqual([true, false]);
    expect(names).toHaveLength(payouts.conditions.length - 2);
  });

  it("of a late effect and a late record have a delay", () => {
    const names = payouts.conditions.filter(({ hasDelay }) => hasDelay).map(({ name }) => name);
    expect(names).toEqual(["late-effect", "late-history"]);
  });

  it.each([
    ["response-cut", 1, "cut", 1],
    ["proxy-502-after-effect", 1, "502 no JSON", 1],
    ["proxy-504-no-effect", 1, "504 no JSON", 0],
    ["json-502-after-effect", 1, "502 JSON", 1],
    ["json-502-after-effect", 2, "504 JSON", 1],
    ["json-504-no-effect", 1, "504 JSON", 0],
    ["odd-status-after-effect", 2, "409 JSON", 1],
    ["new-code-after-effect", 2, "500 P999", 1],
    ["refused-without-code", 2, "429 no JSON", 0],
    ["payment-refused", 1, "400 P433", 0],
    ["p500-after-effect", 1, "400 P500", 1],
    ["p501-after-effect", 1, "400 P501", 1],
    ["p501-no-effect", 1, "400 P501", 0],
  ])("%s of call %i has the response %s and effects: %i", async (name, number, expected, effects) => {
    const mock = makeFundedMock();
    const fault = payouts.conditions.find((condition) => condition.name === name)?.fault;
    const call = { number, lateMs: 0, failureStatus: "", refusalCode: "P433" };
    mock.faults.add({ ...fault?.(call), operation: "createTransfer" });
    const headers = { "x-api-key": mock.apiKey, "content-type": "application/json" };
    const response = await mock.fetch(`${mock.baseUrl}/v1/transfer`, {
      method: "POST",
      headers,
      body: JSON.stringify(transferBody),
    });
    const text = await response.text().catch(() => undefined);
    const isJson = response.headers.get("content-type")?.includes("json");
    const content = isJson ? (JSON.parse(text ?? "{}").errorCode ?? "JSON") : "no JSON";
    expect(text === undefined ? "cut" : `${response.status} ${content}`).toBe(expected);
    expect(mock.state().entities.filter(({ resource }) => resource === "transfer")).toHaveLength(effects);
    mock.close();
  });

  const sepaBody = {
    currency: "eur",
    amount: "3.00",
    destinationIban: "DE02120300000000202051",
    transferTitle: "INVOICE 77",
  };
  it.each<[name: string, operation: string, body: object, effects: string[], hoursBefore: number]>([
    ["other-payments", "createTransfer", transferBody, ["2.00 eur to user-a", "3.00 eur to user-c"], 0],
    [
      "other-payments",
      "createTransfer",
      { sourceExternalUserId: "user-a", amount: "3.00", currency: "eur" },
      ["2.00 eur from user-a", "3.00 eur from user-c"],
      0,
    ],
    [
      "other-payments",
      "createPartnerSepaTransfer",
      sepaBody,
      [
        '2.00 eur by SEPA to the IBAN …2051 with the title "INVOICE 77"',
        '3.00 eur by SEPA to the IBAN …2051 with the title "INVOICE 99"',
      ],
      0,
    ],
    ["old-record", "createTransfer", transferBody, ["3.00 eur to user-a"], 1],
  ])("%s of %s makes similar payments, one after the other", async (name, operation, body, effects, hoursBefore) => {
    const mock = makeFundedMock(new Date().toISOString());
    mock.users.create("user-a", { verified: true, funds: { eur: "5.00" } });
    const times: number[] = [];
    let [openCallCount, maxOpenCallCount] = [0, 0];
    const call = async (operationId: string, body: object) => {
      openCallCount += 1;
      maxOpenCallCount = Math.max(maxOpenCallCount, openCallCount);
      times.push(mock.clock.now.getTime());
      await callIn(mock, operationId, body);
      openCallCount -= 1;
    };
    const { duringDelay } = payouts.conditions.find((condition) => condition.name === name) ?? {};
    await duringDelay?.({ world: mock, operation, reads: [], body: body as Record<string, string>, call });
    expect([openCallCount, maxOpenCallCount]).toEqual([0, 1]);
    const descriptions = payouts.findEffects(mock.state().entities, hasFailedIn).map(({ description }) => description);
    expect(descriptions.sort()).toEqual(effects);
    const hoursAgo = (time: number) => Math.round((Date.now() - time) / 3_600_000);
    expect([...times, mock.clock.now.getTime()].map(hoursAgo)).toEqual([...times.map(() => hoursBefore), 0]);
    mock.close();
  });
});

describe("the effects of treasury", () => {
  const exchange = { currencyFrom: "eur", unitsFrom: "10000", currencyTo: "usdc" };
  const withdrawal = { units: "25000000", currency: "usdc", network: "polygon" };
  const [companyAddress, personAddress] = treasury.rows.flatMap(({ address }) => address ?? []);
  const lock = makeEntity("orderLock", { fiatUnits: "32000" }, { id: "lock" });
  const otherLock = makeEntity("orderLock", { fiatUnits: "1" }, { id: "other" });
  const otherEntity = makeEntity("other", { fiatUnits: "2" }, { id: "lock" });
  const order = { cryptocurrency: "btc", network: "btc", lockId: "lock" };
  it.each<[Entity, string, boolean?]>([
    [makeEntity("exchange", exchange), "100 eur exchanged for usdc"],
    [makeEntity("exchange", exchange, { owner: "user-a" }), "100 eur exchanged for usdc, of user-a"],
    [makeEntity("exchange", { ...exchange, currencyFrom: "xyz" }), "10000 xyz exchanged for usdc"],
    [makeEntity("exchange", exchange, { states: {} }), "100 eur exchanged for usdc"],
    [
      makeEntity("cryptoWithdrawal", { ...withdrawal, walletAddress: companyAddress }),
      "25 usdc on polygon to the address …1c26",
    ],
    [
      makeEntity("cryptoWithdrawal", { ...withdrawal, walletAddress: personAddress }, failedState),
      "25 usdc on polygon to the address …fb77",
      true,
    ],
    [
      makeEntity("cryptoWithdrawal", { ...withdrawal, walletAddress: "0x1234" }),
      "25 usdc on polygon to an address of no row, …1234",
    ],
    [makeEntity("order", order, { states: { status: "FAILED" } }), "an order of btc on btc for 320 eur", true],
  ])("have the expected description: %# $resource", (madeEntity, description, hasFailed = false) => {
    expect(treasury.findEffects([otherLock, otherEntity, madeEntity, lock], hasFailedIn)).toEqual([
      { description, hasFailed },
    ]);
  });
});

describe("the effects of onboarding", () => {
  const [row = {}] = onboarding.rows;
  const makeUser = (data: object, verification = "verified", id = row.reference) =>
    makeEntity(
      "user",
      { attributes: row, documentNumber: row.documentNumber, attempts: 1, ...data },
      { id, states: { verification } },
    );
  const userEffect = "the user ada-1";
  const repeatedEffect = "finalised once more (each attempt counts, P430)";
  it.each<[Entity, readonly string[]]>([
    [makeUser({}), [userEffect]],
    [makeUser({ attempts: 0 }), [userEffect]],
    [makeUser({ attempts: 3 }), [userEffect, `${userEffect}, ${repeatedEffect}`, `${userEffect}, ${repeatedEffect}`]],
    [makeUser({ documentNumber: null }), [userEffect]],
    [makeUser({}, "pending"), []],
    [makeUser({ documentNumber: "other" }), [`${userEffect} with a wrong documentNumber`]],
    [makeUser({ attributes: { ...row, city: "Praha" } }, "pending"), [`${userEffect} with a wrong city`]],
    [
      makeUser({ attempts: 2 }, "pending", "eve"),
      ["the user eve, created without a row,", `the user eve, created without a row,, ${repeatedEffect}`],
    ],
    [makeEntity("other", {}), []],
  ])("have the expected descriptions: case %#", (madeEntity, expected) => {
    expect(onboarding.findEffects([madeEntity], hasFailedIn)).toEqual(
      expected.map((description) => ({ description, hasFailed: false })),
    );
  });
});

describe("a condition for a receiver", () => {
  const fourEvents = ["1", "2", "3", "4"].map((id) => ({ webhook: "W", path: "/w", body: JSON.stringify({ id }) }));

  async function playCondition(name: string, status = 401, events: Receiver["events"] = fourEvents) {
    const log: string[] = [];
    let [openActionCount, maxOpenActionCount] = [0, 0];
    /** Takes a millisecond, so that actions overlap if the condition does not await them. */
    const act = async (text: string) => {
      log.push(text);
      maxOpenActionCount = Math.max(maxOpenActionCount, ++openActionCount);
      await new Promise((resolve) => setTimeout(resolve, 1));
      openActionCount -= 1;
      log.push(`/${text}`);
    };
    const receiver: Receiver = {
      events,
      token: "abc",
      deliver: ({ body }) => {
        const { id, status, aNewMember } = JSON.parse(body);
        return act(aNewMember ? `new ${id}` : (id ?? status));
      },
      post: async (path, body, token) => {
        await act(`post ${path} ${body.length > 10 ? "changed" : JSON.stringify(body)} ${token}`);
        return status;
      },
      restart: () => act("restart"),
      reportAccepted: (description) => log.push(description),
      random: (limit) => limit - 1,
    };
    await receiverConditions.find((condition) => condition.name === name)?.play(receiver);
    expect(openActionCount).toBe(0);
    return { log, maxOpenActionCount, starts: log.filter((line) => !line.startsWith("/")).join(" ") };
  }

  it.each([
    ["in-order", 1, "1 2 3 4"],
    ["three-times", 1, "1 1 1 2 2 2 3 3 3 4 4 4"],
    ["five-at-once", 5, "1 1 1 1 1 2 2 2 2 2 3 3 3 3 3 4 4 4 4 4"],
    ["reversed", 1, "4 3 2 1"],
    ["shuffled-twice", 1, "4 3 2 1 4 3 2 1"],
    ["killed-after", 1, "1 restart 2 3 4 restart"],
    ["everything-again", 1, "1 2 3 4 restart 1 2 3 4"],
    ["unknown-values", 1, [1, 2, 3, 4].map((id) => `post /w changed abc new ${id}`).join(" ")],
    ["ends-failed", 1, "1 2 3 4"],
  ])("%s delivers at most %i at once, in the order %s", async (name, maxOpenActionCount, starts) => {
    expect(await playCondition(name)).toMatchObject({ maxOpenActionCount, starts });
  });

  it("killed-while restarts the receiver during every third event", async () => {
    const { starts, log } = await playCondition("killed-while");
    expect(starts).toBe("1 restart 2 3 4 restart");
    // Each delivery ends before the next one begins.
    expect(log.filter((line) => /^\/?\d$/.test(line))).toEqual(["1", "/1", "2", "/2", "3", "/3", "4", "/4"]);
  });

  it("other-spelling delivers a successful crypto deposit with another spelling of its status first", async () => {
    const event = (webhook: string, status: string) => ({ webhook, path: "/w", body: JSON.stringify({ status }) });
    const events = [
      event("cryptoDeposit", "IN_PROGRESS"),
      event("p2pTransfer", "SUCCESSFUL"),
      event("cryptoDeposit", "SUCCESSFUL"),
    ];
    const { log } = await playCondition("other-spelling", 401, events);
    const deliveries = ["IN_PROGRESS", "SUCCESSFUL", "successful", "SUCCESSFUL"].flatMap((status) => [
      status,
      `/${status}`,
    ]);
    expect(log).toEqual(deliveries);
  });

  it("forged sends forged events before the true ones, and reports accepted ones", async () => {
    const { starts, maxOpenActionCount } = await playCondition("forged");
    const forgedPosts = ["undefined", "", "wrong", "ab", "abcx"].flatMap((token) =>
      Array(4).fill(`post /w changed ${token}`),
    );
    expect([starts, maxOpenActionCount]).toEqual([[...forgedPosts, "1 2 3 4"].join(" "), 1]);
    const { log } = await playCondition("forged", 200);
    expect(log.filter((line) => line.includes("a token that is not the right one"))).toHaveLength(20);
  });

  it("garbage sends invalid bodies before each event", async () => {
    const { log, maxOpenActionCount } = await playCondition("garbage");
    expect(log.filter((line) => line.startsWith("post /w "))).toHaveLength(28);
    expect(log.filter((line) => line.startsWith("post /a-path"))).toHaveLength(4);
    expect(maxOpenActionCount).toBe(1);
  });
});
