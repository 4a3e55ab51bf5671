/** Tests the mock with operations and webhooks that it does not implement, and with parts that contradict the contract. */
import { describe, expect, it } from "vitest";
import { findWebhook } from "../../scripts/cli/package/single-event.ts";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { Tenants } from "../../scripts/mock/tenants/tenants.ts";
import { plan } from "../support/plan.ts";
import { operationNamed } from "./codes/calls.ts";

describe("an operation without a behaviour", () => {
  it("returns its documented example after its conditions, with a note", async () => {
    const knownOperation = operationNamed(plan, "getUserBalances");
    const addedOperation = {
      ...knownOperation,
      operationId: "getUserPoints",
      path: "/v1/user/points/{externalUserId}",
    };
    const mock = createMock({ ...plan, operations: [...plan.operations, addedOperation] });
    const get = (id: string) =>
      mock.fetch(`${mock.baseUrl}/v1/user/points/${id}`, { headers: { "x-api-key": mock.apiKey } });
    expect((await get("user-1")).status).toBe(404);
    mock.users.create("user-1", { verified: true });
    const response = await get("user-1");
    expect([response.status, await response.text()]).toEqual([
      knownOperation.responses[0]?.status,
      knownOperation.responses[0]?.body,
    ]);
    expect(mock.requests.at(-1)?.notes).toEqual([
      "The mock has no behaviour of getUserPoints: this is the documented example.",
    ]);
  });
});

describe("a webhook without a script", () => {
  it("is sent with its example and the resource's id, owner and state, beside the known webhook", async () => {
    const knownWebhook = findWebhook(plan, "sepaDeposit");
    const addedWebhook = { ...knownWebhook, name: "sepaDepositSeen", path: "/seen-webhook" };
    const mock = createMock({ ...plan, webhooks: [...plan.webhooks, addedWebhook] }, { clock: "2026-04-01" });
    mock.users.create("user-7", { verified: true });
    const { id } = mock.triggerEvent("sepaDeposit", "depositArrives", { externalUserId: "user-7", amount: "10.00" });
    await mock.clock.advance("1 day");
    const bodiesOf = (webhook: string) =>
      mock.deliveries.filter((delivery) => delivery.webhook === webhook).map(({ body }) => JSON.parse(body));
    const [addedBodies, knownBodies] = [bodiesOf("sepaDepositSeen"), bodiesOf("sepaDeposit")];
    expect(knownBodies.length).toBeGreaterThan(0);
    const ownerAndStatus = ({ externalUserId, status }: { externalUserId: string; status: string }) => [
      externalUserId,
      status,
    ];
    expect(addedBodies.map(ownerAndStatus)).toEqual(knownBodies.map(ownerAndStatus));
    expect(JSON.stringify(addedBodies[0])).toContain(id);
  });
});

it("a code that an operation does not document is an internal error, also where other codes may occur", () => {
  const tenants = new Tenants({ plan, edition: "test", seed: "s" });
  const tenant = tenants.getOrCreate("key");
  const operation = operationNamed(plan, "getPartnerBalances");
  expect(operation.openStatuses).toContain(400);
  const requires = [
    { condition: "userExists", expressions: ["$request.path.externalUserId"], code: "P433", requiresAny: false },
  ];
  const call = { path: { externalUserId: "nobody" }, query: {}, body: undefined, amounts: {}, files: {} };
  expect(() => tenant?.execute({ ...call, operation: { ...operation, requires } })).toThrow(
    "getPartnerBalances answers P433, which it does not document.",
  );
  tenants.close();
});

it("a scenario that does not fit the contract leaves the world empty, with a note", async () => {
  const notes: string[] = [];
  const scenario = { problem: "An example is missing." };
  const mock = createMock({ ...plan, scenario }, { scenario: true, onNote: (note) => notes.push(note) });
  expect(mock.state().entities).toEqual([]);
  expect(Math.abs(mock.clock.now.getTime() - Date.now())).toBeLessThan(10_000);
  expect(notes).toEqual([
    expect.stringContaining("The scenario cannot be played, so that nothing is there yet: An example is missing."),
  ]);
  const mockWithoutScenario = createMock({ ...plan, scenario: undefined }, { scenario: true });
  expect(mockWithoutScenario.state().entities).toEqual([]);
});
