/** Everything of a plan that is plain data of the contract. */
import {
  type Contract,
  type Edition,
  type ErrorCode,
  editions,
  type OpenApiDocument,
  type Operation,
  type Resource,
  readContract,
  stateOf,
  type Webhook,
} from "../contract/index.ts";
import type { PlanData } from "../mock/plan/attach.ts";
import { operationData } from "./operation-data.ts";
import type { PlanRegisters } from "./registers.ts";
import { resolveScenario } from "./scenario.ts";
import type { SchemaNames } from "./schema-names.ts";

/** A bundle, and what a plan needs besides it. */
export interface PlanSource {
  edition: Edition;
  document: OpenApiDocument;
  registers: PlanRegisters;
  /** The bundles of other editions, for what those have and this one does not; none by default. */
  others?: Partial<Record<Edition, OpenApiDocument>>;
}

/**
 * The plan of a bundle as plain data. Answers have the bodies of their examples.
 *
 * @param names what the validators of schemas are called.
 */
export function planData({ edition, document, registers, others = {} }: PlanSource, names: SchemaNames): PlanData {
  const contract = readContract(document, registers);
  const contracts = { ...contractsOf(others), [edition]: contract };
  const surfaces = surfacesOf(contracts);
  const { webhooks, resources, delivery } = contract;
  const absent = absentOperations(surfaces, edition);
  return {
    edition,
    version: document.info.version,
    operations: contract.operations.map((operation) =>
      operationData(operation, { contract, registers, editions: editionsOf(operation, surfaces), names }),
    ),
    absent,
    webhooks: webhooks.map((webhook) => ({
      ...webhookData(webhook, contract, names),
      pathEditions: pathEditionsOf(webhook, contracts),
    })),
    resources: Object.fromEntries(resources.map((resource) => [resource.name, resourceData(resource)])),
    codes: Object.fromEntries(contract.errorCodes.map((code) => [code.code, codeData(code)])),
    delivery: {
      attempts: delivery?.attempts ?? 1,
      delays: delivery?.delays ?? [],
      healthPath: delivery?.healthPath ?? "",
    },
    // Its form is checked by lint, not here.
    assumptions: registers.assumptions as PlanData["assumptions"],
    // An edition that lacks operations cannot tell the whole story.
    scenario: Object.keys(absent).length > 0 ? null : resolveScenario(registers.scenario, contract),
  };
}

type Contracts = Partial<Record<Edition, Contract>>;
type Surfaces = Partial<Record<Edition, Operation[]>>;

function contractsOf(documents: Partial<Record<Edition, OpenApiDocument>>): Contracts {
  return Object.fromEntries(Object.entries(documents).map(([edition, document]) => [edition, readContract(document)]));
}

function surfacesOf(contracts: Contracts): Surfaces {
  return Object.fromEntries(Object.entries(contracts).map(([edition, { operations }]) => [edition, operations]));
}

/** The editions whose documents have this path for this webhook. */
function pathEditionsOf({ name, path }: Webhook, contracts: Contracts): Edition[] {
  const hasPath = (webhook: Webhook) => webhook.name === name && webhook.path === path;
  return path === "" ? [] : editions.filter((edition) => contracts[edition]?.webhooks.some(hasPath));
}

function editionsOf({ operationId }: Operation, surfaces: Surfaces): Edition[] {
  return editions.filter((edition) => surfaces[edition]?.some((other) => other.operationId === operationId));
}

function absentOperations(surfaces: Surfaces, edition: Edition): PlanData["absent"] {
  const present = new Set(surfaces[edition]?.map(({ operationId }) => operationId));
  const absent = new Map(
    Object.values(surfaces)
      .flat()
      .filter(({ operationId }) => !present.has(operationId))
      .map((operation) => [operation.operationId, operation]),
  );
  return [...absent.values()].map((operation) => ({
    operationId: operation.operationId,
    method: operation.method.toUpperCase(),
    path: operation.path,
    address: operation.address,
    editions: editionsOf(operation, surfaces),
  }));
}

function webhookData(
  webhook: Webhook,
  { resources }: Contract,
  names: SchemaNames,
): Omit<PlanData["webhooks"][number], "pathEditions"> {
  const { name, path, event, dedupeKey, requestBody } = webhook;
  const [body] = requestBody?.bodies ?? [];
  const resource = resources.find((candidate) => candidate.name === event?.resource);
  return {
    name,
    path,
    resource: event?.resource ?? "",
    state: event?.state ?? (resource === undefined ? undefined : stateOf(resource, undefined)?.name) ?? "status",
    after: event?.after ?? [],
    fields: event?.body ?? {},
    dedupeKey,
    validator: body === undefined ? names.none : names.schema(body.schema),
    examples: Object.fromEntries(body?.examples.map((example) => [example.name, example.value]) ?? []),
  };
}

function resourceData({ name, id, states, outside }: Resource): PlanData["resources"][string] {
  return {
    name,
    id,
    states: Object.fromEntries(
      states.map(({ name: state, moves }) => [state, moves ?? { initial: [], transitions: {} }]),
    ),
    outside: Object.fromEntries(
      outside.map(({ name: happening, creates, moves, state, to, meaning }) => [
        happening,
        { creates, moves, state, to, meaning },
      ]),
    ),
  };
}

function codeData({ code, status, meaning, retry, place }: ErrorCode): PlanData["codes"][string] {
  const [example] = place.own("examples").items();
  return { code, status, meaning, retry, example: (example?.value ?? { errorCode: code }) as Record<string, unknown> };
}
