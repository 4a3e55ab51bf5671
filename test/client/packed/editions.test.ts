import * as api from "partner-wallet-api";
import * as operations from "partner-wallet-api/operations";
import { describe, expect, it } from "vitest";
import { jsonResponse, transfer, transferId } from "./support.ts";

const addresses = { baseUrl: "https://api.example", depositBaseUrl: "https://deposits.example", apiKey: "key-4711" };
const exchange = {
  body: { externalUserId: "user-1042", lockId: "1", amount: 10, currencyFrom: "eur", currencyTo: "btc" },
};

function recordingService() {
  const paths: string[] = [];
  const fetch = async (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return jsonResponse(201, { transferId, exchangeId: "1" });
  };
  return { options: { ...addresses, fetch }, paths };
}

describe("a program of a partner for the edition latest", () => {
  it("gets the proposed operations with one option", async () => {
    const { options, paths } = recordingService();
    const program = async (wallet: api.PartnerClient) => api.unwrap(await wallet.createTransfer({ body: transfer }));
    const clientOfLatest = api.createPartnerClient(options);
    const clientOfTest = api.createPartnerClient({ ...options, edition: "test" });
    expect(await program(clientOfTest)).toEqual(await program(clientOfLatest));
    expect(api.unwrap(await clientOfTest.createExchange(exchange)).exchangeId).toBe("1");
    expect(paths).toEqual(["/v1/transfer", "/v1/transfer", "/v1/exchange"]);
  });

  it("has no proposed operation", async () => {
    const latestClient = api.createPartnerClient(addresses);
    const testClient = api.createPartnerClient({ ...addresses, edition: "test" });
    expect([latestClient.edition, testClient.edition]).toEqual(["latest", "test"]);
    expect("createExchange" in latestClient).toBe(false);
    expect(Object.keys(testClient)).toEqual(expect.arrayContaining(Object.keys(latestClient)));
    const explanation = latestClient.explain("createExchange" as never, exchange as never);
    await expect(explanation).rejects.toThrow(/^createExchange: .* edition: "test"/);
  });

  it("gets an error naming the option when it calls a proposed operation, and nothing is sent", async () => {
    const { options, paths } = recordingService();
    const client = operations.createClient(options);
    // @ts-expect-error a proposed operation takes a client of the edition test
    const { error } = await operations.createExchange(client, exchange);
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toBe(
      'createExchange: This operation is proposed, and not in the edition latest: give the client edition: "test".',
    );
    expect(paths).toEqual([]);
    const testClient = operations.createClient({ ...options, edition: "test" });
    expect((await operations.createExchange(testClient, exchange)).error).toBeUndefined();
    expect((await operations.createTransfer(testClient, { body: transfer })).error).toBeUndefined();
    expect(paths).toEqual(["/v1/exchange", "/v1/transfer"]);
  });
});

describe("the functions of the operations", () => {
  it("are the methods of the client object", () => {
    const { createClient: _, explain: __, ...otherExports } = operations;
    const wallet = api.createPartnerClient({ ...addresses, edition: "test" }) as unknown as Record<string, unknown>;
    const names = Object.keys(otherExports).filter((name) => !(name in api));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => typeof wallet[name] !== "function")).toEqual([]);
    const membersOfClientOnly = ["edition", "explain"];
    expect(
      Object.keys(wallet)
        .filter((name) => !names.includes(name))
        .sort(),
    ).toEqual(membersOfClientOnly);
  });

  it("are exported beside explain", async () => {
    const client = operations.createClient(addresses);
    const { curl, responses } = await operations.explain(client, "createTransfer", { body: transfer });
    expect(curl).toContain("/v1/transfer");
    expect(responses[400]).toContain("P433");
  });
});

it("errors can be constructed in tests", () => {
  const error = new api.PartnerApiError({
    kind: "code",
    operationId: "createTransfer",
    message: "made for a test",
    status: 400,
    errorCode: "P433",
    errorMessage: "as the service says",
    headers: new Headers({ "X-Request-Id": "r-1" }),
  });
  expect(error).toMatchObject({ name: "PartnerApiError", outcome: "unknown", errorMessage: "as the service says" });
  expect(error.headers).toEqual({ "x-request-id": "r-1" });
  expect(error.stack).toContain("editions.test.ts");
  class SpecialError extends api.PartnerApiError {}
  expect(error).not.toBeInstanceOf(SpecialError);
  expect(new SpecialError({ kind: "timeout", operationId: "x", message: "m" })).toBeInstanceOf(api.PartnerApiError);
});
