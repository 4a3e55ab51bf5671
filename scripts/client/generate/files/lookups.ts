/** Generates the file `lookups.ts`: how to look up a payment with an unknown outcome (`x-lookup`), and which statuses are final. */
import {
  bodySchemasOf,
  type Contract,
  comparedKindsOf,
  type Effect,
  type Lookup,
  type LookupRecords,
  memberSchemasAt,
  type Operation,
  parseExpression,
  propertiesOf,
  type Resource,
  recordSchemasOf,
  reportedSchemasOf,
  type SourceLocation,
} from "../../../contract/model/index.ts";
import { membersRead } from "../../src/payments/members.ts";
import { jsonBodyOf } from "../reading/bodies.ts";
import { resultsIn } from "../reading/facts.ts";
import { demand, demandValue, Refusal } from "../reading/refusal.ts";
import { contractTypesPath, generatedNotice, RawSource, toLiteral, toMembers, toUnion } from "../writing/text.ts";

/** An operation that makes a payment, whose final state is reported later. */
interface Payment {
  operation: Operation;
  lookup: Lookup;
  webhookLookup: NonNullable<Lookup["webhook"]>;
  creation: Effect;
  resource: Resource;
}

/** The resource of the records in lists of transactions. */
const recordResource = "transaction";

export function lookupsSource(contract: Contract): string {
  const payments = contract.operations.flatMap((operation) => paymentOf(contract, operation) ?? []);
  const rows = payments.map((payment) => [payment.operation.operationId, toLiteral(rowOf(contract, payment))] as const);
  return `${generatedNotice}
import type { Lookup } from "${contractTypesPath}";
import * as table from "./operation-table.ts";
import * as statuses from "./statuses.ts";

/** The operations that make a payment whose final state is reached later. */
export type PaymentOperation = ${toUnion(rows.map(([operationId]) => operationId))};

export const lookups: Readonly<Record<PaymentOperation, Lookup>> = {
${toMembers(rows)}
};
`;
}

/** @returns undefined if the operation is not a payment. */
function paymentOf(contract: Contract, operation: Operation): Payment | undefined {
  const { lookup, effects } = operation;
  if (lookup?.webhook === undefined || lookup.repeat !== "never") return undefined;
  const payments = effects
    .filter(({ kind }) => kind === "creates")
    .map((creation) => ({ creation, resource: resourceOf(contract, creation.resource, creation.location) }))
    .filter(({ resource }) => resultsIn(resource) !== undefined);
  const [payment, ...otherPayments] = payments;
  demand(
    otherPayments.length === 0,
    operation.location,
    "An operation with x-lookup can create one payment only",
    "Leave out the other effects",
  );
  return payment && { operation, lookup, webhookLookup: lookup.webhook, ...payment };
}

function rowOf(contract: Contract, { operation, lookup, webhookLookup, creation, resource }: Payment): object {
  const created = idMemberOf(creation);
  const details = detailsOf(contract, operation, resource);
  return {
    operation: tableReference(operation),
    created,
    records: lookup.records.map((record) => recordRow(contract, operation, record)),
    webhook: webhookRow(contract, webhookLookup, created),
    details: detailsRow(details),
    ends: statusesOf(resource),
    open: openValuesOf(resource),
    recordEnds: statusesOf(resourceOf(contract, recordResource, lookup.location)),
  };
}

function recordRow(contract: Contract, operation: Operation, record: LookupRecords): object {
  const list = operationOf(contract, record.listOperationId, record.location);
  const schemas = recordSchemasOf(contract.operations, record);
  demandMembers(schemas, membersRead.record, "A record", record.location);
  return {
    operation: tableReference(list),
    of: record.userMember,
    type: record.type,
    sign: record.sign === "negative" ? -1 : 1,
    compared: comparedMembers(record, schemas, bodySchemasOf(operation)),
  };
}

function detailsRow(details: Operation): object {
  const schemas = details.responses.flatMap(({ bodies }) => bodies.map(({ schema }) => schema));
  demandMembers(schemas, membersRead.details, "The response", details.location);
  return { operation: tableReference(details), id: pathParameterOf(details) };
}

function demandMembers(
  schemas: readonly SourceLocation[],
  names: readonly string[],
  subject: string,
  location: SourceLocation,
): void {
  const missingNames = names.filter((name) => memberSchemasAt(schemas, name).length === 0);
  demand(
    missingNames.length === 0,
    location,
    `${subject} has no ${missingNames.join(", ")}, which payments read`,
    "Add the member, or change its name in scripts/client/src/payments, where members.ts lists it",
  );
}

