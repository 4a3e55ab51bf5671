import {
  type Contract,
  type ErrorCode,
  finalValues,
  findSensitiveNames,
  type OpenApiDocument,
  type Resource,
  readContract,
  resultsOf,
  stateOf,
  type Webhook,
} from "../../contract/model/index.ts";
import type { PlanData } from "../plan/attach.ts";
import { controlData } from "./control-data.ts";
import { operationData } from "./operation-data.ts";
import { noPlanRegisters, type PlanRegisters } from "./registers.ts";
import type { Validators } from "./validators.ts";

export interface PlanSource {
  document: OpenApiDocument;
  registers?: PlanRegisters;
}

export function planData({ document, registers = noPlanRegisters }: PlanSource, validators: Validators): PlanData {
  const contract = readContract(document, registers);
  const { operations, webhooks, resources, errorCodes, delivery } = contract;
  const sensitiveNames = findSensitiveNames(contract.root);
  return {
    version: document.info.version,
    operations: operations.map((operation) =>
      operationData(operation, { contract, registers, validators, sensitiveNames }),
    ),
    webhooks: webhooks.map((webhook) => webhookData(webhook, contract, validators)),
    resources: Object.fromEntries(resources.map((resource) => [resource.name, resourceData(resource)])),
    codes: Object.fromEntries(errorCodes.map((code) => [code.code, codeData(code)])),
    delivery: {
      attempts: delivery?.attempts ?? 1,
      delays: delivery?.delays ?? [],
    },
    assumptions: registers.assumptions as PlanData["assumptions"],
    questions: registers.questions,
    ...controlData(validators),
    sensitiveNames,
    probes: registers.probes,
    scenario: undefined,
  };
}

function webhookData(webhook: Webhook, { resources }: Contract, validators: Validators): PlanData["webhooks"][number] {
  const { name, path, event, requestBody } = webhook;
  const [body] = requestBody?.bodies ?? [];
  const resource = resources.find((candidate) => candidate.name === event?.resource);
  return {
    name,
    path,
    resource: event?.resource ?? "",
    state: event?.state ?? (resource === undefined ? undefined : stateOf(resource, undefined)?.name) ?? "status",
    after: event?.after ?? [],
    fields: event?.body ?? {},
    validator: body === undefined ? "" : validators.response(body.schema),
    examples: Object.fromEntries(body?.examples.map((example) => [example.name, example.value]) ?? []),
  };
}

function resourceData({ name, id, states, externalEvents }: Resource): PlanData["resources"][string] {
  return {
    name,
    id,
    states: Object.fromEntries(
      states.map((state) => [
        state.name,
        { ...state.lifecycle, final: finalValues(state), results: resultsOf(state) ?? {} },
      ]),
    ),
    externalEvents: Object.fromEntries(
      externalEvents.map(({ name: event, creates, moves, state, to, parameterNames, meaning }) => [
        event,
        { creates, moves, state, to, takes: parameterNames, meaning },
      ]),
    ),
  };
}

function codeData({ code, status, meaning, location }: ErrorCode): PlanData["codes"][string] {
  const [example] = location.child("examples").items();
  return { code, status, meaning, example: (example?.value ?? { errorCode: code }) as Record<string, unknown> };
}
