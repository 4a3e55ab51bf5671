/** Journeys: sequences of calls, from the Arazzo documents in `openapi/journeys/`. */
import { readdirSync } from "node:fs";
import { isCode, projectRoot } from "../../contract/model/index.ts";
import { readYaml } from "../../contract/sources/index.ts";

export interface Journey {
  workflowId: string;
  summary: string;
  description: string;
  steps: Step[];
}

export interface Step {
  stepId: string;
  description: string;
  /** Such as `$sourceDescriptions.contract.createCard`. The source `mock` is for external events. */
  operationId: string;
  requestBody?: { payload?: unknown };
  successCriteria: { condition: string; type?: string }[];
  "x-webhooks"?: string[];
}

export function readJourneys(folder = `${projectRoot}/openapi/journeys`): Journey[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".arazzo.yaml"));
  const readWorkflows = (name: string) =>
    readYaml<{ workflows: Journey[] }>(`${folder}/${name}`, "The journey").workflows;
  return names.sort().flatMap(readWorkflows);
}

export function operationOfStep({ operationId }: Pick<Step, "operationId">): { source: string; operationId: string } {
  const [, source = "", name = operationId] = /^\$sourceDescriptions\.(\w+)\.(\w+)$/.exec(operationId) ?? [];
  return { source, operationId: name };
}

export function expectedResponseOf({ successCriteria }: Step): { status: string; code: string } {
  const conditionText = successCriteria.map(({ condition }) => condition).join("\n");
  const status = /\$statusCode == (\d+)/.exec(conditionText)?.[1] ?? "";
  const code = /#\/errorCode == "(\w+)"/.exec(conditionText)?.[1] ?? "";
  return { status, code: isCode(code) ? code : "" };
}
