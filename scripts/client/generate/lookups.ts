/** Generates the file `lookups.ts`: how to look up a payment with an unknown outcome (`x-lookup`), and which statuses are final. */
import {
  bodySchemasOf,
  type Contract,
  comparedKindsOf,
  type LookupRecords,
  memberSchemasAt,
  type Operation,
  type Resource,
  recordSchemasOf,
  reportedSchemasOf,
  type SourceLocation,
  UsageError,
  type Webhook,
} from "../../contract/model/index.ts";
import { resultsIn } from "./statuses.ts";
import { contractTypesPath, generatedNotice, RawSource, toLiteral, toMembers, toUnion } from "./text.ts";

export function lookupsSource(contract: Contract): string {
  const operations = contract.operations.filter((operation) => createdPaymentOf(contract, operation) !== undefined);
  const rows = operations.map((operation) => [operation.operationId, toLiteral(rowOf(contract, operation))] as const);
  return `${generatedNotice}
import type { Lookup } from "${contractTypesPath}";
import * as table from "./operation-table.ts";
import * as statuses from "./statuses.ts";

/** The operations that make a payment whose final state is reached later. */
export type PaymentOperation = ${toUnion(operations.map(({ operationId }) => operationId))};

export const lookups: Readonly<Record<PaymentOperation, Lookup>> = {
${toMembers(rows)}
};
`;
}

/** Undefined if the operation is no payment. */
function createdPaymentOf({ resources }: Contract, { lookup, effects }: Operation): Resource | undefined {
  if (lookup?.webhook === undefined || lookup.repeat !== "never") return undefined;
  const creationEffect = effects.find(({ kind }) => kind === "creates");
  const resource = resources.find(({ name }) => name === creationEffect?.resource);
  return resource && resultsIn(resource) && resource;
}

function rowOf(contract: Contract, operation: Operation): object {
  const { lookup, effects, path } = operation;
  const resource = createdPaymentOf(contract, operation);
  const webhook = contract.webhooks.find(({ name }) => name === lookup?.webhook?.name);
  const [effect] = effects.filter(({ kind }) => kind === "creates");
  const idField = effect?.id.split("/").at(-1) ?? "";
  const detailOperations = contract.operations.filter(({ operationId }) => resource?.details.includes(operationId));
  // The operations for payments of the partner itself have `/partner/` in their path, if there are separate ones.
  const isOfPartner = path.includes("/partner/");
  const details =
    detailOperations.find((candidate) => candidate.path.includes("/partner/") === isOfPartner) ?? detailOperations[0];
  return {
    operation: tableRow(operation.operationId),
    created: idField,
    records: (lookup?.records ?? []).map((record) => ({
      operation: tableRow(record.listOperationId),
      of: record.userMember,
      type: record.type,
      sign: record.sign === "negative" ? -1 : 1,
      compared: comparedMembers(record, recordSchemasOf(contract.operations, record), bodySchemasOf(operation)),
    })),
    webhook: {
      name: webhook?.name,
      id: eventIdField(webhook, idField),
      compared:
        lookup?.webhook &&
        webhook &&
        comparedMembers(lookup.webhook, bodySchemasOf(webhook), reportedSchemasOf(contract.operations, webhook)),
    },
    details: details && {
      operation: tableRow(details.operationId),
      id: details.parameters.find((parameter) => parameter.in === "path")?.name,
    },
    ends: new RawSource(`statuses.${resource?.name}`),
    open: resource && openValuesOf(resource),
    recordEnds: new RawSource("statuses.transaction"),
  };
}

/**
 * These members of a record or an event are compared with the request.
 *
 * @throws {UsageError} if the schemas of two compared members contradict each other.
 */
function comparedMembers(
  { same, atLeast }: Pick<LookupRecords, "same" | "atLeast">,
  shownSchemas: readonly SourceLocation[],
  sentSchemas: readonly SourceLocation[],
): unknown[][] {
  const toRow = ([path, member]: [string, string], ...mayExceed: true[]) => {
    const [kind = "text", otherKind] = comparedKindsOf([
      ...memberSchemasAt(shownSchemas, path),
      ...memberSchemasAt(sentSchemas, member),
    ]);
    if (otherKind === undefined) return [path, member, kind, ...mayExceed];
    throw new UsageError(
      `${path} and ${member} in x-lookup cannot be compared: one is of the kind ${kind}, the other ${otherKind}.`,
    );
  };
  return [
    ...Object.entries(same).map((entry) => toRow(entry)),
    ...Object.entries(atLeast).map((entry) => toRow(entry, true)),
  ];
}

function openValuesOf(resource: Resource): string[] {
  const results = resultsIn(resource) ?? {};
  return (resource.states[0]?.values ?? []).filter((value) => !Object.hasOwn(results, value));
}

const tableRow = (operationId: string) => new RawSource(`table.${operationId}`);

function eventIdField(webhook: Webhook | undefined, idField: string): string {
  return Object.entries(webhook?.event?.body ?? {}).find(([, field]) => field === idField)?.[0] ?? idField;
}
