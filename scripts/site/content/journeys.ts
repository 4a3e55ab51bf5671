/** A journey is a sequence of calls. The Arazzo documents are in `openapi/journeys/`. */
import { readdirSync } from "node:fs";
import { projectRoot, UsageError } from "../../base/index.ts";
import { isCode } from "../../contract/model/index.ts";
import { readYaml } from "../../contract/sources/index.ts";
import { isListOf, isText, isTextList } from "./forms.ts";

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
  const names = readdirSync(folder).filter((name) => /^[^.].*\.arazzo\.yaml$/.test(name));
  return names.sort().flatMap((name) => readWorkflows(`${folder}/${name}`));
}

function readWorkflows(file: string): Journey[] {
  const { workflows } = Object(readYaml(file, "The journey"));
  if (!isListOf(workflows, isJourney))
    throw new UsageError(
      `${file} must have workflows, each with workflowId, summary, description and steps, and each step with stepId, description, operationId and successCriteria.`,
    );
  return workflows;
}

function isJourney(value: unknown): value is Journey {
  const { workflowId, summary, description, steps } = Object(value);
  return isTextList([workflowId, summary, description]) && isListOf(steps, isStep);
}

function isStep(value: unknown): value is Step {
  const { stepId, description, operationId, successCriteria, "x-webhooks": webhooks = [] } = Object(value);
  return isTextList([stepId, description, operationId, ...webhooks]) && isListOf(successCriteria, isCriterion);
}

function isCriterion(value: unknown): value is Step["successCriteria"][number] {
  return isText(Object(value).condition);
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