function resourceOf({ resources }: Contract, resourceName: string, location: SourceLocation): Resource {
  const resource = resources.find(({ name }) => name === resourceName);
  return demandValue(resource, location, `There is no resource ${resourceName}`, "Add it to openapi/resources.yaml");
}

function operationOf({ operations }: Contract, id: string, location: SourceLocation): Operation {
  const operation = operations.find(({ operationId }) => operationId === id);
  return demandValue(operation, location, `There is no operation ${id}`, "Correct the operationId");
}

/** The member of the response that contains the id of the payment. */
function idMemberOf({ id, location }: Effect): string {
  const expression = parseExpression(id);
  if (expression?.source === "response") return expression.name;
  throw new Refusal(
    location,
    `The id of a payment is a member of the response, not ${id}`,
    "Write it such as $response.body#/id",
  );
}

function webhookRow(contract: Contract, lookup: Payment["webhookLookup"], idField: string): object {
  const { location } = lookup;
  const webhook = demandValue(
    contract.webhooks.find(({ name }) => name === lookup.name),
    location,
    `There is no webhook ${lookup.name}`,
    "Correct its name",
  );
  const renamedMembers = Object.entries(webhook.event?.body ?? {});
  const id = renamedMembers.find(([, field]) => field === idField)?.[0] ?? idField;
  const body = webhook.requestBody && jsonBodyOf(webhook.requestBody);
  demand(
    body !== undefined && propertiesOf(body.schema).has(id),
    location,
    `The body of the webhook ${webhook.name} has no member ${id} with the id`,
    "Add the member, or name the webhook that has it",
  );
  demandMembers(bodySchemasOf(webhook), membersRead.event, `The event ${webhook.name}`, location);
  const reportedSchemas = reportedSchemasOf(contract.operations, webhook);
  return { name: webhook.name, id, compared: comparedMembers(lookup, bodySchemasOf(webhook), reportedSchemas) };
}

/** Of several operations that return details, selects by the tag of the payment, because tags distinguish users from the partner. */
function detailsOf(contract: Contract, { label, tag }: Operation, { details, location }: Resource): Operation {
  const place = location.child("details");
  const operations = details.map((id) => operationOf(contract, id, place));
  const candidates = operations.length === 1 ? operations : operations.filter((operation) => operation.tag === tag);
  const [operation, ...otherOperations] = candidates;
  if (operation !== undefined && otherOperations.length === 0) return operation;
  throw new Refusal(
    place,
    `No operation is known that returns the payments of ${label}`,
    `Name one, or several of which one has the tag ${tag}`,
  );
}

function pathParameterOf({ parameters, location }: Operation): string {
  const [parameter, ...otherParameters] = parameters.filter((candidate) => candidate.in === "path");
  if (parameter !== undefined && otherParameters.length === 0) return parameter.name;
  throw new Refusal(
    location,
    "An operation that returns the details of a payment has one path parameter, the id",
    "Leave out the other parameters, or add it",
  );
}

/**
 * These members of a record or an event are compared with the request.
 *
 * @throws {Refusal} if the schemas of two compared members contradict each other.
 */
function comparedMembers(
  { same, atLeast, location }: Pick<LookupRecords, "same" | "atLeast" | "location">,
  shownSchemas: readonly SourceLocation[],
  sentSchemas: readonly SourceLocation[],
): unknown[][] {
  const toRow = ([path, member]: [string, string], ...mayExceed: true[]) => {
    const [kind = "text", otherKind] = comparedKindsOf([
      ...memberSchemasAt(shownSchemas, path),
      ...memberSchemasAt(sentSchemas, member),
    ]);
    if (otherKind === undefined) return [path, member, kind, ...mayExceed];
    throw new Refusal(
      location,
      `${path} and ${member} cannot be compared: one is of the kind ${kind}, the other ${otherKind}`,
      "Leave the pair out",
    );
  };
  return [
    ...Object.entries(same).map((entry) => toRow(entry)),
    ...Object.entries(atLeast).map((entry) => toRow(entry, true)),
  ];
}

function openValuesOf(resource: Resource): string[] {
  const results = resultsIn(resource) ?? {};
  return resource.states.flatMap(({ values }) => values.filter((value) => !Object.hasOwn(results, value)));
}

const tableReference = ({ operationId }: Operation) => new RawSource(`table.${operationId}`);

const statusesOf = ({ name }: Resource) => new RawSource(`statuses.${name}`);
