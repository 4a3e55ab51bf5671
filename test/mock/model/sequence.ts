import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMock, type InProcessMock, startMock } from "../../../scripts/mock/host/mock.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import type { Action } from "./actions.ts";
import {
  findReadingProblems,
  problemsOfResponse,
  problemsOfState,
  problemsOfTransitions,
  type State,
} from "./invariants.ts";
import { type KnownValues, type StepResponse, sendStep, stepOf, storeKnownValues } from "./known.ts";

const startTime = "2026-04-01T07:00:00Z";

export async function runSequence(plan: Plan, actions: readonly Action[]): Promise<readonly string[]> {
  const events: string[] = [];
  // Acknowledges only events that match the contract.
  const handler = async (request: Request) => {
    const { pathname } = new URL(request.url);
    const body = await request.text();
    events.push(`${pathname} ${body}`);
    const webhook = plan.webhooks.find(({ path }) => path === pathname);
    return new Response("{}", { status: webhook?.validator(JSON.parse(body)) ? 200 : 500 });
  };
  const mock = createMock(plan, { clock: startTime, edition: "test", webhooks: { handler } });
  const reader = createMock(plan, { clock: startTime, edition: "test" });
  const responses: StepResponse[] = [];
  try {
    const knownValues: KnownValues = { ids: new Map(), locks: new Map() };
    let stateBefore = mock.state();
    for (const [index, action] of actions.entries()) {
      const response = await sendStep(mock, stepOf(plan, mock.apiKey, action, knownValues));
      responses.push(response);
      await mock.settle();
      const stateAfter = mock.state();
      storeWallets(stateAfter, knownValues);
      storeKnownValues(response, knownValues);
      const problems = problemsAfter(mock, plan, { stateBefore, stateAfter, response });
      const ownersToRead = ownersToReadAfter(index, index === actions.length - 1);
      for (const owner of ownersToRead)
        problems.push(...(await findReadingProblems(reader, plan, { state: stateAfter, owner })));
      stateBefore = stateAfter;
      if (problems.length > 0) return problems;
    }
    const problems = await findDifferencesAfterReset(mock, responses, events);
    return problems.length > 0 ? problems : await findDifferencesAfterRestarts(plan, responses, mock.state());
  } finally {
    mock.close();
    reader.close();
  }
}

const owners = [null, "ann", "bob", "eve"];

/** Returns one owner after every third step, because reading is slow, and all owners after the last step. */
function ownersToReadAfter(index: number, isLast: boolean): readonly (string | null)[] {
  if (isLast) return owners;
  return index % 3 === 0 ? owners.slice((index / 3) % 4).slice(0, 1) : [];
}

interface StepResult {
  readonly stateBefore: State;
  readonly stateAfter: State;
  readonly response: StepResponse;
}

function problemsAfter(mock: InProcessMock, plan: Plan, { stateBefore, stateAfter, response }: StepResult): string[] {
  const hasForbiddenEffect = response.status >= 400 && JSON.stringify(stateBefore) !== JSON.stringify(stateAfter);
  return [
    ...problemsOfResponse(response),
    ...(hasForbiddenEffect ? ["the refused call changed the state"] : []),
    ...problemsOfState(plan, stateAfter),
    ...problemsOfTransitions(plan, stateBefore, stateAfter),
    ...mock.deliveries.flatMap(({ state, webhook }) => (state === "delivered" ? [] : [`${webhook} is ${state}`])),
  ];
}

function storeWallets({ entities }: State, knownValues: KnownValues): void {
  const ids = (entities as readonly { resource: string; id: string }[]).flatMap(({ resource, id }) =>
    resource === "wallet" ? [id] : [],
  );
  knownValues.ids.set("wallet", ids);
}

async function findDifferencesAfterReset(
  mock: InProcessMock,
  firstResponses: readonly StepResponse[],
  events: string[],
): Promise<string[]> {
  const state = JSON.stringify(mock.state());
  const eventsBefore = [...events];
  events.length = 0;
  mock.reset();
  for (const [index, { step, status, text }] of firstResponses.entries()) {
    const repeatedResponse = await sendStep(mock, step);
    await mock.settle();
    if (repeatedResponse.status !== status || repeatedResponse.text !== text)
      return [`after a reset, step ${index + 1} answers ${repeatedResponse.text}`];
  }
  if (events.join() !== eventsBefore.join()) return ["after a reset, the events are others"];
  return JSON.stringify(mock.state()) === state ? [] : ["after a reset, the same calls lead to another state"];
}

async function findDifferencesAfterRestarts(
  plan: Plan,
  firstResponses: readonly StepResponse[],
  state: State,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "model-"));
  const webhooks = { handler: () => new Response("{}") };
  const options = { clock: startTime, edition: "test", webhooks, state: join(folder, "state") } as const;
  const startWithState = () => startMock(plan, options);
  let mock = await startWithState();
  try {
    for (const [index, { step, status, text }] of firstResponses.entries()) {
      if (index % Math.ceil(firstResponses.length / 3) === 1) {
        await mock.close();
        mock = await startWithState();
      }
      const repeatedResponse = await sendStep(
        { fetch, baseUrl: mock.url, depositBaseUrl: mock.depositUrl, apiKey: mock.apiKey },
        step,
      );
      await mock.settle();
      if (repeatedResponse.status !== status || repeatedResponse.text !== text)
        return [`with restarts, step ${index + 1} answers ${repeatedResponse.text}`];
    }
    const isSame = JSON.stringify(mock.state()) === JSON.stringify(state);
    return isSame ? [] : ["with restarts, the same calls lead to another state"];
  } finally {
    await mock.close();
    rmSync(folder, { recursive: true });
  }
}
