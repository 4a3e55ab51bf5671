/** Compares a bundled document with what the interface specification states. */
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
} from "../../scripts/contract/index.ts";
import { dereference, propertiesOf, requiredOf, violations } from "../support/schema.ts";
import { type Kind, kinds } from "./kinds.ts";
import { type OperationFacts, operations } from "./stated-operations.ts";
import {
  errorCodes,
  type RecordFacts,
  records,
  transactionFields,
  transactionFieldsByType,
  transactionStatuses,
  transactionTypes,
  webhook,
} from "./stated-records.ts";

/** One part of the specification, and what a document without references says differently, one sentence each. */
export interface Part {
  section: string;
  /** The operationId, the key of the webhook, or "P-codes". */
  name: string;
  differences: (document: OpenApiDocument) => string[];
}

/** Operations, webhooks and P-codes that the specification does not state are in no part. */
export const parts: Part[] = [
  ...operations.map((facts) => ({
    section: facts.section,
    name: facts.operationId,
    differences: (document: OpenApiDocument) => operationDifferences(document, facts),
  })),
  { section: webhook.section, name: webhook.key, differences: webhookDifferences },
  { section: "Errors", name: "P-codes", differences: errorCodeDifferences },
];

/** All that a bundle says differently from the specification, with the part that it belongs to. */
export function differences(bundle: OpenApiDocument): string[] {
  const document = dereference(bundle);
  return parts.flatMap((part) => part.differences(document).map((text) => `${part.section} ${part.name}: ${text}`));
}

function operationDifferences(document: OpenApiDocument, facts: OperationFacts): string[] {
  const item = document.paths[facts.path];
  const operation = item?.[facts.method as "get"];
  if (item === undefined || operation === undefined) return [`${facts.method} ${facts.path} is missing`];
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])] as ParameterObject[];
  return [
    ...unless(operation.operationId === facts.operationId, `operationId is ${operation.operationId}`),
    ...unless(operation.summary === facts.name, `the name is ${operation.summary}`),
    ...unless((operation.deprecated ?? false) === (facts.deprecated ?? false), "the obsolete mark is wrong"),
    ...unless(operation["x-provenance"] === "specification", `the provenance is ${operation["x-provenance"]}`),
    ...unless(requiresKey(document, operation), "x-api-key is not required"),
    ...addressDifferences(operation.servers ?? item.servers ?? document.servers, facts.address),
    ...parameterDifferences(parameters, "path", facts.pathParameters ?? {}),
    ...parameterDifferences(parameters, "query", facts.queryParameters ?? {}),
    ...bodyDifferences(operation, facts),
    ...answerDifferences(operation, facts),
  ];
}

function unless(agrees: boolean, difference: string): string[] {
  return agrees ? [] : [difference];
}

function requiresKey(document: OpenApiDocument, operation: OperationObject): boolean {
  const schemes = (document.components?.securitySchemes ?? {}) as Record<string, { in?: string; name?: string }>;
  const requirements = operation.security ?? document.security ?? [];
  return (
    requirements.length > 0 &&
    requirements.every((requirement) =>
      Object.keys(requirement).some((name) => schemes[name]?.in === "header" && schemes[name]?.name === "x-api-key"),
    )
  );
}

function addressDifferences(servers: OpenApiDocument["servers"], address: string): string[] {
  const environments = servers.map((server) => server["x-environment"]).sort();
  return [
    ...unless(environments.join() === "production,staging", `the environments are ${environments.join(", ")}`),
    ...unless(
      servers.every((server) => server.url === `{${address}}`),
      `the address is ${servers.map((server) => server.url).join(", ")} instead of {${address}}`,
    ),
  ];
}

function parameterDifferences(parameters: ParameterObject[], place: string, facts: Record<string, Kind>): string[] {
  const found = parameters.filter((parameter) => parameter.in === place);
  const names = found.map((parameter) => parameter.name).sort();
  return [
    ...unless(names.join() === Object.keys(facts).sort().join(), `the ${place} parameters are ${names.join(", ")}`),
    ...found.flatMap((parameter) => {
      const kind = facts[parameter.name];
      return kind === undefined ? [] : kindDifferences(`${place} parameter ${parameter.name}`, parameter.schema, kind);
    }),
    ...found.flatMap((parameter) => unless(parameter.required === true, `${parameter.name} is not required`)),
  ];
}

function bodyDifferences(operation: OperationObject, facts: OperationFacts): string[] {
  const body = operation.requestBody as RequestBodyObject | undefined;
  if (facts.body === undefined) return unless(body === undefined, "there is a request body");
  const mediaTypes = Object.keys(body?.content ?? {});
  const schema = body?.content[facts.body.mediaType]?.schema;
  if (schema === undefined) return [`the request body is ${mediaTypes.join(", ") || "missing"}`];
  return [
    ...unless(mediaTypes.length === 1, `the request body is ${mediaTypes.join(", ")}`),
    ...fieldDifferences("request", schema, facts.body.fields),
  ];
}

function answerDifferences(operation: OperationObject, facts: OperationFacts): string[] {
  const responses = operation.responses as Record<string, ResponseObject>;
  const expected = [...Object.keys(facts.success), ...Object.keys(facts.failures)].sort();
  const found = Object.keys(responses).sort();
  const statuses = unless(found.join() === expected.join(), `the statuses are ${found.join(", ")}`);
  const successes = Object.entries(facts.success).flatMap(([status, name]) => {
    const schema = responses[status]?.content?.["application/json"]?.schema;
    if (schema === undefined) return [`${status} has no JSON body`];
    if (name === "P213") return codeListDifferences(status, schema, ["P213"]);
    if (name === "history") return historyDifferences(schema.items as JsonSchema, schema);
    if (name !== "cards") return recordDifferences(status, schema, records[name] as RecordFacts);
    if (schema.type !== "array") return ["the answer is no array"];
    return recordDifferences("array element", schema.items as JsonSchema, records.card as RecordFacts);
  });
  const failures = Object.entries(facts.failures).flatMap(([status, codes]) => {
    const schema = responses[status]?.content?.["application/json"]?.schema;
    return schema === undefined ? [`${status} has no JSON body`] : codeListDifferences(status, schema, codes);
  });
  return [...statuses, ...successes, ...failures];
}

