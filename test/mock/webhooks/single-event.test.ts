/** Single events are made from the examples of the contract. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { nearestName } from "../../../scripts/mock/nearest-name.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { findWebhook, makeEvent, type SingleEvent } from "../../../scripts/mock/webhooks/single-event.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { midnight } from "./support.ts";

let plan: Plan;
beforeAll(async () => {
  plan = await loadPlan();
});

function made(name: string, event: SingleEvent = {}) {
  return makeEvent(plan, findWebhook(plan, name), { now: midnight, ...event });
}

const bodyOf = (name: string, event?: SingleEvent) => JSON.parse(made(name, event).body) as Record<string, unknown>;

/** What a single field becomes, and what is found. */
function setting(name: string, field: string, text: string, example?: string) {
  const { body, findings } = made(name, { set: [[field, text]], example });
  return { body: JSON.parse(body) as Record<string, unknown>, findings };
}

describe("an event from an example", () => {
  it("fulfils the contract, for every example of every webhook, and has nothing to be noted", () => {
    for (const { name, examples, validator } of plan.webhooks) {
      for (const example of Object.keys(examples)) {
        const { body, findings, notes } = made(name, { example });
        expect({ name, example, findings, notes }).toEqual({ name, example, findings: [], notes: [] });
        expect(validator(JSON.parse(body))).toBe(true);
      }
    }
  });

  it.each([
    ["p2pTransfer", "id"],
    ["sepaDeposit", "id"],
    ["cryptoDeposit", "cryptoDepositId"],
    ["orderStatus", "orderId"],
    ["paymentLink", "paymentLinkId"],
    ["walletCreated", "wallet"],
  ])("%s gets another %s each time, and nothing else but its times changes", (name, id) => {
    const [first, second] = [bodyOf(name), bodyOf(name)];
    expect(first?.[id]).not.toBe(second?.[id]);
    expect({ ...first, [id]: 0 }).toEqual({ ...second, [id]: 0 });
  });

  it.each([
    "userBalanceGeneration",
    "kycVerificationStatus",
    "poaVerificationStatus",
    "card3dsCode",
    "cardActivationCode",
  ])("%s has no identifier of its own and stays as it is: the user, or the card, is that of the example", (name) => {
    const [example] = Object.values(findWebhook(plan, name).examples);
    const body = bodyOf(name);
    expect({ ...body, cardId: undefined }).toEqual({ ...(example as object), cardId: undefined });
  });

  it("is of now, and ends as much later as in the example", () => {
    const { createdAt, expiresAt } = bodyOf("orderStatus", { example: "completed" });
    expect(createdAt).toBe("2026-01-01T00:00:00.000Z");
    expect(expiresAt).toBe("2026-01-01T01:00:00.000Z");
  });

  it("is never the example itself", () => {
    const before = JSON.stringify(plan.webhooks.map(({ examples }) => examples));
    made("cryptoWithdrawal", { set: [["currency.network", "polygon"]], isCorrupt: true });
    expect(JSON.stringify(plan.webhooks.map(({ examples }) => examples))).toBe(before);
  });
});

