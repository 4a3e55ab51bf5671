import { createPartnerClient } from "partner-wallet-api";
import { describe, expect, it } from "vitest";
import { sensitiveNames } from "../../../generated/client/error-texts.ts";
import { createMock, type InProcessMock } from "../../../scripts/mock/host/mock.ts";
import { plan } from "../../support/plan.ts";
import { exampleCall, operationNamed } from "../codes/calls.ts";
import { mockForPayments } from "../endings.ts";
import { controlOf } from "./document.ts";

const clock = "2026-04-01T07:00:00.000Z";

function mockWithTwoUsers() {
  const { pay, mock, client } = mockForPayments();
  mock.users.create("user-2", { verified: true });
  mock.partner.fund({ eur: "1000.00" });
  return { mock, client, pay: async (user: string, amount: `${number}`) => (await pay(amount, user)).status };
}

const makeTransfer = ({ baseUrl, apiKey, fetch }: InProcessMock, body: string) =>
  fetch(`${baseUrl}${operationNamed(plan, "createTransfer").path}`, {
    method: "POST",
    headers: { "x-api-key": apiKey },
    body,
  });

describe("the requests", () => {
  it("have their bodies, with sensitive values masked unless they are asked for", async () => {
    const mock = createMock(plan, { clock });
    const { body: example = {} } = exampleCall(operationNamed(plan, "createUserAccount"), mock.apiKey);
    await createPartnerClient(mock.clientOptions).createUserAccount({ body: example as never });
    const [maskedRequest] = (await controlOf(mock)("GET", "/requests")).body;
    expect(maskedRequest.response).toBeDefined();
    expect(Object.keys(maskedRequest.body)).toEqual(Object.keys(example));
    for (const [name, value] of Object.entries(maskedRequest.body)) {
      expect(value, name).toBe(sensitiveNames.includes(name) ? "[redacted]" : example[name]);
    }
    expect(Object.values(maskedRequest.body)).toContain("[redacted]");
    expect((await controlOf(mock)("GET", "/requests?sensitive=true")).body).toMatchObject([{ body: example }]);
    expect(mock.requests[0]?.body).toEqual(maskedRequest.body);
    expect(mock.listRequests({ sensitive: true })[0]?.body).toEqual(example);
  });

  it("show an insensitive member whose name is sensitive elsewhere, and mask unlisted members by name", async () => {
    const mock = createMock(plan, { clock });
    const client = createPartnerClient(mock.clientOptions);
    const { data } = await client.getPartnerBalances();
    const [loggedRequest] = mock.requests as unknown as { response: typeof data }[];
    const namesOf = (balances: typeof data) => balances?.cryptoBalances?.map(({ name }) => name);
    expect(namesOf(loggedRequest?.response)).toEqual(namesOf(data));
    expect(namesOf(data)).not.toHaveLength(0);
    mock.users.create("user-1", { verified: true, funds: { eur: "10.00" } });
    const unknownMembers = { phone: "123", inner: [{ phone: "123", amount: "1" }] };
    await client.createTransfer({
      body: { sourceExternalUserId: "user-1", amount: "1", currency: "eur", ...unknownMembers } as never,
    });
    const body = mock.requests.at(-1)?.body;
    expect(body).toMatchObject({ phone: "[redacted]", inner: [{ phone: "[redacted]", amount: "1" }], amount: "1" });
  });

  it("are counted without limit, while conditions on a forgotten body fail", async () => {
    const { mock, pay } = mockWithTwoUsers();
    await pay("user-1", "1");
    const headers = { "x-api-key": mock.apiKey };
    const read = () => mock.fetch(`${mock.baseUrl}/v1/partner/balances`, { headers });
    for (let count = 0; count < 2500; count += 1) await read();
    const operation = "createTransfer" as const;
    expect(mock.requests).toHaveLength(1000);
    expect(mock.verify({ operation, times: 1 })).toBe(1);
    expect(mock.verify({ operation: "getPartnerBalances" })).toBe(2500);
    expect(() => mock.verify({ operation, times: 0 })).toThrow("createTransfer came 1 time, not 0 times.");
    const unknownMessage = "of 1 time that createTransfer came, the mock does not have the body of 1 any more";
    expect(() => mock.verify({ operation, body: { amount: "1" } })).toThrow(unknownMessage);
    expect(() => mock.verify({ operation, times: 0, body: { amount: "1" } })).toThrow(unknownMessage);
    await pay("user-1", "1");
    expect(mock.verify({ operation, body: { amount: "1" } })).toBe(1);
    expect(() => mock.verify({ operation, times: 1, body: { amount: "1" } })).toThrow("Not known: of 2 times");
    expect(() => mock.verify({ operation, times: 0, body: { amount: "1" } })).toThrow("came 1 time, not 0 times");
    mock.reset();
    expect(mock.verify({ operation, times: 0 })).toBe(0);
  });

  it("can be listed from a number on; an invalid parameter is refused", async () => {
    const { mock, pay } = mockWithTwoUsers();
    for (const amount of ["1.00", "2.00", "3.00"] as const) await pay("user-1", amount);
    const readNumbers = async (query: string) =>
      (await controlOf(mock)("GET", `/requests?${query}`)).body.map(({ number }: { number: number }) => number);
    expect([await readNumbers("after=0"), await readNumbers("limit=01")]).toEqual([[1, 2], [2]]);
    for (const [query, message] of [
      ["afetr=0", 'The query has no "afetr". Did you mean after?'],
      ["after=-1", "after must be a whole number from 0."],
      ["limit=0", "limit must be a whole number from 1."],
      ["sensitive=yes", "sensitive must be true or false."],
    ]) {
      expect(await controlOf(mock)("GET", `/requests?${query}`)).toEqual({
        status: 400,
        body: { message: expect.stringContaining(message as string) },
      });
    }
    expect((await controlOf(mock)("GET", "/deliveries?limit=0")).status).toBe(400);
    expect(() => mock.listRequests({ limit: -1 })).toThrow("limit must be a whole number from 1.");
    expect(mock.listRequests({ after: 0, limit: 2 }).map(({ number }) => number)).toEqual([1, 2]);
  });

  it("keep no bodies that are large or invalid JSON", async () => {
    const { mock } = mockWithTwoUsers();
    await makeTransfer(mock, " ".repeat(2 ** 14 + 1));
    await makeTransfer(mock, " ".repeat(2 ** 14));
    await makeTransfer(mock, "{");
    expect(mock.requests.map(({ body }) => body)).toEqual([
      "(16385 bytes, which are too many to be kept)",
      "(16384 characters that are no JSON)",
      "(1 characters that are no JSON)",
    ]);
  });

  it("keep at most 8 MiB of bodies", async () => {
    const { mock } = mockWithTwoUsers();
    const paddedBody = JSON.stringify({ memo: "m".repeat(16_000) });
    for (let count = 0; count < 600; count += 1) await makeTransfer(mock, paddedBody);
    const keptCount = mock.requests.filter(({ body }) => typeof body === "object").length;
    expect(keptCount).toBeGreaterThan(400);
    expect(keptCount * 16_000).toBeLessThan(2 ** 23);
    expect(mock.requests.at(-1)?.body).toEqual({ memo: "[redacted]" });
    expect(mock.requests[0]).toMatchObject({ number: 0, body: "(not kept)", response: "(not kept)" });
  });
});

