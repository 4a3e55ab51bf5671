import { type Body, type Example, type Operation, type Parameter, walkSchema } from "../../contract/model/index.ts";
import type { SampleValues } from "../../contract/sources/index.ts";
import { bodiesOf } from "../content/subjects.ts";
import { mockAddresses, sampleKey } from "./addresses.ts";
import type { PageCall, SampleFile } from "./page-call.ts";
import { fillPath } from "./path-template.ts";

export interface SampleRequest {
  operation: Operation;
  path: Record<string, string>;
  query: Record<string, unknown>;
  json: unknown;
  files: SampleFile[] | undefined;
  prefer: string | undefined;
}

export function callOf(request: SampleRequest): PageCall {
  const { operation, path, query } = request;
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const url = mockAddresses[operation.address] + fillPath(operation.path, path);
  const call = callTo(operation.method, search.size === 0 ? url : `${url}?${search}`, request);
  return { ...call, template: operation.path };
}

export function callTo(method: string, url: string, { json, files, prefer }: Partial<SampleRequest>): PageCall {
  return {
    method: method.toUpperCase(),
    url,
    headers: {
      "x-api-key": sampleKey,
      ...(prefer === undefined ? {} : { Prefer: prefer }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(json === undefined ? {} : { json }),
    ...(files === undefined ? {} : { files }),
  };
}

/** @param values replacements of path parameters and example members. */
export function requestOf(
  operation: Operation,
  values: readonly SampleValues[] = [],
  body?: Body,
  example?: Example,
): SampleRequest {
  const isForm = body !== undefined && /^multipart\//.test(body.mediaType);
  const operationValues = values.filter(({ operation: name, request = example?.name }) => {
    return name === operation.operationId && request === example?.name;
  });
  const path = Object.entries({
    ...exampleParameters(operation, "path"),
    ...mergeObjects(operationValues.map((value) => value.path)),
  });
  const json = example?.value;
  return {
    operation,
    path: Object.fromEntries(path.map(([name, value]) => [name, String(value)])),
    query: exampleParameters(operation, "query"),
    json: isForm
      ? undefined
      : operationValues.length === 0
        ? json
        : mergeObjects([json as object, ...operationValues.map((value) => value.body)]),
    files: isForm ? filesOf(body, json) : undefined,
    prefer: undefined,
  };
}

function mergeObjects(objects: readonly (object | undefined)[]): object | undefined {
  return objects.some((object) => object !== undefined) ? Object.assign({}, ...objects) : undefined;
}

export function requestExamples(operation: Operation): { body: Body; example: Example }[] {
  return bodiesOf(operation).flatMap((body) => body.examples.map((example) => ({ body, example })));
}

function exampleParameters(operation: Operation, location: "path" | "query"): Record<string, unknown> {
  const parametersWithExample = operation.parameters.filter(
    (parameter) => parameter.in === location && exampleOf(parameter) !== undefined,
  );
  return Object.fromEntries(parametersWithExample.map((parameter) => [parameter.name, exampleOf(parameter)]));
}

function exampleOf({ example, schema }: Parameter): unknown {
  return example ?? schema.target.child("examples").items()[0]?.value;
}

const typesByEnding: Record<string, string> = { jpg: "image/jpeg", png: "image/png", pdf: "application/pdf" };

/** The example of each part has the form `(bytes of selfie.jpg)`; with another form, the file has the name of the part. */
function filesOf({ schema }: Body, example: unknown): SampleFile[] {
  const lists = new Set<string>();
  walkSchema(schema, (location, { path: [part, ...innerPath] }) => {
    if (part !== undefined && innerPath.length === 0 && location.child("items").exists) lists.add(part);
  });
  return Object.entries(example as object).flatMap(([part, value]) =>
    [value].flat().map((text) => {
      const [, name = `${part}.jpg`] = /\(bytes of (.+)\)/.exec(String(text)) ?? [];
      const type = typesByEnding[name.replace(/.*\./, "")] ?? "application/octet-stream";
      return { part, isList: lists.has(part), name, type, content: "a few bytes" };
    }),
  );
}
