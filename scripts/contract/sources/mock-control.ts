import { isMap, type Method, methods, type SourceLocation } from "../model/index.ts";
import { assumeForms } from "./mock-form.ts";
import { Sources } from "./sources.ts";
import { listOf, mapOf, mapWith, refuse, text, textList, valueOfForm } from "./value-of-form.ts";

export const triggerOperation = "triggerEvent";

/** A call that brings a resource into a state in which an external event is possible. */
export interface PreparingCall {
  operationId: string;
  /** Values that replace the examples of the parameters, by name. */
  parameters?: Record<string, string>;
  /** The name of a request example. If the call triggers an external event, the preparing calls of that event are made first. */
  example?: string;
  body?: unknown;
}

export interface ExternalEventExample {
  value: Record<string, unknown>;
  summary?: string;
  description?: string;
  "x-before"?: PreparingCall[];
}

export interface ControlParameter {
  name: string;
  in: "path" | "query";
  required?: boolean;
  description: string;
  example?: unknown;
  schema: object;
}

export interface ControlBody {
  isRequired: boolean;
  schema: object;
  example: Record<string, unknown> | undefined;
  examples: Record<string, ExternalEventExample>;
}

/** References are replaced with their targets. */
export interface ControlOperation {
  operationId: string;
  method: Method;
  path: string;
  summary: string;
  description: string;
  tag: string;
  /** The words of each command that calls the operation. */
  commands: string[];
  /** Whether a call needs no API key. */
  isPublic: boolean;
  parameters: ControlParameter[];
  body: ControlBody | undefined;
}

export interface MockControl {
  operations: ControlOperation[];
  /** The request example of each event, by `resource.event`, such as `card.cardIsBlocked`. */
  externalEvents: Record<string, ExternalEventExample>;
}

const object = { type: "object" };
const required = { type: "boolean" };
const texts = { summary: text, description: text };
const pathForm = mapWith({}, { ...texts, ...Object.fromEntries(methods.map((method) => [method, object])) });
const documentForm = { type: "object", required: ["paths"], properties: { paths: mapOf(pathForm) } };
const operationForm = mapWith(
  { operationId: text, summary: text, tags: { ...textList, minItems: 1, maxItems: 1 }, responses: object },
  {
    description: text,
    security: listOf(object),
    parameters: listOf(object),
    requestBody: object,
    "x-command": { type: ["string", "array"], items: text },
  },
);
const parameterForm = mapWith(
  { name: text, in: { enum: ["path", "query"] }, description: text, schema: object },
  { required, example: true },
);
const bodyForm = mapWith({ content: mapWith({ "application/json": object }) }, { required, description: text });
const mediaTypeForm = mapWith({ schema: object }, { example: object, examples: mapOf(object) });
const callForm = mapWith({ operationId: text }, { parameters: mapOf(text), example: text, body: true });
const exampleForm = mapWith({ value: object }, { ...texts, "x-before": listOf(callForm) });

/**
 * Reads `openapi/mock-control.yaml`. Lint checks it as an OpenAPI document; here, only keys that this repository reads are accepted.
 *
 * @throws {UsageError} with the line of a part that is missing or malformed.
 */
export function readMockControl(sources: Sources = new Sources()): MockControl {
  const root = sources.linkedLocation(sources.layout.mockControl);
  valueOfForm(root, documentForm);
  // Refuses an invalid `Assume`, which other readers need.
  assumeForms(root);
  const paths = root.child("paths");
  const operations = paths
    .children()
    .flatMap(([path, item]) =>
      methods.flatMap((method) => (item.child(method).exists ? [operationAt(item.child(method), method, path)] : [])),
    );
  const trigger = operations.find(({ operationId }) => operationId === triggerOperation);
  if (trigger === undefined)
    refuse(paths, `has no operation ${triggerOperation}, which has the examples of external events`, "Add it");
  return { operations, externalEvents: trigger.body?.examples ?? {} };
}

interface Operation extends Pick<ControlOperation, "operationId" | "summary" | "description"> {
  tags: [string];
  security?: object[];
}

function operationAt(location: SourceLocation, method: Method, path: string): ControlOperation {
  const { operationId, summary, description = "", tags, security } = valueOfForm<Operation>(location, operationForm);
  return {
    operationId,
    method,
    path,
    summary,
    description,
    tag: tags[0],
    commands: location.texts("x-command"),
    isPublic: security?.length === 0,
    parameters: location
      .child("parameters")
      .items()
      .map((item) => resolvedValueOf<ControlParameter>(item, parameterForm)),
    body: location.child("requestBody").exists ? bodyAt(location.child("requestBody")) : undefined,
  };
}

function bodyAt(location: SourceLocation): ControlBody {
  const { required = false } = valueOfForm<{ required?: boolean }>(targetOf(location), bodyForm);
  const media = location.at("content", "application/json");
  const { schema, example } = resolvedValueOf<Pick<ControlBody, "schema" | "example">>(media, mediaTypeForm);
  const examples = media.at("examples").entries();
  return {
    isRequired: required,
    schema,
    example,
    examples: Object.fromEntries(
      examples.map(([name, item]) => [name, resolvedValueOf<ExternalEventExample>(item, exampleForm)]),
    ),
  };
}

/** The value with references replaced with their targets. */
function resolvedValueOf<Value>(location: SourceLocation, form: object): Value {
  valueOfForm(targetOf(location), form);
  return resolve(location) as Value;
}

function targetOf(location: SourceLocation): SourceLocation {
  return location.target.exists ? location.target : refuse(location, "refers to nothing", "Correct the reference");
}

function resolve(location: SourceLocation, enclosingIds: readonly string[] = []): unknown {
  const target = targetOf(location);
  if (enclosingIds.includes(target.id))
    refuse(location, "refers to what contains it", "Refer to something that does not contain the reference");
  const innerIds = [...enclosingIds, target.id];
  if (Array.isArray(target.value)) return target.items().map((item) => resolve(item, innerIds));
  if (!isMap(target.value)) return target.value;
  return Object.fromEntries(target.children().map(([key, part]) => [key, resolve(part, innerIds)]));
}
