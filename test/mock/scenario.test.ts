import { describe, expect, it } from "vitest";
import { createMock, startMock } from "../../scripts/mock/host/mock.ts";
import type { Step } from "../../scripts/mock/make-plan/scenario/steps.ts";
import { sources } from "../support/contract.ts";
import { plan } from "../support/plan.ts";
import { exampleCall, operationNamed, send } from "./codes/calls.ts";

describe("the scenario in the mock", () => {
  it("finds every resource that a lookup of the scenario asks for", async () => {
    const mock = createMock(plan, { scenario: true, edition: "test", clock: "2026-05-05T09:30:00Z" });
    const { timeline } = sources.document(sources.layout.scenario).parsed as { timeline: Step[] };
    const lookups = timeline.filter(({ operation = "" }) =>
      /^get\w+(Details|History|Info|Balances|Status)$/.test(operation),
    );
    expect(lookups.length).toBeGreaterThan(30);
    for (const { operation = "", path = {}, query = {} } of lookups) {
      const call = exampleCall(operationNamed(plan, operation), mock.apiKey, { ...path, ...query });
      expect((await send(mock, call)).status, `${operation} ${JSON.stringify({ path, query })}`).toBe(200);
    }
  });

  it("starts at the time of its last step, and completes what its last steps have begun", async () => {
    const mock = createMock(plan, { scenario: true, edition: "test" });
    expect(mock.clock.now.toISOString()).toMatch(/^2026-05-05T09:30:0/);
    const statusOf = (id: string) => mock.state().entities.find((entity) => entity.id === id)?.states.status;
    expect(statusOf("068fe849-f98f-4a0d-9a23-cea1a9c59a2d")).toBe("IN_PROGRESS");
    await mock.clock.advance("1 minute");
    expect(statusOf("068fe849-f98f-4a0d-9a23-cea1a9c59a2d")).toBe("SUCCESSFUL");
    expect(statusOf("1ed194c9-74a6-4dcb-9030-f10b7d53a464")).toBe("WAITING_FOR_VERIFICATION");
    mock.close();
  });
});

describe("an initial state", () => {
  const options = { clock: "2026-03-10T09:00:00Z", edition: "test" } as const;

  it("is that of each world, also after a reset, and a copy", async () => {
    const firstMock = createMock(plan, options);
    firstMock.users.create("user-a", { verified: true, extended: true, funds: { eur: "5.00" } });
    const state = firstMock.state();
    const startedMock = await startMock(plan, { ...options, state });
    const otherMocks = [createMock(plan, { ...options, state }), startedMock];
    for (const otherMock of otherMocks) {
      expect(otherMock.state()).toEqual(state);
      otherMock.users.fund("user-a", { eur: "1.00" });
      otherMock.reset();
      expect(otherMock.tenant("another").state()).toEqual(state);
    }
    await startedMock.close();
    (state.entities[0] as { states: object }).states = {};
    expect(otherMocks[0]?.state()).toEqual(firstMock.state());
  });

  it("is refused when it does not fit the contract", async () => {
    const state = createMock(plan, options).state();
    const wrongState = { ...state, jobs: [{ name: "none", due: 0, about: {} }] };
    expect(() => createMock(plan, { state: wrongState })).toThrow("The state: There is no job none.");
    await expect(startMock(plan, { state: { ...state, format: 7 } })).rejects.toThrow("format must be 2");
  });
});
