import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runMockCommand } from "../../scripts/cli/package/mock.ts";
import { createMock, type RunningMock, startMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { controlOf } from "./control/document.ts";

const options = { edition: "test", clock: "2026-03-10T09:00:00Z" } as const;
const exchange = { currencyFrom: "btc", currencyTo: "eur", amount: "1" };
const folder = temporaryFolder();
let runningMock: RunningMock | undefined;
afterEach(async () => {
  await runningMock?.close();
  runningMock = undefined;
});

async function start(startOptions: object = {}): Promise<RunningMock> {
  runningMock = await startMock(plan, { ...options, ...startOptions });
  return runningMock;
}

const controlOfRunning = ({ url: baseUrl, apiKey }: RunningMock) => controlOf({ fetch, baseUrl, apiKey });
const patch = (mock: RunningMock, body: unknown) => controlOfRunning(mock)("PATCH", "/assumptions", body);
const get = (mock: RunningMock) => controlOfRunning(mock)("GET", "/assumptions");

it("changes to a rate, a delay and the length of a lock apply to one world, until its reset", async () => {
  const mock = await start();
  mock.users.create("ann", { verified: true, funds: { btc: "2" } });
  const changes = { currencies: { list: { btc: { rate: "70000" } } }, locks: { exchangeSeconds: 5 } };
  const { status, body } = await patch(mock, changes);
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...changes, delays: { transfer: 1 } });
  expect(await get(mock)).toEqual({ status, body });
  expect(mock.lockExchange("ann", exchange)).toMatchObject({ rate: 70000, expiresAt: "2026-03-10T09:00:05Z" });
  const otherTenant = mock.tenant("another");
  otherTenant.users.create("ann", { verified: true, funds: { btc: "2" } });
  expect(otherTenant.lockExchange("ann", exchange)).toMatchObject({ rate: 64000, expiresAt: "2026-03-10T09:00:40Z" });
  mock.reset();
  expect(mock.assumptions).toEqual(otherTenant.assumptions);
});

it("changed assumptions are part of the state, and kept after a restart", async () => {
  const state = join(folder, "state");
  const firstMock = await start({ state });
  firstMock.assume({ delays: { transfer: 60 } });
  firstMock.assume({ countries: { forbidden: ["SE"] }, delays: { exchange: 5 } });
  const savedState = firstMock.state();
  expect(savedState.assumed).toEqual({ delays: { transfer: 60, exchange: 5 }, countries: { forbidden: ["SE"] } });
  await firstMock.close();
  runningMock = undefined;
  expect((await start({ state })).state()).toEqual(savedState);
  const copy = createMock(plan, { ...options, state: savedState });
  expect(copy.state()).toEqual(savedState);
  expect(() => copy.users.create("ann", { attributes: { country: "SE" } })).toThrow("P431");
});

it("createMock starts with a copy of its option assume, also after a reset", async () => {
  const assume = { delays: { wallet: 3600 } };
  const mock = createMock(plan, { ...options, assume });
  assume.delays.wallet = 5;
  for (const _ of [1, 2]) {
    expect(mock.assumptions).toMatchObject({ delays: { wallet: 3600, iban: 2 } });
    mock.assume({ delays: { iban: 9 } });
    mock.reset();
  }
});

it("the schema allows exactly the changeable values of mock.yaml, and each can be changed", async () => {
  const mock = await start();
  const { body } = await get(mock);
  expect(await patch(mock, body)).toEqual({ status: 200, body });
  const fixedMembers = ["questions", "responses", "refusals", "outcomes", "kind", "decimals"];
  const writtenText = JSON.stringify(plan.assumptions, (name, value) =>
    fixedMembers.includes(name) ? undefined : value,
  );
  const { invalidRequests: _, ...sections } = JSON.parse(writtenText);
  expect(body).toEqual(sections);
});