describe("a verification", () => {
  it("counts the calls of an operation with given members in the body", async () => {
    const { mock, pay } = mockWithTwoUsers();
    await pay("user-1", "25.50");
    await pay("user-2", "4.00");
    expect(mock.verify({ operation: "createTransfer" })).toBe(2);
    expect(mock.verify({ operation: "createTransfer", times: 1, body: { amount: "25.50" } })).toBe(1);
    expect(mock.verify({ operation: "createCryptoWithdrawal", times: 0 })).toBe(0);
    const expectedCall = { operation: "createTransfer", times: 1, body: { currency: "eur", amount: "4.00" } };
    expect(await controlOf(mock)("POST", "/verify", expectedCall)).toEqual({ status: 200, body: { count: 1 } });
    // @ts-expect-error There is no such operation.
    expect(() => mock.verify({ operation: "createTransferr" })).toThrow("Did you mean createTransfer?");
    // @ts-expect-error The body of the operation has no such member.
    expect(() => mock.verify({ operation: "createTransfer", body: { amuont: "4.00" } })).toThrow("amuont is missing");
  });

  it("that fails reports the calls that came, with sensitive values masked", async () => {
    const { mock, pay } = mockWithTwoUsers();
    const readMessage = async (expectation: object) => {
      const { status, body } = await controlOf(mock)("POST", "/verify", expectation);
      expect(status).toBe(409);
      const { message } = body;
      expect(() => mock.verify(expectation as never)).toThrow(message);
      return message;
    };
    expect(await readMessage({ operation: "createTransfer" })).toBe(
      "createTransfer came 0 times, not at least 1 time. What came: nothing.",
    );
    await mock.fetch(`${mock.baseUrl}/nowhere`, { headers: { "x-api-key": mock.apiKey } });
    await pay("user-1", "4.00");
    expect(await readMessage({ operation: "getUserBalances", times: 21 })).toBe(
      "getUserBalances came 0 times, not 21 times. What came: GET /nowhere (1), createTransfer (1).",
    );
    expect(await readMessage({ operation: "createTransfer", body: { amount: "5.00" } })).toBe(
      'createTransfer with this body came 0 times, not at least 1 time. Request 1: amount is "4.00", not "5.00".',
    );
    expect(await readMessage({ operation: "createTransfer", times: 2 })).toBe(
      "createTransfer came 1 time, not 2 times.",
    );
    expect(await readMessage({ operation: "createTransfer", body: { title: "secret" } })).not.toContain("secret");
  });

  it.each([
    [{ a: { b: 1 } }, { a: { b: 2 } }, "a.b is 1, not 2"],
    [{ a: { b: 1 } }, { a: 1 }, 'a is {"b":1}, not 1'],
    [{ a: 1 }, { a: { b: 1 } }, 'a is 1, not {"b":1}'],
    [{ a: { b: 1 } }, { a: null }, 'a is {"b":1}, not null'],
    [{ a: null }, { a: { b: 1 } }, 'a is null, not {"b":1}'],
    [{ a: [1, 2] }, { a: [1] }, "a is not a list of 1"],
    [{ a: { 0: 1, length: 1 } }, { a: [1] }, "a is not a list of 1"],
    [{ a: [1, 2] }, { a: [1, 3] }, "a.1 is 2, not 3"],
    [{ a: { b: 1 } }, { a: { toString: 1 } }, "a.toString is missing, not 1"],
  ])("of %j says where it is not %j", async (body, expectedBody, difference) => {
    const { mock } = mockWithTwoUsers();
    const init = { method: "POST", headers: { "x-api-key": mock.apiKey }, body: JSON.stringify(body) };
    await mock.fetch(`${mock.baseUrl}${operationNamed(plan, "createTransfer").path}`, init);
    expect(() => mock.verify({ operation: "createTransfer", body: expectedBody as object })).toThrow(
      `Request 0: ${difference}.`,
    );
  });

  it("of an unknown operation or option is refused", async () => {
    const { mock } = mockWithTwoUsers();
    for (const [expectation, message] of [
      [{ operation: "createTransferr" }, 'no operation "createTransferr". Did you mean createTransfer?'],
      [{ operation: "createTransfer", tims: 1 }, 'has no "tims". Did you mean times?'],
      [{ operation: "createTransfer", times: -1 }, "times must be a whole number from 0."],
      [{}, "operation must be given."],
    ] as const) {
      const { status, body } = await controlOf(mock)("POST", "/verify", expectation);
      expect([status, body]).toEqual([400, { message: expect.stringContaining(message) }]);
    }
  });
});

