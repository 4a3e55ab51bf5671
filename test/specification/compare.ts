import type {
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
} from "../../scripts/contract/model/index.ts";
import { dereference } from "../support/schema.ts";
import { bodyDifferences, differenceUnless, valueDifferences } from "./compare-bodies.ts";
import { errorCodeDifferences, responseDifferences } from "./compare-responses.ts";
import { type Element, type Elements, elementsOf } from "./elements.ts";
import { elementLinesOf, elementsOfEveryWebhook, statedElements, webhookElementLines } from "./stated-elements.ts";
import { callOf, type OperationRows, operations, titleOf, webhook } from "./stated-operations.ts";

export interface Subject {
  document: OpenApiDocument;
  elements: Elements;
}

export interface Part {
  section: string;
  name: string;
  differences: (subject: Subject) => string[];
}

export const parts: Part[] = [
  ...operations.map((rows) => ({
    section: titleOf(rows.heading).section,
    name: rows.operationId,
    differences: (subject: Subject) => operationDifferences(subject, rows),
  })),
  { section: titleOf(webhook.heading).section, name: webhook.key, differences: webhookDifferences },
  { section: "Errors", name: "P-codes", differences: ({ document }: Subject) => errorCodeDifferences(document) },
];

export function subjectOf(bundle: OpenApiDocument): Subject {
  return { document: dereference(bundle), elements: elementsOf(bundle) };
}

export function unstatedElements({ document, elements }: Subject): string[] {
  const webhookElements = Object.keys(document.webhooks ?? {}).flatMap((key) =>
    elementsOfEveryWebhook.map((suffix) => key + suffix),
  );
  const specifiedElements = [...elements].filter(([name, { provenance }]) => {
    return provenance === "specification" && !webhookElements.includes(name);
  });
  return specifiedElements
    .filter(([name, element]) => !statedElements.has(name) && !isAdmitted(name, element))
    .map(([name]) => name);
}

/**
 * A required property may have the mark `specification` without a stated line if an open question covers its schema. Request bodies of
 * operations and the transaction history are excluded, because the specification states which of their fields are always present.
 */
function isAdmitted(name: string, { questions }: Element): boolean {
  const isRequest = operations.some(({ operationId }) => name.startsWith(`${operationId} request.`));
  const isHistory = name.startsWith("getUserTransactionHistory 200.");
  return name.endsWith(" required") && questions.length > 0 && !isRequest && !isHistory;
}

function operationDifferences({ document, elements }: Subject, rows: OperationRows): string[] {
  const { operationId, heading, call, body, isObsolete = false } = rows;
  const { method, address, path } = callOf(rows);
  const item = document.paths[path];
  const operation = item?.[method as "get"];
  if (item === undefined || operation === undefined) return [`there is no such operation <- ${call}`];
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])] as ParameterObject[];
  return [
    ...differenceUnless(operation.operationId === operationId, `the operationId is ${operation.operationId}`, call),
    ...differenceUnless(operation.summary === titleOf(heading).name, `the name is "${operation.summary}"`, heading),
    ...differenceUnless((operation.deprecated ?? false) === isObsolete, "the obsolete mark is wrong", heading),
    ...differenceUnless(
      requiresKey(document, operation),
      "x-api-key is not required",
      "the header `x-api-key` is required",
    ),
    ...addressDifferences(operation.servers ?? item.servers ?? document.servers, address, call),
    ...provenanceDifferences(elementLinesOf(rows), elements),
    ...parameterDifferences(parameters, rows),
    ...(body === undefined
      ? differenceUnless(operation.requestBody === undefined, "there is a request body", heading)
      : []),
    ...(body === undefined ? [] : requestDifferences(elements, operation, operationId, body)),
    ...responseDifferences(elements, operation, rows),
  ];
}