describe("an invalid assumption is refused, and changes nothing:", () => {
  it.each<[unknown, string]>([
    [{ delay: {} }, 'The body has no "delay". Did you mean delays? Possible are currencies, countries,'],
    [{ delays: { transfr: 1 } }, 'delays has no "transfr". Did you mean transfer?'],
    [{ delays: { transfer: -1 } }, "delays.transfer must be seconds from 0 to 31622400"],
    [
      { currencies: { list: { usd: { rate: "1" } } } },
      'currencies.list has no "usd". Did you mean usdc? Possible are eur,',
    ],
    [
      { currencies: { list: { btc: { rate: "0.0" } } } },
      "currencies.list.btc.rate must be a decimal string above zero",
    ],
    [
      { currencies: { list: { btc: { networks: { polygon: {} } } } } },
      'btc.networks has no "polygon". Possible are btc.',
    ],
    [{ currencies: { list: { btc: { decimals: 2 } } } }, 'currencies.list.btc has no "decimals".'],
    [{ exchanges: { rates: { eur: { gbp: "1" } } } }, 'exchanges.rates.eur has no "gbp".'],
    [{ orders: { requiredConfirmations: { tron: 2 } } }, 'orders.requiredConfirmations has no "tron".'],
    [{ wallets: { ofUsers: ["eur"] } }, 'wallets.ofUsers has no "eur". Possible are usdc,'],
    [{ countries: { forbidden: ["Sweden"] } }, "countries.forbidden.0 must be a country code of two capital letters"],
    [[], "The body must be an object"],
    [JSON.parse('{"__proto__": {"x": 1}}'), 'The body has no "__proto__".'],
  ])("%j", async (changes, message) => {
    const mock = await start();
    const stateBefore = mock.state();
    expect(await patch(mock, changes)).toEqual({ status: 400, body: { message: expect.stringContaining(message) } });
    expect(mock.state()).toEqual(stateBefore);
    expect(() => createMock(plan, { assume: changes as object })).toThrow(TypeError);
  });

  it("with --assume, in one line and with exit code 2", async () => {
    for (const [name, text, message] of [
      ["a.yaml", "delays:\n  transfr: 5 # seconds\n", 'delays has no "transfr". Did you mean transfer?'],
      ["b.json", '{"locks": {"orderSeconds": "5"}}', "locks.orderSeconds must be seconds"],
      ["c.yaml", "", "assume must be an object"],
      ["d.json", "{", "--assume: "],
    ] as const) {
      const file = join(folder, name);
      writeFileSync(file, text);
      const print = vi.spyOn(console, "error").mockImplementation(() => {});
      const context = { usage: "mock", loadPlan: async () => plan };
      expect(await runMockCommand(["--port", "0", "--deposit-port", "0", "--assume", file], context)).toBe(2);
      expect(print.mock.calls).toEqual([[expect.stringContaining(message)]]);
      print.mockRestore();
    }
  });
});

it("a refusal names the questions that decided it, and no questions of fields that it does not have", async () => {
  const mock = createMock(plan, { clock: "2026-03-10T09:00:00Z" });
  mock.users.create("user-1", { verified: true });
  const headers = { "x-api-key": mock.apiKey, "content-type": "application/json" };
  const sendRequest = async (path: string, body?: object) => {
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const response = await mock.fetch(`${mock.baseUrl}${path}`, init);
    return { status: response.status, assumes: response.headers.get("x-mock-assumes")?.split(", ") ?? [] };
  };
  mock.users.create("user-2");
  const history = await sendRequest("/v1/user/transaction-history/user-2/03/2026");
  expect(history.status).toBe(400);
  expect(history.assumes).not.toContain("Q-withdrawal-network");
  // The available funds depend on the assumptions about the currency.
  const transfer = { sourceExternalUserId: "user-1", amount: "1", currency: "eur" };
  const { status, assumes } = await sendRequest("/v1/transfer", transfer);
  expect([status, assumes.length > 0]).toEqual([400, true]);
  mock.close();
});
