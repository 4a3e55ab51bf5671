import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import { type RunningMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { type Journey, operationOfStep, readJourneys } from "../../../scripts/site/content/journeys.ts";
import { withTemporaryFolder } from "../../../scripts/tools/processes/index.ts";
import { documentOf } from "../../support/contract.ts";
import { type JourneyResult, journeyFiles, lintJourneys, runJourneys } from "./respect.ts";

const files = journeyFiles();
const journeys = readJourneys();

let mock: RunningMock;
const deliveryCounts: number[] = [];
beforeAll(async () => {
  const onRequest = () => deliveryCounts.push(mock.tenant("journeys").deliveries.length);
  mock = await startMock(await loadPlan(), { edition: "test", onRequest });
});
afterAll(() => mock?.close());

type Step = Journey["steps"][number];
type Criterion = Step["successCriteria"][number];

const serviceFor = (apiKey: string) => ({ url: mock.url, depositUrl: mock.depositUrl, apiKey });

function runChanged(change: (step: Step) => Step): Promise<JourneyResult[]> {
  return withTemporaryFolder("journeys-", async (folder) => {
    const changedFiles = files.map((file) => {
      // Resolves references relative to the original file, because the copy is in another folder.
      const text = readFileSync(file, "utf8").replaceAll("url: ..", `url: ${dirname(file)}/..`);
      const document = parseYaml(text) as { workflows: { steps: Step[] }[] };
      for (const workflow of document.workflows) workflow.steps = workflow.steps.map(change);
      writeFileSync(join(folder, basename(file)), JSON.stringify(document));
      return join(folder, basename(file));
    });
    return runJourneys(changedFiles, serviceFor("changed"), { continuesAfterFailure: true });
  });
}

function falsify(criterion: Criterion): Criterion[] {
  const { type, condition } = criterion;
  if (type === undefined)
    return [{ condition: condition.replace(/ [!=]= /, (sign) => (sign === " == " ? " != " : " == ")) }];
  const comparisons = [...condition.matchAll(/@\.\w+ == ('[^']*'|[-\d.]+)/g)];
  return comparisons.map(({ index, 0: text, 1: value = "" }) => {
    const otherValue = value.startsWith("'") ? value.replace("'", "'not ") : `${value}4242`;
    const changedText = text.replace(value, otherValue);
    return { ...criterion, condition: condition.slice(0, index) + changedText + condition.slice(index + text.length) };
  });
}

describe("the journeys as documents", () => {
  it("comply with Arazzo", () => lintJourneys(files));

  it("name existing operations of the right document", async () => {
    const control = parseYaml(readFileSync(`${projectRoot}/openapi/mock-control.yaml`, "utf8")) as object;
    const contract = idsOf(await documentOf("test"));
    const knownIds: Record<string, string[]> = { contract, deposits: contract, mock: idsOf(control) };
    const unknownOperations = journeys
      .flatMap(({ steps }) => steps.map(operationOfStep))
      .filter(({ source, operationId }) => knownIds[source]?.includes(operationId) !== true);
    expect(unknownOperations).toEqual([]);
  });

  it("have one workflow each, a description of every step, and a refused call", () => {
    expect(journeys).toHaveLength(files.length);
    for (const { workflowId, summary, description, steps } of journeys) {
      expect(summary, workflowId).not.toBe("");
      expect(description, workflowId).not.toBe("");
      for (const step of steps) expect(step.description, `${workflowId} ${step.stepId}`).toMatch(/\.$/);
      const conditions = steps.flatMap(({ successCriteria }) => successCriteria.map(({ condition }) => condition));
      expect(conditions, workflowId).toContainEqual(expect.stringMatching(/errorCode == "P\d{3}"$/));
    }
  });

  it("never use the header Prefer, so that their responses follow from the state", () => {
    for (const file of files) expect(readFileSync(file, "utf8"), basename(file)).not.toMatch(/\bPrefer\b/i);
  });
});

describe("the journeys run against the mock", () => {
  it("succeed with every step", async () => {
    const results = await runJourneys(files, serviceFor("journeys"));
    const expectedResults = journeys.map(({ workflowId, steps }) => ({
      workflowId,
      steps: steps.length,
      findings: [],
    }));
    expect(results).toEqual(expectedResults);
    expect(mock.tenant("journeys").clock.now.toISOString()).toMatch(/^2026-04-01T09:/);
    // Each step names the webhooks that the mock sent. Setup calls to the control interface are not compared.
    const names = mock.tenant("journeys").deliveries.map(({ webhook }) => webhook);
    const steps = journeys.flatMap(({ workflowId, steps }) => steps.map((step) => ({ workflowId, ...step })));
    for (const [index, { workflowId, stepId, operationId, "x-webhooks": namedWebhooks = [] }] of steps.entries()) {
      if (/\.mock\.(make|fund)/.test(operationId)) continue;
      expect([...namedWebhooks].sort(), `${workflowId} ${stepId}`).toEqual(
        [...new Set(names.slice(deliveryCounts[index - 1] ?? 0, deliveryCounts[index]))].sort(),
      );
    }
  }, 120_000);

  it("fail at every changed value", async () => {
    let count = 0;
    const change = (step: Step): Step => {
      const successCriteria = step.successCriteria.flatMap(falsify);
      count += successCriteria.length;
      return { ...step, successCriteria };
    };
    const results = await runChanged(change);
    const findings = results.flatMap((result) => result.findings);
    expect(findings.filter((finding) => !finding.includes(": success criteria check: "))).toEqual([]);
    expect(findings).toHaveLength(count);
    expect(results.map(({ steps }) => steps)).toEqual(journeys.map(({ steps }) => steps.length));
  }, 120_000);
});

function idsOf(document: object): string[] {
  const { paths } = document as { paths: Record<string, Record<string, { operationId?: string }>> };
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId])),
  );
}