function provenanceDifferences(lines: [name: string, quote: string][], elements: Elements): string[] {
  return lines.flatMap(([name, quote]) => {
    const element = elements.get(name);
    if (element === undefined) return [`${name} is missing <- ${quote}`];
    return differenceUnless(element.provenance === "specification", `${name} counts as ${element.provenance}`, quote);
  });
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

function isWithoutAuthorization({ security }: OperationObject): boolean {
  return security?.length === 0 || security?.some((requirement) => Object.keys(requirement).length === 0) === true;
}

function addressDifferences(servers: OpenApiDocument["servers"], address: string, quote: string): string[] {
  // The specification states two environments; the server entry of this project's mock is left out.
  const environments = servers
    .flatMap(({ description = "" }) => (description === "Local mock" ? [] : description))
    .sort();
  const urls = servers.map((server) => server.url);
  return [
    ...differenceUnless(
      environments.join() === "Production,Staging",
      `the environments are ${environments.join(", ")}`,
      quote,
    ),
    ...differenceUnless(
      new Set(urls).size === 1 && urls[0] === `{${address}}`,
      `the address is ${urls.join(", ")}`,
      quote,
    ),
  ];
}

function parameterDifferences(
  parameters: ParameterObject[],
  { operationId, call, parameters: rows = [] }: OperationRows,
): string[] {
  const names = (list: { in?: string; name: string }[]) =>
    list
      .map((parameter) => `${parameter.in} ${parameter.name}`)
      .sort()
      .join();
  return [
    ...differenceUnless(names(parameters) === names(rows), `the parameters are ${names(parameters)}`, call),
    ...rows.flatMap((row) => {
      const parameter = parameters.find(({ name }) => name === row.name);
      if (parameter === undefined) return [];
      const { description = "" } = parameter;
      return [
        ...valueDifferences(`${operationId} ${row.name}`, parameter.schema, row.kind, row.quote),
        ...differenceUnless(
          row.descriptionPattern?.test(description) ?? description !== "",
          `${row.name} is described as "${description}"`,
          row.quote,
        ),
      ];
    }),
  ];
}

function requestDifferences(
  elements: Elements,
  operation: OperationObject,
  id: string,
  { quote, mediaType, fields }: NonNullable<OperationRows["body"]>,
): string[] {
  const content = (operation.requestBody as RequestBodyObject | undefined)?.content ?? {};
  const media = content[mediaType] as (MediaTypeObject & { encoding?: object }) | undefined;
  if (media === undefined) return [`the request body is ${Object.keys(content).join(", ") || "missing"} <- ${quote}`];
  return [
    ...differenceUnless(
      Object.keys(content).length === 1,
      `the request body is ${Object.keys(content).join(", ")}`,
      quote,
    ),
    ...differenceUnless(
      media.encoding === undefined,
      `the parts are restricted: ${JSON.stringify(media.encoding)}`,
      quote,
    ),
    ...differenceUnless(
      !JSON.stringify(media.schema).includes('"x-max-bytes"'),
      "the size of a part is limited",
      quote,
    ),
    ...bodyDifferences({ name: `${id} request`, schema: media.schema, fields, elements }),
  ];
}

function webhookDifferences({ document, elements }: Subject): string[] {
  const { key, call, path, body, response } = webhook;
  const operation = document.webhooks?.[key]?.post;
  if (operation === undefined) return [`the webhook is missing <- ${call}`];
  const schema = (operation.requestBody as RequestBodyObject).content["application/json"]?.schema ?? {};
  const documentedResponse = (operation.responses as Record<string, ResponseObject>)[response.status];
  const documentedPath = operation["x-webhook-path"] as unknown as { path?: string } | undefined;
  return [
    ...differenceUnless(documentedPath?.path === path, `the path is ${JSON.stringify(documentedPath)}`, call),
    ...differenceUnless(
      isWithoutAuthorization(operation),
      "it requires something",
      "4. The webhook request shows no authorization parameter.",
    ),
    ...differenceUnless(
      documentedResponse?.content?.["application/json"]?.schema.type === "object",
      "the response is no JSON object",
      response.quote,
    ),
    ...provenanceDifferences(webhookElementLines(), elements),
    ...bodyDifferences({ name: `${key} request`, schema, fields: body.fields, elements }),
  ];
}
