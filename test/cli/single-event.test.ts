import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestName } from "../../scripts/base/index.ts";
import { type EventOptions, findWebhook, makeEvent } from "../../scripts/cli/package/single-event.ts";
import { midnight } from "../mock/webhooks/support.ts";
import { plan } from "../support/plan.ts";

function makeEventOf(name: string, options: EventOptions = {}) {
  return makeEvent(plan, findWebhook(plan, name), { now: midnight, ...options });
}

const bodyOf = (name: string, options?: EventOptions) =>
  JSON.parse(makeEventOf(name, options).body) as Record<string, unknown>;

function makeEventWith(name: string, field: string, text: string, example?: string) {
  const { body, notes } = makeEventOf(name, { members: [[field, text]], example });
  return { body: JSON.parse(body) as Record<string, unknown>, notes };
}

describe("an event from an example", () => {
  it("is valid for every example of every webhook, without notes", () => {
    for (const { name, examples, validator } of plan.webhooks) {
      for (const example of Object.keys(examples)) {
        const { body, notes } = makeEventOf(name, { example });
        expect({ name, example, notes }).toEqual({ name, example, notes: [] });
        expect(validator(JSON.parse(body))).toBe(true);
      }
    }
  });

  it.each([
    ["p2pTransfer", "id"],
    ["cryptoDeposit", "cryptoDepositId"],
    ["paymentLink", "paymentLinkId"],
    ["walletCreated", "wallet"],
  ])("%s gets a new %s each time, and only its times change otherwise", (name, id) => {
    const [first, second] = [bodyOf(name), bodyOf(name)];
    expect(first?.[id]).not.toBe(second?.[id]);
    expect({ ...first, [id]: 0 }).toEqual({ ...second, [id]: 0 });
  });

  it.each(["kycVerificationStatus", "cardActivationCode"])(
    "%s without an identifier keeps the user or card of its example",
    (name) => {
      const [example] = Object.values(findWebhook(plan, name).examples);
      const body = bodyOf(name);
      expect({ ...body, cardId: undefined }).toEqual({ ...(example as object), cardId: undefined });
    },
  );

  it("has the current time, and keeps the duration of the example", () => {
    const { createdAt, expiresAt } = bodyOf("orderStatus", { example: "completed" });
    expect(createdAt).toBe("2026-01-01T00:00:00.000Z");
    expect(expiresAt).toBe("2026-01-01T01:00:00.000Z");
  });

  it("does not modify the examples of the plan", () => {
    const examplesBefore = JSON.stringify(plan.webhooks.map(({ examples }) => examples));
    makeEventOf("cryptoWithdrawal", { members: [["currency.network", "polygon"]], isCorrupt: true });
    expect(JSON.stringify(plan.webhooks.map(({ examples }) => examples))).toBe(examplesBefore);
  });
});

describe("a field set on the command line", () => {
  it.each<[string, string, string, unknown]>([
    ["sepaDeposit", "amount", "5.10", "5.10"],
    ["cryptoDeposit", "amount", "5.5", 5.5],
    ["sepaDeposit", "externalUserId", "null", null],
    ["sepaDeposit", "transferTitle", "12", "12"],
    ["sepaDeposit", "transferTitle", "", ""],
    ["sepaDeposit", "transferTitle", "a = b", "a = b"],
    ["orderStatus", "confirmations", "2", 2],
    ["sepaTransfer", "error", '{"description":"no"}', { description: "no" }],
    ["card3dsCode", "code", "001234", "001234"],
  ])("%s %s=%s gets the type of the contract", (name, field, text, value) => {
    const { body, notes } = makeEventWith(name, field, text);
    expect(body[field]).toEqual(value);
    expect(notes).toEqual([]);
  });

  it("can be nested in an object that does not exist yet", () => {
    expect(makeEventWith("cryptoWithdrawal", "currency.network", "polygon").body.currency).toMatchObject({
      network: "polygon",
    });
    expect(makeEventWith("p2pTransfer", "error.status", "422").body.error).toEqual({ status: 422 });
  });

  it.each([
    ["p2pTransfer", "id", "17", "id "],
    ["p2pTransfer", "status", "null", "status "],
    ["orderStatus", "createdAt", "yesterday", "createdAt "],
  ])("%s %s=%s breaks the contract, and causes a note without its value", (name, field, text, start) => {
    const { notes } = makeEventWith(name, field, text);
    expect(notes).toEqual([expect.stringMatching(new RegExp(`^${start}must `))]);
  });

  it.each(["", ".", "a..b", "__proto__.x", "constructor.__proto__.y"])("cannot have the name %j", (field) => {
    expect(() => makeEventWith("sepaDeposit", field, "1")).toThrow("is not the name of a member");
  });

  it("cannot be nested in a text", () => {
    expect(() => makeEventWith("sepaDeposit", "amount.value", "1")).toThrow(
      "amount.value cannot be set: amount is not an object.",
    );
  });

  it("causes a note when no example has it", () => {
    expect(makeEventOf("orderStatus", { members: [["confirmatons", "3"]] }).notes).toEqual([
      "No example has a member confirmatons. Did you mean confirmations?",
    ]);
  });
});

describe("an unknown name", () => {
  it("of an example gets a suggestion", () => {
    expect(() => makeEventOf("sepaDeposit", { example: "sucessful" })).toThrow(
      "Did you mean successful? Examples: inProgress,",
    );
  });

  it("gets a suggestion that shares two fifths of its letter pairs, and no suggestion with less", () => {
    expect(nearestName("a", ["ab"])).toBe("ab");
    expect(nearestName("a", ["abc"])).toBeUndefined();
  });

  it("with a missing, added or misplaced letter gets a suggestion", () => {
    const names = plan.webhooks.map(({ name }) => name);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.constantFrom("", "q", "swap"), (name, position, change) => {
        const index = 1 + (position % (name.length - 2));
        const [a = "", b = ""] = name.slice(index);
        const misspelledName = `${name.slice(0, index)}${change === "swap" ? b + a : change}${name.slice(index + (change === "swap" ? 2 : 1))}`;
        expect(nearestName(misspelledName, names)).toBe(name);
      }),
    );
  });
});
