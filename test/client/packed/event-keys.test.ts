import { createMemoryStore, testEvent, type WebhookName, webhookPaths } from "partner-wallet-api/webhooks";
import { describe, expect, it } from "vitest";
import { makeReceiver as makeAnyReceiver, type Options, webhookCall } from "./deliveries.ts";
import { makeThrower } from "./support.ts";

function makeReceiver(options: Partial<Options> = {}) {
  const keys: (string | undefined)[] = [];
  const errors: string[] = [];
  const { handler } = makeAnyReceiver({
    otherwise: (_event, { key }) => void keys.push(key),
    nonconforming: (_name, _body, _violations, { key }) => void keys.push(key),
    onError: (error) => void errors.push(String(error)),
    dedupe: createMemoryStore(),
    ...options,
  });
  const deliver = async (name: WebhookName, body: object | string) =>
    (await handler(webhookCall(body, { path: webhookPaths[name] }))).status;
  return { keys, errors, deliver };
}

const hashKeyPattern = (name: string) => expect.stringMatching(new RegExp(`^${name}-[0-9a-f]{64}$`));
const deposit = testEvent("cryptoDeposit");

describe("the key of an event", () => {
  it("is the name of the webhook and a digest, the same for every delivery", async () => {
    const { keys, deliver } = makeReceiver();
    const event = testEvent("p2pTransfer", { id: "a:b c/d" });
    for (const body of [event, { ...event, amount: "1.00" }, { ...event, status: "ANOTHER" }])
      await deliver("p2pTransfer", body);
    expect(keys).toEqual([hashKeyPattern("p2pTransfer"), hashKeyPattern("p2pTransfer")]);
    expect(keys[0]).not.toBe(keys[1]);
    const secondReceiver = makeReceiver();
    await secondReceiver.deliver("p2pTransfer", event);
    expect(secondReceiver.keys).toEqual([keys[0]]);
  });

  it("differs for events whose identifying fields differ only in where one ends", async () => {
    const { keys, deliver } = makeReceiver();
    const event = testEvent("p2pTransfer");
    for (const [id, status] of [
      ["a", "b c"],
      ["a b", "c"],
      ['a","b', "c"],
    ])
      await deliver("p2pTransfer", { ...event, id, status });
    expect(new Set(keys).size).toBe(3);
  });

  it("differs for an event that breaks its type", async () => {
    const { keys, deliver } = makeReceiver();
    const event = testEvent("p2pTransfer");
    for (const body of [{ ...event, amount: null }, event]) await deliver("p2pTransfer", body);
    expect(keys).toEqual([hashKeyPattern("p2pTransfer-nonconforming"), hashKeyPattern("p2pTransfer")]);
  });

  it("is undefined for null as the identifier, but not for null where the contract allows it", async () => {
    const { keys, deliver } = makeReceiver();
    const event = { ...testEvent("cryptoWithdrawal"), status: "IN_PROGRESS" };
    for (const transactionHash of [null, null, "0xab", "0xab"]) {
      await deliver("cryptoWithdrawal", { ...event, transactionHash });
    }
    expect(keys.splice(0)).toEqual([hashKeyPattern("cryptoWithdrawal"), hashKeyPattern("cryptoWithdrawal")]);
    for (const id of [null, null]) await deliver("cryptoWithdrawal", { ...event, id });
    expect(keys).toEqual([undefined, undefined]);
  });

  it("is undefined when an identifying field is empty", async () => {
    const { keys, deliver } = makeReceiver();
    const event = testEvent("walletCreated");
    for (const missingMember of ["wallet", "currency", "network"])
      await deliver("walletCreated", { ...event, [missingMember]: "" });
    expect(keys).toEqual([undefined, undefined, undefined]);
  });
});

describe("the option keys", () => {
  it("is what makes a webhook without identifying fields handled once; without it each delivery is handled", async () => {
    const { keys, deliver } = makeReceiver();
    for (const _delivery of [1, 2]) expect(await deliver("cryptoDeposit", deposit)).toBe(200);
    expect(keys).toEqual([undefined, undefined]);
  });

  it("sets the key of an event by a function", async () => {
    const { keys, deliver } = makeReceiver({ keys: { cryptoDeposit: ({ status, amount }) => `${status} ${amount}` } });
    const otherDeposit = { ...deposit, amount: 17 };
    for (const body of [deposit, deposit, otherDeposit, deposit])
      expect(await deliver("cryptoDeposit", body)).toBe(200);
    expect(keys).toEqual([hashKeyPattern("cryptoDeposit"), hashKeyPattern("cryptoDeposit")]);
  });

  it("replaces the identifying fields of the contract", async () => {
    const { keys, deliver } = makeReceiver({ keys: { p2pTransfer: ({ id }) => id } });
    for (const status of ["SUCCESSFUL", "FAILED"]) await deliver("p2pTransfer", testEvent("p2pTransfer", { status }));
    expect(keys).toEqual([hashKeyPattern("p2pTransfer")]);
  });

  it('hashes the text of the body with "body-hash", whether the body has its type or not', async () => {
    const { keys, deliver } = makeReceiver({ keys: { cryptoDeposit: "body-hash" } });
    const text = JSON.stringify(deposit);
    for (const body of [text, text, ` ${text}`, "[]", "[]"]) expect(await deliver("cryptoDeposit", body)).toBe(200);
    const name = "cryptoDeposit";
    expect(keys).toEqual([hashKeyPattern(name), hashKeyPattern(name), hashKeyPattern(`${name}-nonconforming`)]);
  });

  it.each([undefined, "", " ", Number.NaN, 2 ** 53])("makes no key of the value %j", async (key) => {
    const { keys, deliver } = makeReceiver({ keys: { cryptoDeposit: () => key } });
    for (const _delivery of [1, 2]) expect(await deliver("cryptoDeposit", deposit)).toBe(200);
    expect(keys).toEqual([undefined, undefined]);
  });

  const errorText = "TypeError: keys.cryptoDeposit must return a text, a number or undefined.";

  it.each<[string, () => never, string]>([
    ["throw", makeThrower("mine"), "Error: mine"],
    ["return an object", () => ({}) as never, errorText],
    ["return a promise", () => Promise.resolve("a") as never, errorText],
  ])("with functions that %s responds 500, so that the event is delivered again", async (_name, key, message) => {
    const { keys, errors, deliver } = makeReceiver({ keys: { cryptoDeposit: key } });
    expect([await deliver("cryptoDeposit", deposit), keys, errors]).toEqual([500, [], [message]]);
  });

  it("is not called for an event that breaks its type", async () => {
    const { deliver, errors } = makeReceiver({ keys: { cryptoDeposit: makeThrower("called") } });
    expect(await deliver("cryptoDeposit", "[]")).toBe(200);
    expect(errors).toEqual([]);
  });

  it.each([
    [{ nothing: "body-hash" }, /There is no webhook "nothing"/],
    [{ cryptoDeposit: "body" }, /keys.cryptoDeposit must be a function or "body-hash"/],
    ["body-hash", /keys must be an object/],
  ])("is refused when the handler is made: %j", (keys, message) => {
    expect(() => makeReceiver({ keys: keys as never })).toThrow(message);
  });
});