describe("a fault", () => {
  it("can apply to the calls of one user, who is in the path or the body", async () => {
    const { mock, client, pay } = mockWithTwoUsers();
    for (const user of ["eur", "user-2"]) mock.faults.add({ user, status: 503, times: "always" });
    expect([await pay("user-1", "1.00"), await pay("user-2", "1.00")]).toEqual([201, 503]);
    const bothUsers = { sourceExternalUserId: "user-1", destinationExternalUserId: "user-2" };
    const transferBetween = await client.createTransfer({ body: { ...bothUsers, currency: "eur", amount: "1.00" } });
    expect(transferBetween.status).toBe(503);
    mock.faults.clear();
    const depositValues = { externalUserId: "user-2", currency: "usdc", network: "polygon", amount: "25" };
    const { id: depositId } = mock.triggerEvent("cryptoDeposit", "depositArrives", depositValues);
    const get = async () => (await client.getCryptoDepositDetails({ query: { externalId: depositId } })).status;
    mock.faults.add({ user: "user-1", status: 503 });
    expect(await get()).toBe(200);
    mock.faults.add({ user: "user-2", status: 503 });
    expect(await get()).toBe(503);
  });

  it("can apply to calls with a given member of the body", async () => {
    const { mock, pay } = mockWithTwoUsers();
    mock.faults.add({ operation: "createTransfer", body: { amount: "13.00" }, code: "P501" });
    expect([await pay("user-1", "1.00"), await pay("user-1", "13.00"), await pay("user-1", "13.00")]).toEqual([
      201, 400, 201,
    ]);
  });

  it("applies to a share of the calls, the same ones for the same seed", async () => {
    const run = async (rate: number) => {
      const { mock, pay } = mockWithTwoUsers();
      mock.faults.add({ status: 503, rate });
      const statuses: (number | undefined)[] = [];
      for (let call = 0; call < 60; call += 1) statuses.push(await pay("user-1", "1.00"));
      return statuses;
    };
    const firstStatuses = await run(0.5);
    expect(await run(0.5)).toEqual(firstStatuses);
    const affectedCount = firstStatuses.filter((status) => status === 503).length;
    expect([affectedCount > 15, affectedCount < 45]).toEqual([true, true]);
    expect(new Set(await run(1))).toEqual(new Set([503]));
  });

  it("can be removed by its number", async () => {
    const { mock, pay } = mockWithTwoUsers();
    const { number } = mock.faults.add({ status: 500 });
    mock.faults.add({ status: 503 });
    mock.faults.remove(number);
    expect(mock.faults.list).toHaveLength(1);
    expect([await pay("user-1", "1.00"), await pay("user-1", "1.00")]).toEqual([503, 201]);
    expect(() => mock.faults.remove(99)).toThrow("There is no fault 99.");
  });

  it("is refused when there are 1,000 others", () => {
    const { mock } = mockWithTwoUsers();
    for (let count = 0; count < 1000; count += 1) mock.faults.add({ status: 503 });
    expect(() => mock.faults.add({ status: 503 })).toThrow("There are already 1000 pending faults. Remove some first.");
  });
});
