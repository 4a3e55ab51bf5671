import { isMap, type Method, methods, type SourceLocation } from "../model/index.ts";
import { completeValue, refuse } from "./complete-value.ts";
import { Sources } from "./sources.ts";

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

/** Without references, which are replaced with their targets. */
export interface ControlOperation {
  operationId: string;
  method: Method;
  path: string;
  summary: string;
  description: string;
  tag: string;
  /** The words of each command that calls it. */
  commands: string[];
  /** Whether it needs no API key. */
  isPublic: boolean;
  parameters: ControlParameter[];
  body: ControlBody | undefined;
}

export interface MockControl {
  operations: ControlOperation[];
  /** The request example of each event, by `resource.event`, such as `card.cardIsBlocked`. */
  externalEvents: Record<string, ExternalEventExample>;
}

/**
 * Reads `openapi/mock-control.yaml`.
 *
 * @throws {UsageError} with the line of what is missing or has another form.
 */
export function readMockControl(sources: Sources = new Sources()): MockControl {
  const paths = sources.linkedLocation(sources.layout.mockControl).child("paths");
  if (!isMap(paths.value)) refuse(paths, "is no map of paths", "List the operations in it");
  completeValue(paths);
  const operations = paths.entries().flatMap(([path, item]) => {
    if (!isMap(item.value)) refuse(item, "is no map of operations", "List them by method");
    return methods.flatMap((method) =>
      item.child(method).exists ? [operationAt(item.child(method), method, path)] : [],
    );
  });
  const trigger = operations.find(({ operationId }) => operationId === triggerOperation);
  if (trigger === undefined)
    refuse(paths, `has no operation ${triggerOperation}, which has the examples of external events`, "Add it");
  return { operations, externalEvents: trigger.body?.examples ?? {} };
}

function operationAt(location: SourceLocation, method: Method, path: string): ControlOperation {
  const parameters = location.child("parameters");
  if (parameters.exists && !Array.isArray(parameters.value)) refuse(parameters, "is no list", "Write one");
  return {
    operationId: textAt(location.child("operationId")),
    method,
    path,
    summary: textAt(location.child("summary")),
    description: location.text("description") ?? "",
    tag: textAt(location.child("tags", 0)),
    commands: location.texts("x-command"),
    isPublic: location.child("security").exists && location.child("security").items().length === 0,
    parameters: parameters.items().map((item) => resolve(item)) as ControlParameter[],
    body: location.child("requestBody").exists ? bodyAt(location.child("requestBody").target) : undefined,
  };
}

function bodyAt(location: SourceLocation): ControlBody {
  const media = location.at("content", "application/json");
  const { schema = {}, example, examples = {} } = (media.exists ? resolve(media) : {}) as Partial<ControlBody>;
  return { isRequired: location.child("required").value === true, schema, example, examples };
}

function textAt(location: SourceLocation): string {
  return typeof location.value === "string" ? location.value : refuse(location, "is no text", "Write one");
}

/** The value with the targets in place of references. */
function resolve(location: SourceLocation, enclosingIds: readonly string[] = []): unknown {
  const { target } = location;
  if (!target.exists) refuse(location, "refers to nothing", "Correct the reference");
  if (enclosingIds.includes(target.id))
    refuse(location, "refers to what contains it", "Refer to something that does not contain the reference");
  const innerIds = [...enclosingIds, target.id];
  if (Array.isArray(target.value)) return target.items().map((item) => resolve(item, innerIds));
  if (!isMap(target.value)) return target.value;
  return Object.fromEntries(target.children().map(([key, part]) => [key, resolve(part, innerIds)]));
}
