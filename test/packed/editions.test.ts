/** 21: both editions share their types, errors and numbers; an object of one can be used with the other. */
import * as latest from "partner-wallet-api";
import * as operations from "partner-wallet-api/operations";
import * as test from "partner-wallet-api/test";
import * as testOperations from "partner-wallet-api/test/operations";
import { describe, expect, it } from "vitest";
import { json, refusal, transfer } from "./support.ts";

const options = { baseUrl: "https://api.example", depositBaseUrl: "https://deposits.example", apiKey: "key-4711" };

describe("21: both editions", () => {
  it("have the same classes and functions", () => {
    expect(test.PartnerApiError).toBe(latest.PartnerApiError);
    expect(test.exactNumbers).toBe(latest.exactNumbers);
    expect(testOperations.unwrap).toBe(operations.unwrap);
  });

  it("take each other's errors, data and decimals", async () => {
    const fetch = async () => json(201, '{"lockId":"a3f7e9d0-4b62-48c1-95ae-1d0c8b6f2e73","rate":1.10,"amount":2.50}');
    const wallet = test.createPartnerClient({ ...options, fetch });
    const lock = latest.unwrap(
      await wallet.createOrderRateLock({ body: { currency: "btc", amount: "1", network: "btc" } }),
    );
    const total: latest.Decimal = latest.addDecimals(test.exactNumbers(lock).amount, test.toDecimal("0.25"));
    expect(total).toBe("2.75");
    const refused = await test
      .createPartnerClient({ ...options, fetch: async () => refusal("P433") })
      .createTransfer({ body: transfer });
    expect(refused.error).toBeInstanceOf(latest.PartnerApiError);
  });

  it("take each other's clients", async () => {
    const sent: string[] = [];
    const fetch = async (request: Request) => {
      sent.push(new URL(request.url).pathname);
      return json(201, {});
    };
    const client: operations.Client = test.createPartnerClient({ ...options, fetch });
    expect(client.edition).toBe("test");
    expect((await operations.createTransfer(client, { body: transfer })).error).toBeUndefined();
    expect(
      (await testOperations.createTransfer(operations.createClient({ ...options, fetch }), { body: transfer })).error,
    ).toBeUndefined();
    expect(sent).toEqual(["/v1/transfer", "/v1/transfer"]);
  });
});

describe("the functions of the operations", () => {
  it("are those of the object", () => {
    const { createClient: _, createRawClient: __, explain: ___, ...rest } = operations;
    const wallet = latest.createPartnerClient(options) as unknown as Record<string, unknown>;
    const names = Object.keys(rest).filter((name) => !(name in latest));
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => typeof wallet[name] !== "function")).toEqual([]);
    const others = ["edition", "explain", "raw"];
    expect(
      Object.keys(wallet)
        .filter((name) => !names.includes(name))
        .sort(),
    ).toEqual(others);
  });

  it("have explain and the raw client beside them", async () => {
    const client = operations.createClient({ ...options, fetch: async () => json(200, {}) });
    const { curl, answers } = operations.explain(client, "createTransfer", { body: transfer });
    expect(curl).toContain("/v1/transfer");
    expect(answers[400]).toContain("P433");
    const raw = operations.createRawClient(client);
    expect((await raw.GET("/v1/partner/balances")).data).toEqual({});
  });

  it("give an undocumented P-code its meaning, although they do not carry the whole catalogue", async () => {
    const client = operations.createClient({ ...options, fetch: async () => refusal("P459") });
    const { error } = await operations.createTransfer(client, { body: transfer });
    expect(error).toMatchObject({ kind: "code", errorCode: "P459", documented: false });
    expect(error?.meaning).toEqual(expect.any(String));
    expect(error?.resolution).toEqual(expect.any(String));
  });
});

it("errors are constructible in tests", () => {
  const error = new latest.PartnerApiError({
    kind: "code",
    operationId: "createTransfer",
    message: "made for a test",
    status: 400,
    errorCode: "P433",
    errorMessage: "as the service says",
  });
  expect(error).toMatchObject({ name: "PartnerApiError", outcome: "unknown", errorMessage: "as the service says" });
  expect(error.stack).toContain("editions.test.ts");
  class Special extends latest.PartnerApiError {}
  expect(error).not.toBeInstanceOf(Special);
  expect(new Special({ kind: "timeout", operationId: "x", message: "m" })).toBeInstanceOf(latest.PartnerApiError);
});
