import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { MockWorld } from "../../../scripts/mock/behaviours/behaviour.ts";
import { startAttempt } from "../../../scripts/mock/behaviours/kyc.ts";
import { createMock } from "../../../scripts/mock/host/mock.ts";
import type { Validator } from "../../../scripts/mock/plan/plan.ts";
import { readJson } from "../../../scripts/mock/request/body.ts";
import type { SavedWorld, Tenant } from "../../../scripts/mock/tenants/tenant.ts";
import { Tenants } from "../../../scripts/mock/tenants/tenants.ts";
import { plan } from "../../support/plan.ts";
import { exampleCall, operationNamed, send } from "../codes/calls.ts";

function makeUser(world: MockWorld, id: string): void {
  const data = {
    userId: id,
    attributes: {},
    poaRequiredForExtended: false,
    documentNumber: null,
    verifiedUntil: null,
    attempts: 0,
    files: [],
  };
  world.create("user", { id, owner: id, data });
  startAttempt(world, id, { verificationId: null, documentExpirationDate: null });
}

describe("the digits of amounts", () => {
  it.each([
    ['{"a":1.10,"b":"2.00","c":1e-7,"d":-0}', { a: "1.10", b: "2.00", c: "1e-7", d: "-0" }],
    ['{"a":{"b":1},"c":[2],"d":12345678901234567.89}', { d: "12345678901234567.89" }],
    ['{"a":1,"a":"x"}', {}],
    ['{"a\\"\\\\":1,"\\u0062":2}', { 'a"\\': "1", b: "2" }],
    ["[1]", {}],
    ["7", {}],
    ['{"__proto__":1}', JSON.parse('{"__proto__":"1"}')],
  ])("are kept exactly for %s", (text, expected) => {
    expect(readJson(text).amounts).toEqual(expected);
  });

  it("equal the numbers that JSON.parse finds", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 2), (value, indent) => {
        const numbers = Object.entries(value).filter(([, member]) => typeof member === "number");
        const { amounts } = readJson(JSON.stringify(value, null, indent));
        for (const [name, number] of numbers) expect(Number(amounts[name])).toBe(Object.is(number, -0) ? 0 : number);
        const texts = Object.entries(value).filter(([, member]) => typeof member === "string");
        for (const [name] of Object.entries(amounts))
          expect([...numbers, ...texts].map(([key]) => key)).toContain(name);
      }),
    );
  });
});

describe("tenants", () => {
  it("get different identifiers from one seed", () => {
    const tenants = new Tenants({ plan, edition: "test", seed: "s" });
    const [firstId, otherId] = ["a", "b"].map((key) => tenants.getOrCreate(key)?.world.ids.uuid());
    expect(firstId).not.toBe(otherId);
    expect(new Tenants({ plan, edition: "test", seed: "s" }).getOrCreate("a")?.world.ids.uuid()).toBe(firstId);
  });

  it("are equal after they were saved and loaded into others", async () => {
    const prepare = (world: MockWorld) => makeUser(world, "user-0");
    const options = { plan, edition: "test", seed: "s", prepare } as const;
    const tenants = new Tenants(options);
    for (const key of ["reads", "writes", "is reset", "has a target", "advances"]) tenants.getOrCreate(key);
    for (const key of ["writes", "is reset", "has a target"])
      tenants.getOrCreate(key)?.change((world) => makeUser(world, "user-1"));
    tenants.reset(tenants.getOrCreate("is reset") as Tenant);
    const tenantWithTarget = tenants.getOrCreate("has a target") as Tenant;
    tenantWithTarget.target = { url: "http://127.0.0.1:9" };
    tenantWithTarget.change((world) => makeUser(world, "user-2"));
    tenants.getOrCreate("advances")?.ensureAdmitted();
    await tenants.getOrCreate("advances")?.timeline.advance(60_000);
    // A restart counts an attempt in progress once more, so `tries` is not compared.
    const worldsOf = (savedTenants: Tenants): SavedWorld[] =>
      JSON.parse(JSON.stringify([...savedTenants.worlds()]).replace(/"tries":\d/g, '"tries":1'));
    const worldsBefore = worldsOf(tenants);
    tenants.close();
    expect(new Set(worldsBefore.map(({ tenant }) => tenant)).size).toBe(3);
    const loadedTenants = new Tenants({ ...options, seed: "another" });
    for (const world of structuredClone(worldsBefore)) loadedTenants.load(world);
    loadedTenants.resume();
    expect(worldsOf(loadedTenants)).toEqual(worldsBefore);
    const states = loadedTenants.getOrCreate("has a target")?.deliveries.list.map(({ state }) => state);
    expect(states).toEqual(["undelivered", "undelivered", "pending"]);
    loadedTenants.close();
  });
});