describe("a field that is set", () => {
  it.each<[string, string, string, unknown]>([
    ["sepaDeposit", "amount", "5.10", "5.10"],
    ["cryptoDeposit", "amount", "5.5", 5.5],
    ["cryptoDeposit", "amount", '"5.10"', "5.10"],
    ["sepaDeposit", "externalUserId", "null", null],
    ["sepaDeposit", "externalUserId", '"null"', "null"],
    ["sepaDeposit", "transferTitle", "12", "12"],
    ["sepaDeposit", "transferTitle", "true", "true"],
    ["sepaDeposit", "transferTitle", "", ""],
    ["sepaDeposit", "transferTitle", "a = b", "a = b"],
    ["orderStatus", "confirmations", "2", 2],
    ["orderStatus", "expiresAt", "2026-04-01T08:15:00.000Z", "2026-04-01T08:15:00.000Z"],
    ["sepaTransfer", "error", '{"description":"no"}', { description: "no" }],
    ["card3dsCode", "code", "001234", "001234"],
  ])("%s %s=%s has the type of the contract", (name, field, text, value) => {
    const { body, findings } = setting(name, field, text);
    expect(body[field]).toEqual(value);
    expect(findings).toEqual([]);
  });

  it("may be in an object, which is made where there is none", () => {
    expect(setting("cryptoWithdrawal", "currency.network", "polygon").body.currency).toMatchObject({
      network: "polygon",
    });
    expect(setting("p2pTransfer", "error.status", "422").body.error).toEqual({ status: 422 });
  });

  it("keeps the digits of a number", () => {
    const text = "0.100000000000000000000000000010";
    expect(made("cryptoDeposit", { set: [["amount", text]] }).body).toContain(`"amount":${text},`);
    expect(
      made("cryptoDeposit", {
        set: [
          ["amount", text],
          ["amount", "null"],
        ],
      }).body,
    ).toContain(`"amount":null,`);
  });

  it.each([
    ["p2pTransfer", "id", "17", "id "],
    ["p2pTransfer", "status", "null", "status "],
    ["orderStatus", "orderId", "a", "orderId "],
    ["orderStatus", "createdAt", "yesterday", "createdAt "],
    ["cryptoWithdrawal", "currency", "btc", "currency "],
  ])("%s %s=%s breaks the contract, and is found without its value", (name, field, text, start) => {
    const { findings } = setting(name, field, text);
    expect(findings).toEqual([expect.stringMatching(new RegExp(`^${start}must `))]);
  });

  it.each(["", ".", "a..b", "__proto__.x", "constructor.__proto__.y"])("cannot be named %j", (field) => {
    expect(() => setting("sepaDeposit", field, "1")).toThrow("is no name of a field");
  });

  it("cannot lie in a text", () => {
    expect(() => setting("sepaDeposit", "amount.value", "1")).toThrow(
      "amount.value cannot be set: amount is no object.",
    );
  });

  it("is noted when no example has it, or its status is unknown", () => {
    expect(made("orderStatus", { set: [["confirmatons", "3"]] }).notes).toEqual([
      "No example has a field confirmatons; did you mean confirmations?",
    ]);
    expect(made("kycVerificationStatus", { set: [["attemptStatus", "DONE"]] }).notes).toEqual([
      expect.stringMatching(/^attemptStatus is none of the values that the contract knows: PENDING, /),
    ]);
  });

  it("always gives JSON, with every text as it was where the contract takes texts", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
        const { body } = made("sepaDeposit", { set: [["transferTitle", text]] });
        const value = (JSON.parse(body) as { transferTitle: unknown }).transferTitle;
        const isQuoted = text.trim().startsWith('"') && text !== value;
        if (text === "null") expect(value).toBeNull();
        else expect(value).toBe(isQuoted ? JSON.parse(text) : text);
      }),
    );
  });

  it("takes every number where the contract takes numbers, digit by digit", () => {
    const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?$/);
    fc.assert(
      fc.property(number, (text) => {
        expect(made("cryptoDeposit", { set: [["amount", text]] }).body).toContain(`"amount":${text},`);
      }),
    );
  });
});

it("a corrupted event breaks the contract, for every webhook, also with fields of one's own", () => {
  for (const { name, validator } of plan.webhooks) {
    expect(validator(bodyOf(name, { isCorrupt: true }))).toBe(false);
    expect(validator(bodyOf(name, { isCorrupt: true, set: [["status", "SUCCESSFUL"]] }))).toBe(false);
  }
});

describe("a name", () => {
  it.each(["sepaDeposit", "sepa-deposit", "SEPA Deposit", "sepadeposit", "SEPA_DEPOSIT"])(
    "%s is understood",
    (name) => {
      expect(findWebhook(plan, name).name).toBe("sepaDeposit");
    },
  );

  it.each([
    ["sepaDepsit", "sepaDeposit"],
    ["kycVerifcation", "kycVerificationStatus"],
    ["p2p", undefined],
    ["qqqq", undefined],
    ["", undefined],
  ])("%j that is no webhook suggests %s, and all are named", (name, meant) => {
    const suggestion = meant === undefined ? "" : ` Did you mean ${meant}?`;
    const names = plan.webhooks.map((webhook) => webhook.name).join(", ");
    expect(() => findWebhook(plan, name)).toThrow(`There is no webhook ${name}.${suggestion} Webhooks: ${names}.`);
  });

  it("of an example that there is not suggests another one", () => {
    expect(() => made("sepaDeposit", { example: "sucessful" })).toThrow(
      "Did you mean successful? Examples: inProgress,",
    );
    expect(() => made("sepaDeposit", { example: "toString" })).toThrow("has no example toString");
  });

  it("with a letter less, more, or in the wrong place is still recognised", () => {
    const names = plan.webhooks.map(({ name }) => name);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.constantFrom("", "q", "swap"), (name, position, change) => {
        const at = 1 + (position % (name.length - 2));
        const [a = "", b = ""] = name.slice(at);
        const wrong = `${name.slice(0, at)}${change === "swap" ? b + a : change}${name.slice(at + (change === "swap" ? 2 : 1))}`;
        expect(nearestName(wrong, names)).toBe(name);
      }),
    );
  });
});
