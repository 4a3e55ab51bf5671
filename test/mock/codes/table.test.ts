/** Every refusal that the contract documents arises by itself, names what was sent, and leaves no trace. */
import { beforeAll, describe, expect, it } from "vitest";
import type { PlanOperation } from "../../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { operationNamed, send } from "./calls.ts";
import { type Provocation, pairsOf, provocationsOf, reasonForFault } from "./provocations.ts";
import { makeStage, type Stage, setStage, successOf } from "./stage.ts";
import { statedPairs } from "./stated.ts";
import { tableOf } from "./table.ts";

const plan = await loadPlan();

let stage: Stage;
beforeAll(async () => {
  stage = await makeStage(plan);
});

describe.each(plan.operations.map((operation) => [operation.operationId, operation] as const))(
  "%s",
  (id, operation) => {
    it("succeeds on the stage", async () => {
      const response = await send(setStage(stage), successOf(stage, id));
      expect(response.ok, `${response.status} ${await response.clone().text()}`).toBe(true);
    });

    it.each(pairsOf(operation))("%s", async (pair) => {
      const provocations = provocationsOf(stage, operation, pair);
      if (reasonForFault(operation, pair) === undefined) {
        const hint = `Nothing provokes ${pair} of ${id}. Add it to stories.ts or money-stories.ts.`;
        expect(provocations.length, hint).toBeGreaterThan(0);
      } else expect(provocations, `${pair} of ${id} arises by itself: take it out of byFault.`).toEqual([]);
      for (const provocation of provocations) await expectRefusal(operation, pair, provocation);
      if (pair.startsWith("P")) await expectByFault(operation, pair);
    });
  },
);

it("the pairs that the specification states are among them, and all but P500 and P501 arise by themselves", () => {
  const stated = statedPairs(plan);
  for (const { operation, pair } of stated) {
    expect(pairsOf(operation), `${operation.operationId} documents ${pair}`).toContain(pair);
    const isAlone = reasonForFault(operation, pair) === undefined;
    expect(isAlone, `${operation.operationId} ${pair}`).toBe(pair !== "P500" && pair !== "P501");
  }
});

it("a pair that is new in the contract is one that nothing provokes", () => {
  const operation = operationNamed(plan, "getExchangeRate");
  const [answer] = operation.answers.filter(({ code }) => code === "P403");
  if (answer === undefined) throw new Error("getExchangeRate documents no P403.");
  const changed = { ...operation, answers: [...operation.answers, { ...answer, code: "P499" }] };
  expect(pairsOf(changed)).toContain("P499");
  expect(reasonForFault(changed, "P499")).toBeUndefined();
  expect(provocationsOf(stage, changed, "P499")).toEqual([]);
});

it("the table", async () => {
  await expect(tableOf(plan)).toMatchFileSnapshot("table.md");
});

/** Tells a story to its end. */
async function expectRefusal(operation: PlanOperation, pair: string, provocation: Provocation): Promise<void> {
  const { why, before, call, names } = provocation;
  const mock = setStage(stage);
  await before?.(mock, stage);
  await mock.settle();
  const state = JSON.stringify(mock.state());
  const response = await send(mock, call);
  const text = await response.text();
  const about = `${operation.operationId}, ${why}: ${response.status} ${text.slice(0, 500)}`;
  expectDocumented(operation, pair, { status: response.status, text, about });
  const { errorMessage = "", timestamp } = JSON.parse(text) as { errorMessage?: string; timestamp?: string };
  expect(errorMessage, about).toContain(names ?? "");
  // Without an accepted key there is no world, whose time it could be.
  if (pair !== "401") expect(timestamp, about).toBe(mock.clock.now.toISOString());
  expect(response.headers.has("preference-applied"), about).toBe(false);
  // A notice comes with a success, which does something.
  if (response.status >= 400) expect(JSON.stringify(mock.state()), about).toBe(state);
  mock.close();
}

async function expectByFault(operation: PlanOperation, code: string): Promise<void> {
  const mock = setStage(stage);
  mock.faults.add({ operation: operation.operationId, code });
  const state = JSON.stringify(mock.state());
  const call = successOf(stage, operation.operationId);
  const response = await send(mock, call);
  const about = `${operation.operationId} by a fault`;
  expectDocumented(operation, code, { status: response.status, text: await response.text(), about });
  expect(JSON.stringify(mock.state()), about).toBe(state);
  expect((await send(mock, call)).ok, `${about}, once more`).toBe(true);
  mock.close();
}

function expectDocumented(
  operation: PlanOperation,
  pair: string,
  { status, text, about }: { status: number; text: string; about: string },
): void {
  const documented = operation.answers.find((answer) => (answer.code ?? String(answer.status)) === pair);
  expect(status, about).toBe(documented?.status);
  const body = JSON.parse(text) as { errorCode?: string };
  expect(body.errorCode, about).toBe(documented?.code);
  const validator = operation.answerValidators[`${status} application/json`];
  expect(validator?.(body), `${about} ${JSON.stringify(validator?.errors)}`).toBe(true);
}
