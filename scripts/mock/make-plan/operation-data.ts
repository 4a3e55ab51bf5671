import {
  type Body,
  type Contract,
  codeProperty,
  compositions,
  type DocumentedResponse,
  editionsOf,
  type JsonSchema,
  type Operation,
  type Parameter,
  propertiesOf,
  type SourceLocation,
} from "../../contract/model/index.ts";
import type { PlanData } from "../plan/attach.ts";
import { assumesOf } from "./assumes.ts";
import type { PlanRegisters } from "./registers.ts";
import { sensitiveOf } from "./sensitive.ts";
import type { Validators } from "./validators.ts";

type OperationData = PlanData["operations"][number];
type ResponseData = OperationData["responses"][number];

interface Context {
  contract: Contract;
  registers: PlanRegisters;
  validators: Validators;
  sensitiveNames: readonly string[];
}

export function operationData(operation: Operation, context: Context): OperationData {
  const { contract, registers, validators } = context;
  return {
    operationId: operation.operationId,
    method: operation.method.toUpperCase(),
    path: operation.path,
    address: operation.address,
    deprecated: operation.deprecated,
    keyHeader: keyHeaderOf(operation, contract),
    editions: editionsOf(operation.effectiveProvenance),
    parameters: operation.parameters.flatMap((parameter) => parameterData(parameter, validators)),
    requestBody: requestBodyData(operation, validators),
    responses: operation.responses.flatMap(responsesData),
    openStatuses: operation.responses.filter(({ isOpen }) => isOpen).map(({ status }) => status),
    responseValidators: Object.fromEntries(
      operation.responses.flatMap(({ status, bodies }) =>
        bodies.map(({ mediaType, schema }) => [`${status} ${mediaType}`, validators.response(schema)]),
      ),
    ),
    requires: operation.requires.map(({ condition, expressions, code = "" }) => {
      return { condition, expressions, code, requiresAny: registers.conditions[condition]?.any === true };
    }),
    moves: operation.effects.flatMap(({ kind, resource, id, state = "status", to: [to, ...otherValues], later }) => {
      const isImmediate = kind === "moves" && !later && otherValues.length === 0 && id.startsWith("$request.");
      return isImmediate && to !== undefined ? [{ resource, id, state, to }] : [];
    }),
    creates: operation.effects.flatMap(({ kind, resource }) => (kind === "creates" ? [resource] : [])),
    mayRepeat: operation.lookup?.repeat !== "never",
    sensitive: sensitiveOf(operation, context.sensitiveNames),
    assumes: assumesOf(operation, contract, registers.assumptions as Parameters<typeof assumesOf>[2]),
  };
}

function keyHeaderOf({ node }: Operation, { document }: Contract): string | undefined {
  const schemeNames = (node.security ?? document.security ?? []).flatMap((requirement) => Object.keys(requirement));
  const schemes = (document.components?.securitySchemes ?? {}) as Record<string, { in?: string; name?: string }>;
  const name = schemeNames.find((scheme) => schemes[scheme]?.in === "header");
  return name === undefined ? undefined : schemes[name]?.name?.toLowerCase();
}

const types = ["number", "integer", "boolean"] as const;
const locations = ["path", "query", "header"] as const;

function parameterData(parameter: Parameter, validators: Validators): OperationData["parameters"][number][] {
  const { name, required, schema, example, invalidRequest } = parameter;
  const location = locations.find((candidate) => candidate === parameter.in);
  if (location === undefined) return [];
  const [type, validator] = [textType(schema), validators.parameter(schema)];
  return [{ name, in: location, required, type, example, validator, invalidRequest }];
}

function textType(schema: SourceLocation): OperationData["parameters"][number]["type"] {
  const branches = [schema, ...compositions.flatMap((keyword) => schema.at(keyword).items())];
  const branchTypes = branches.map((branch) => schemaAt(branch).type);
  return types.find((candidate) => branchTypes.includes(candidate)) ?? "string";
}

function requestBodyData({ requestBody }: Operation, validators: Validators): OperationData["requestBody"] {
  if (requestBody === undefined) return undefined;
  const { required, bodies, invalidRequest } = requestBody;
  return { required, invalidRequest, bodies: bodies.map((body) => bodyData(body, validators)) };
}

function bodyData(body: Body, validators: Validators): NonNullable<OperationData["requestBody"]>["bodies"][number] {
  const parts = [...propertiesOf(body.schema)];
  const arrayProperties = parts.filter(([, property]) => schemaAt(property).type === "array");
  const maxBytes = parts.flatMap(([name, property]): [string, number][] => {
    const bytes = schemaAt(property)["x-max-bytes"] ?? schemaAt(property.at("items"))["x-max-bytes"];
    return bytes === undefined ? [] : [[name, bytes]];
  });
  const isForm = body.mediaType.startsWith("multipart/");
  return {
    mediaType: body.mediaType,
    validator: validators.requestBody(body.schema),
    partTypes: body.partTypes,
    members: isForm ? [] : membersOf(body.schema),
    parts: isForm ? parts.map(([name]) => name) : [],
    arrayParts: isForm ? arrayProperties.map(([name]) => name) : [],
    fileParts: isForm ? parts.filter(([, property]) => isFile(property)).map(([name]) => name) : [],
    maxBytes: Object.fromEntries(maxBytes),
    examples: Object.fromEntries(body.examples.map(({ name, value }) => [name, value])),
  };
}

/** JSON pointers. @param depth the maximum number of levels, which ends the recursion in a circular schema. */
function membersOf(schema: SourceLocation, pointer = "", depth = 8): string[] {
  if (depth === 0) return [];
  const items = schema.target.at("items");
  const itemPointers = items.value === undefined ? [] : membersOf(items, `${pointer}/*`, depth - 1);
  const memberPointers = [...propertiesOf(schema)].flatMap(([name, property]) => {
    const memberPointer = `${pointer}/${name}`;
    return [memberPointer, ...membersOf(property, memberPointer, depth - 1)];
  });
  return [...memberPointers, ...itemPointers];
}

function schemaAt(location: SourceLocation): JsonSchema {
  return (location.target.value ?? {}) as JsonSchema;
}

function isFile(property: SourceLocation): boolean {
  return schemaAt(property).format === "binary" || schemaAt(property.at("items")).format === "binary";
}

/** One for each example, or one without a body if there is no example. A status range and `default` get no response. */
function responsesData({ status, bodies }: DocumentedResponse): ResponseData[] {
  if (Number.isNaN(status)) return [];
  const emptyResponse = { status, headers: {}, body: "", example: undefined, code: undefined, mediaType: undefined };
  if (bodies.length === 0) return [emptyResponse];
  return bodies.flatMap(({ mediaType, examples }): ResponseData[] => {
    const headers = { "content-type": mediaType };
    if (examples.length === 0) return [{ ...emptyResponse, mediaType, headers }];
    return examples.map(({ name: example, value }) => {
      const codeValue = (value as Record<string, unknown> | null | undefined)?.[codeProperty];
      const code = typeof codeValue === "string" ? codeValue : undefined;
      return { status, mediaType, example, code, headers, body: bodyText(value, mediaType) };
    });
  });
}

function bodyText(value: unknown, mediaType: string | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" && !/[/+]json\b/.test(mediaType ?? "") ? value : JSON.stringify(value);
}
