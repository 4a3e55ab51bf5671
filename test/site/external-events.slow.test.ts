import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { readMockControl } from "../../scripts/contract/sources/index.ts";
import { possibleEvents } from "../../scripts/mock/control/operations.ts";
import { type RunningMock, startMock } from "../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";
import { lifecyclePages } from "../../scripts/site/pages/lifecycle.tsx";
import { mockAddresses, sampleKey } from "../../scripts/site/samples/addresses.ts";
import { externalEventCommands } from "../../scripts/site/samples/external-event-commands.ts";
import { run, withTemporaryFolder } from "../../scripts/tools/processes/index.ts";
import { memorySources } from "../support/memory-sources.ts";
import { type Element, elementsOf, elementsWithClass, parsePages, textOf } from "./parsed-page.ts";
import { site } from "./whole-site.ts";

const mockControl = readMockControl();
const { contract } = site;

interface ShownCommands {
  name: string;
  remark: string;
  code: string;
}

const commands = commandsOnPages();

function commandsOnPages(): ShownCommands[] {
  const pages = parsePages(lifecyclePages(site), { ...site, mockControl });
  return pages.flatMap(({ main }, index) =>
    elementsWithClass(main, "external-event-commands").map((block) => {
      const find = (tag: string) => elementsOf(block).find(({ tagName }) => tagName === tag);
      const [, event] = /^Trigger (\w+)/.exec(textOf(find("figcaption"))) ?? [];
      const pre = find("pre") as Element;
      const name = `${contract.resources[index]?.name}.${event}`;
      return { name, remark: textOf(find("p")), code: linesOf(pre) };
    }),
  );
}

function linesOf(node: Element): string {
  return node.childNodes
    .map((child) => ("tagName" in child ? linesOf(child) : "value" in child ? child.value : ""))
    .join("");
}

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock(await loadPlan(), { edition: "test", scenario: true });
});
afterAll(() => mock.close());

/** Freezes or advances the clock. With a running clock, the mock could make its next step before a slow command ends. */
async function setClock(key: string, body: object): Promise<void> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const response = await fetch(`${mock.url}/__mock/clock`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
}

async function problemsOf({ name, code }: ShownCommands, key: string): Promise<string[]> {
  const script = code
    .replaceAll(mockAddresses.base_url, mock.url)
    .replaceAll(mockAddresses.deposit_base_url, mock.depositUrl)
    .replaceAll(sampleKey, key);
  const output = await withTemporaryFolder("external-events-", (folder) =>
    run("bash", ["-eu", "-c", script], { cwd: projectRoot, env: { TMPDIR: folder }, limitMs: 20_000 }),
  );
  const statuses = [...output.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  const callCount = code.match(/^curl -i /gm)?.length;
  const hasHappened = output.slice(output.lastIndexOf("\n{")).includes(`"resource":"${name.split(".")[0]}","id":`);
  const hasSucceeded =
    statuses.length === callCount && statuses.every((status) => status >= 200 && status < 300) && hasHappened;
  return hasSucceeded ? [] : [`${name}: ${output}`];
}

async function runAll(judge: (shownCommands: ShownCommands) => Promise<string[]>): Promise<string[]> {
  const remainingCommands = [...commands];
  const problems: string[] = [];
  const judgeRemaining = async () => {
    for (let command = remainingCommands.shift(); command !== undefined; command = remainingCommands.shift())
      problems.push(...(await judge(command)));
  };
  await Promise.all([judgeRemaining(), judgeRemaining()]);
  return problems;
}

describe("the commands for external events", () => {
  test("are those of the control interface, one for each possible event", async () => {
    const plan = await loadPlan();
    const possibleNames = possibleEvents(plan).map(({ resource, event }) => `${resource}.${event}`);
    expect(Object.keys(mockControl.externalEvents).sort()).toEqual(possibleNames.sort());
    for (const [name, { value }] of Object.entries(mockControl.externalEvents)) {
      expect(`${value.resource}.${value.event}`).toBe(name);
    }
    expect(commands.map(({ name }) => name).sort()).toEqual(possibleNames);
  });

  test("are all on the pages", () => {
    const externalEventNames = contract.resources.flatMap(({ name, externalEvents }) =>
      externalEvents.map((event) => `${name}.${event.name}`),
    );
    expect(commands.map(({ name }) => name)).toEqual(externalEventNames);
  });

  test("work in a new world each, and repeatedly unless a remark says otherwise", async () => {
    const problems = await runAll(async (shownCommands) => {
      const key = `key-${shownCommands.name}`;
      await setClock(key, { freeze: true });
      const firstProblems = await problemsOf(shownCommands, key);
      await setClock(key, { advance: "1 minute" });
      const isRepeatable = (await problemsOf(shownCommands, key)).length === 0;
      const happensOnce = /Happens once/.test(shownCommands.remark);
      return [
        ...firstProblems,
        ...(isRepeatable === happensOnce ? [`${shownCommands.name}: repeatable ${isRepeatable}`] : []),
      ];
    });
    expect(problems).toEqual([]);
  }, 30_000);

  test("work one after the other in one world", async () => {
    const problems: string[] = [];
    await setClock(sampleKey, { freeze: true });
    for (const shownCommands of commands) problems.push(...(await problemsOf(shownCommands, sampleKey)));
    expect(problems).toEqual([]);
  }, 30_000);

  test("are absent without a control interface, and an unreadable one is refused", () => {
    expect(externalEventCommands("sepaDeposit.depositArrives", site)).toBeUndefined();
    expect(() => readMockControl(memorySources({}))).toThrow(/mock-control.yaml cannot be read: there is no file/);
  });
});
