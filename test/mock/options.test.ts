import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../scripts/contract/model/index.ts";
import { eventTriggers } from "../../scripts/mock/behaviours/index.ts";
import { createMock, type InProcessMock } from "../../scripts/mock/host/mock.ts";
import { createMock as createPublished, startMock } from "../../scripts/mock/index.ts";
import { documentOf } from "../support/contract.ts";
import { plan } from "../support/plan.ts";
import { dereference, propertiesOf } from "../support/schema.ts";
import { controlOf } from "./control/document.ts";

const make = (): InProcessMock => createMock(plan, { clock: "2026-04-01T07:00:00Z" });
const handler = () => new Response();

const wrongOptions: readonly (readonly [unknown, string])[] = [
  [null, "The options must be an object with seed, key, keys"],
  [{ edtion: "test" }, 'The options have no "edtion". Did you mean edition? Possible are seed, key'],
  [{ edition: "x" }, "edition must be one of latest, test."],
  [{ seed: 5 }, "seed must be a text that is not empty."],
  [{ key: "" }, "key must be a text that is not empty."],
  [{ keys: "abc" }, "keys must be a list."],
  [{ keys: ["a", 5] }, "keys.1 must be a text that is not empty."],
  [{ clock: "1 April 2026" }, "clock must be a time"],
  [{ clock: 8.64e15 }, "clock must be a time between 1970 and 9999"],
  [{ clock: -1 }, "clock must be a time between"],
  [{ scenario: "yes" }, "scenario must be true or false."],
  [{ stateless: 1 }, "stateless must be true or false."],
  [{ webhookTimeout: 0 }, "webhookTimeout must be from 1 millisecond to 10 minutes."],
  [{ webhookTimeout: 600_001 }, "webhookTimeout must be from 1 millisecond to 10 minutes."],
  [{ webhookTimeout: "soon" }, "webhookTimeout: "],
  [{ onNote: "log" }, "onNote must be a function."],
  [{ webhooks: null }, "webhooks must be an object with url, handler"],
  [
    { webhooks: { handler, tokn: "t" } },
    'webhooks has no "tokn". Did you mean token? Possible are url, handler, basePath, token, paths.',
  ],
  [{ webhooks: { handler, paths: "/x" } }, "webhooks.paths must be"],
];

describe("the options", () => {
  it.each(wrongOptions)("%j is refused", async (options, message) => {
    expect(() => createPublished(options as never)).toThrow(TypeError);
    expect(() => createPublished(options as never)).toThrow(message);
    const startResult = startMock(options as never).then((mock) => mock.close());
    await expect(startResult).rejects.toThrow(message);
  });

  it("are refused with a stack that begins at the call", async () => {
    const start = async () => await startMock({ port: "0" } as never);
    const create = async () => createPublished({ seed: 5 } as never);
    for (const call of [start, create]) {
      const error: unknown = await call().catch((problem: unknown) => problem);
      expect((error as Error).stack).toMatch(/^(?!.*scripts\/mock).*options\.test\.ts/s);
    }
  });

  it.each([
    [{ port: "0" }, "port must be a whole number from 0 to 65535."],
    [{ port: -1 }, "port must be a whole number from 0 to 65535."],
    [{ allowOrigin: ["nonsense"] }, "allowOrigin.0 must be the origin of pages"],
    [{ allowOrigin: ["http://127.0.0.1:1/page"] }, "allowOrigin.0 must be the origin of pages"],
    [{ port: 65535, depositPort: 65536 }, "depositPort must be a whole number from 0 to 65535."],
    [{ onRequest: true }, "onRequest must be a function."],
  ])("%j is refused by startMock, and unknown to createMock", async (options, message) => {
    const startResult = startMock(options as never).then((mock) => mock.close());
    await expect(startResult).rejects.toThrow(message);
    expect(() => createPublished(options as never)).toThrow("The options have no");
  });

  it("may be undefined, or any valid value", async () => {
    createPublished({ seed: undefined, webhooks: undefined, edition: undefined } as never).close();
    for (const clock of [0, "9999-12-31"]) createPublished({ clock }).close();
    for (const webhookTimeout of [1, "10 minutes"]) createPublished({ webhookTimeout }).close();
    createPublished({ edition: "test", keys: ["a"], webhooks: { url: new URL("http://127.0.0.1:1") } }).close();
    const mock = await startMock({ port: 0, host: "127.0.0.1", onRequest: () => undefined, scenario: true });
    const { entities } = mock.state();
    await mock.close();
    expect(entities.length).toBeGreaterThan(0);
  });
});

