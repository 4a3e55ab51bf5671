import { found } from "../../base/index.ts";
import { type Method, methods } from "../model/index.ts";
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
  description?: string;
  "x-before"?: PreparingCall[];
}

export interface ControlOperation {
  operationId: string;
  method: Method;
  path: string;
  /** The examples of the parameters that have one. */
  parameters: Record<string, string>;
  body: unknown;
}

export interface MockControl {
  operations: ControlOperation[];
  /** The request example of each event, by `resource.event`, such as `card.cardIsBlocked`. */
  externalEvents: Record<string, ExternalEventExample>;
}

interface OperationSource {
  operationId: string;
  parameters?: { name: string; example?: unknown }[];
  requestBody?: {
    content: { "application/json"?: { example?: unknown; examples?: Record<string, ExternalEventExample> } };
  };
}

/** @throws {UsageError} if the file cannot be read or parsed, or has no paths. */
export function readMockControl(sources: Sources = new Sources()): MockControl {
  const file = sources.layout.mockControl;
  const { paths } = sources.read<{ paths?: Record<string, { [method in Method]?: OperationSource }> | null }>(file);
  const items = Object.entries(found(paths ?? undefined, `\`paths\` in ${sources.nameOf(file)}`));
  const operations = items.flatMap(([path, item]) =>
    methods.flatMap((method) => (item?.[method] == null ? [] : [{ path, method, operation: item[method] }])),
  );
  const trigger = operations.find(({ operation }) => operation.operationId === triggerOperation);
  return {
    operations: operations.map(({ path, method, operation: { operationId, parameters = [], requestBody } }) => ({
      operationId,
      method,
      path,
      parameters: Object.fromEntries(
        parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, String(example)]])),
      ),
      body: requestBody?.content["application/json"]?.example,
    })),
    externalEvents: trigger?.operation.requestBody?.content["application/json"]?.examples ?? {},
  };
}