describe("a response that contradicts the contract", () => {
  it("is an internal error of the mock, and changes nothing", async () => {
    const refusingValidator: Validator = Object.assign(() => false, {
      errors: [{ keyword: "type", instancePath: "/userId", message: "must be unheard of", params: {} }],
    });
    const operations = plan.operations.map((operation) => {
      if (operation.operationId !== "createUserAccount") return operation;
      return {
        ...operation,
        responseValidators: { ...operation.responseValidators, "201 application/json": refusingValidator },
      };
    });
    const mock = createMock({ ...plan, operations }, { clock: "2026-04-01" });
    const response = await send(mock, exampleCall(operationNamed(plan, "createUserAccount"), mock.apiKey));
    expect(response.status).toBe(500);
    const message = "The response 201 of createUserAccount is not as the contract says: /userId must be unheard of.";
    expect(await response.text()).toBe(`The mock failed: ${message}\n`);
    expect(mock.requests[0]?.notes).toEqual([`The mock failed: ${message}`]);
    expect(mock.state()).toMatchObject({ entities: [], claims: [], ids: 0 });
  });
});

describe("the time of a tenant", () => {
  it("runs jobs and deliveries in order, each at its due time", async () => {
    const mock = createMock(plan, { clock: "2026-04-01T00:00:00Z" });
    const receivedLines: string[] = [];
    mock.sendWebhooksTo({
      handler: async (request) => {
        const { pathname } = new URL(request.url);
        receivedLines.push(`${mock.clock.now.toISOString().slice(14, 19)} ${pathname}`);
        return new Response(null, { status: receivedLines.length === 1 ? 503 : 200 });
      },
    });
    mock.users.create("user-1", { verified: true });
    await mock.settle();
    const countBefore = receivedLines.length;
    mock.triggerEvent("sepaDeposit", "depositArrives", { externalUserId: "user-1" });
    await mock.clock.advance("20 seconds");
    const times = receivedLines.slice(countBefore).map((line) => line.slice(0, 5));
    expect(times).toEqual([...times].sort());
    const delay = plan.delivery.delays[0] ?? 0;
    expect(times).toContain(`00:${String(plan.assumptions.delays.sepaDeposit).padStart(2, "0")}`);
    expect(times).toContain(`00:${String(delay).padStart(2, "0")}`);
  });

  it("starts with the scenario, whose events are in the past", async () => {
    const handler = vi.fn(async () => new Response());
    const mock = createMock(plan, { scenario: true, clock: "2026-06-01T00:00:00Z", webhooks: { handler } });
    const userValues = { externalUserId: "user-1042" };
    const call = exampleCall(operationNamed(plan, "getUserBalances"), mock.apiKey, userValues);
    expect((await send(mock, call)).status).toBe(200);
    await mock.settle();
    expect(handler).not.toHaveBeenCalled();
    expect(mock.clock.now.toISOString()).toBe("2026-06-01T00:00:00.000Z");
    const state = mock.state();
    mock.users.create("user-1");
    mock.reset();
    expect(mock.state()).toEqual(state);
  });
});
