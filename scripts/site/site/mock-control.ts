/** The mock's control interface, from `openapi/mock-control.yaml`: operations, and requests for external events. */
import { projectRoot } from "../../contract/model/index.ts";
import { readYaml } from "../../contract/sources/index.ts";

/** The operation that triggers an external event. */
export const triggerOperation = "triggerEvent";

/** A preparing call that brings a resource into the required state. */
export interface CallBefore {
  /** An operation of the control interface or of the contract. */
  operationId: string;
  /** Values that replace the examples of the parameters, by name. */
  parameters?: Record<string, string>;
  /** The name of a request example. The preparing calls of an external event are made as well. */
  example?: string;
  /** The body in the place of an example. */
  body?: unknown;
}

/** The body of an external event. */
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
  /** The examples of the path parameters, by name. */
  parameters: Record<string, string>;
  /** The example of the body; undefined where there is none. */
  body: unknown;
}

export interface MockControl {
  operations: ControlOperation[];
  /** Examples by `resource.event`. */
  externalEvents: Record<string, ExternalEventExample>;
}

interface Described {
  operationId: string;
  parameters?: { name: string; example?: unknown }[];
  requestBody?: {
    content: { "application/json": { example?: unknown; examples?: Record<string, ExternalEventExample> } };
  };
}

/**
 * Reads the control interface.
 *
 * @param file absolute path; `openapi/mock-control.yaml` by default.
 * @throws {UsageError} when it cannot be read.
 */
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
    externalEvents: trigger?.operation.requestBody?.content["application/json"].examples ?? {},
  };
}