describe("the functions", () => {
  it.each<[string, (mock: InProcessMock) => unknown, string]>([
    [
      "a wish",
      (mock) => mock.users.create("a", { verifed: true } as never),
      'have no "verifed". Did you mean verified? Possible are verified',
    ],
    ["no flag", (mock) => mock.users.create("a", { verified: "yes" } as never), "verified must be true or false"],
    ["no options", (mock) => mock.users.create("a", null as never), "must be an object with verified"],
    ["an empty id", (mock) => mock.users.create(""), "externalUserId must be a text"],
    [
      "an attribute",
      (mock) => mock.users.create("a", { attributes: { emal: "a@users.example" } }),
      'attributes has no "emal". Did you mean email? Possible are email, phone',
    ],
    [
      "an id as attribute",
      (mock) => mock.users.create("a", { attributes: { externalUserId: "b" } }),
      "attributes has no",
    ],
    ["no funds", (mock) => mock.users.fund("a", undefined as never), "funds must be"],
    ["no amount", (mock) => mock.users.fund("a", { eur: "ten" }), 'funds.eur must be an amount such as "100.00"'],
    ["a negative amount", (mock) => mock.partner.fund({ eur: "-1" }), "funds.eur must be an amount"],
    [
      "a lock",
      (mock) => mock.lockExchange(null, { currencyform: "eur" } as never),
      'no "currencyform". Did you mean currencyFrom? Possible are',
    ],
    ["half a lock", (mock) => mock.lockExchange(null, { currencyFrom: "eur" } as never), "currencyTo must be"],
    [
      "a lock of nobody",
      (mock) => mock.lockExchange("nobody", { currencyFrom: "eur", currencyTo: "btc", amount: "1" }),
      "nobody",
    ],
    ["a target", (mock) => mock.sendWebhooksTo({ handler, url: "http://127.0.0.1:1" } as never), "not both"],
    ["about a text", (mock) => mock.triggerEvent("card", "cardIsBlocked", "x" as never), "about must be"],
    [
      "about with a typo",
      // @ts-expect-error The event has no such field.
      (mock) => mock.triggerEvent("cardTransaction", "cardIsUsed", { crd: "1" }),
      'about has no "crd". Did you mean cardId? Possible are cardId, type, amount, currency, merchant.',
    ],
  ])("refuse %s", (_name, act, message) => {
    const mock = make();
    const stateBefore = mock.state();
    expect(() => act(mock)).toThrow(TypeError);
    expect(() => act(mock)).toThrow(message);
    expect(mock.state()).toEqual(stateBefore);
  });

  it("accept every attribute of a new user in the contract", async () => {
    const { UserAccountRequest = {} } = dereference(await documentOf("test")).components?.schemas ?? {};
    const knownNames = Object.keys(propertiesOf(UserAccountRequest as JsonSchema));
    let message = "";
    try {
      make().users.create("a", { attributes: { nothing: 1 } });
    } catch (error) {
      message = (error as Error).message;
    }
    const possibleNames = /Possible are (.*)\.$/.exec(message)?.[1]?.split(", ") ?? [];
    expect(["externalUserId", ...possibleNames].sort()).toEqual(knownNames.sort());
  });
});

describe("the possible events", () => {
  it("list what each takes", async () => {
    const mock = make();
    const inputsByEvent = new Map(
      mock.possibleEvents.map((event) => [`${event.resource}.${event.event}`, event.takes]),
    );
    expect([...inputsByEvent.keys()].sort()).toEqual(Object.keys(eventTriggers).sort());
    for (const [name, names] of inputsByEvent) expect(names.length, name).toBeGreaterThan(0);
    expect(inputsByEvent.get("sepaDeposit.depositIsDecided")).toEqual(["sepaDepositId", "status"]);
    expect((await controlOf(mock)("GET", "/events")).body).toEqual(mock.possibleEvents);
  });

  it("take the names that the behaviours read", () => {
    const folder = new URL("../../scripts/mock/behaviours/", import.meta.url);
    const source = readdirSync(folder)
      .map((file) => readFileSync(new URL(file, folder), "utf8"))
      .join("\n");
    const inputPattern = /(?:input\s*\.\w+\(\s*|read[A-Z]\w+\(world, input, (?:\{ field: )?)"(\w+)"/g;
    const readNames = [...source.matchAll(inputPattern)].map(([, name]) => name);
    const ids = Object.values(plan.resources).map(({ id }) => id);
    const takenNames = new Set(make().possibleEvents.flatMap(({ takes }) => takes));
    expect([...takenNames].sort()).toEqual(expect.arrayContaining([...new Set(readNames)]));
    expect([...readNames, ...ids]).toEqual(expect.arrayContaining([...takenNames]));
  });
});
