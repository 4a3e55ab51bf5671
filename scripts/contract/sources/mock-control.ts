/** The mock's control interface, from `openapi/mock-control.yaml`: operations, and requests for external events. */
import { projectRoot } from "../model/index.ts";
import { readYaml } from "./read-yaml.ts";

export const triggerOperation = "triggerEvent";

/** A call before an external event, which brings the resource into a state in which the event is possible. */
export interface CallBefore {
  operationId: string;
  /** Values that replace the examples of the parameters, by name. */
  parameters?: Record<string, string>;
  /** The name of a request example. If the operation triggers an external event, the preparing calls of that event come first. */
  example?: string;
  body?: unknown;
}

export interface ExternalEventExample {
  value: Record<string, unknown>;
  description?: string;
  "x-before"?: CallBefore[];
}

export interface ControlOperation {
  operationId: string;
  /** In lower case. */
  method: string;
  path: string;
  parameters: Record<string, string>;
  body: unknown;
}

export interface MockControl {
  operations: ControlOperation[];
  /** By `resource.event`, such as `card.cardIsBlocked`. */
  externalEvents: Record<string, ExternalEventExample>;
}

interface Described {
  operationId: string;
  parameters?: { name: string; example?: unknown }[];
  requestBody?: {
    content: { "application/json": { example?: unknown; examples?: Record<string, ExternalEventExample> } };
  };
}

export function readMockControl(file = `${projectRoot}/openapi/mock-control.yaml`): MockControl {
  const { paths } = readYaml<{ paths: Record<string, Record<string, Described>> }>(file, "The control interface");
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const trigger = described.find(({ operation }) => operation.operationId === triggerOperation);
  return {
    operations: described.map(({ path, method, operation: { operationId, parameters = [], requestBody } }) => ({
      ...{ operationId, method, path },
      parameters: Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)])),
      body: requestBody?.content["application/json"].example,
    })),
    externalEvents: trigger?.operation.requestBody?.content["application/json"]
      .examples as MockControl["externalEvents"],
  };
}