function codeListDifferences(status: string, schema: JsonSchema, expected: string[]): string[] {
  const branches = (schema.oneOf ?? []) as JsonSchema[];
  const codes = branches.map((branch) => propertiesOf(branch).errorCode?.const as string).sort();
  if (expected.length > 0)
    return unless(codes.join() === expected.join(), `${status} has the codes ${codes.join(", ")}`);
  return [
    ...unless(codes.length === 0, `${status} has the codes ${codes.join(", ")}`),
    ...unless(propertiesOf(schema).errorCode === undefined, `${status} has an errorCode`),
  ];
}

/** The record of each transaction type: the fields of every record and those of its own. */
function historyDifferences(record: JsonSchema, list: JsonSchema): string[] {
  if (list.type !== "array") return ["the history is no array"];
  const branches = (record.oneOf ?? []) as JsonSchema[];
  const common = sampleOf(transactionFields);
  return [...transactionTypes, "aTypeOfTomorrow"].flatMap((type) => {
    const own = transactionFieldsByType[type] ?? { fields: {} };
    const sample = { ...common, type, ...sampleOf(own) };
    const matching = branches.filter((branch) => violations(branch, sample).length === 0);
    const branch = matching[0];
    if (branch === undefined || matching.length > 1) return [`${matching.length} schemas fit a record of type ${type}`];
    const fields = { ...transactionFields.fields, ...own.fields };
    const { type: _type, ...others } = fields;
    return [
      ...fieldDifferences(`${type} record`, branch, fields, Object.keys(others)),
      ...transactionStatuses.flatMap((status) => violations(branch, { ...sample, status })),
      ...requiredDifferences(`${type} record`, branch, {
        fields,
        optional: [...(transactionFields.optional ?? []), ...(own.optional ?? [])],
      }),
    ];
  });
}

/** A record with one value of the right kind for each field. */
function sampleOf(facts: RecordFacts): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts.fields).map(([name, kind]) => [name, kinds[kind].accepts[0]]));
}

function recordDifferences(what: string, schema: JsonSchema, facts: RecordFacts): string[] {
  return [...fieldDifferences(what, schema, facts.fields), ...requiredDifferences(what, schema, facts)];
}

/** Fields that the contract has and the specification does not are only those seen elsewhere, and marked so. */
function fieldDifferences(
  what: string,
  schema: JsonSchema,
  facts: Record<string, Kind>,
  checked = Object.keys(facts),
): string[] {
  const properties = propertiesOf(schema);
  const extra = Object.entries(properties).filter(
    ([name, property]) => !(name in facts) && property["x-provenance"] === undefined,
  );
  return [
    ...extra.map(([name]) => `${what} has a field ${name} that is not stated`),
    ...checked.flatMap((name) => {
      const property = properties[name];
      const kind = facts[name] as Kind;
      return property === undefined
        ? [`${what} has no field ${name}`]
        : kindDifferences(`${what} field ${name}`, property, kind);
    }),
  ];
}

function requiredDifferences(what: string, schema: JsonSchema, { fields, optional = [] }: RecordFacts): string[] {
  const expected = Object.keys(fields).filter((name) => !optional.includes(name));
  const found = requiredOf(schema);
  return unless(found.join() === expected.sort().join(), `${what} requires ${found.join(", ")}`);
}

function kindDifferences(what: string, schema: JsonSchema, kind: Kind): string[] {
  const refused = kinds[kind].accepts.filter((value) => violations(schema, value).length > 0);
  const accepted = kinds[kind].rejects.filter((value) => violations(schema, value).length === 0);
  return [
    ...refused.map((value) => `${what} refuses ${JSON.stringify(value)}`),
    ...accepted.map((value) => `${what} accepts ${JSON.stringify(value)}`),
  ];
}

function webhookDifferences(document: OpenApiDocument): string[] {
  const operation = document.webhooks?.[webhook.key]?.post;
  if (operation === undefined) return ["the webhook is missing"];
  const schema = (operation.requestBody as RequestBodyObject).content["application/json"]?.schema ?? {};
  const answer = (operation.responses as Record<string, ResponseObject>)[webhook.answer];
  return [
    ...unless(operation["x-webhook-path"] === webhook.path, `the path is ${operation["x-webhook-path"]}`),
    ...unless(operation.security?.length === 0, "the webhook states a security requirement"),
    ...unless(answer?.content?.["application/json"]?.schema.type === "object", "the answer is no JSON object"),
    ...recordDifferences("transfer event", schema, records.transferEvent as RecordFacts),
  ];
}

function errorCodeDifferences(document: OpenApiDocument): string[] {
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  return Object.entries(errorCodes).flatMap(([code, [status, meaning]]) => {
    const error = schemas[code]?.["x-error"] as { status: number; meaning: string } | undefined;
    if (error === undefined) return [`${code} is missing`];
    return [
      ...unless(error.status === status, `${code} has the status ${error.status}`),
      ...unless(error.meaning === meaning, `${code} means "${error.meaning}"`),
      ...["errorCode", "errorMessage", "timestamp"].flatMap((field) =>
        unless(requiredOf(schemas[code] as JsonSchema).includes(field), `${code} does not require ${field}`),
      ),
    ];
  });
}
