import { found } from "../../base/index.ts";
import { type Method, methods, type SourceLocation } from "../model/index.ts";
import { completeValue } from "./complete-value.ts";
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

/** @throws {UsageError} if the file cannot be read or parsed, has no paths, or has a key without value. */
export function readMockControl(sources: Sources = new Sources()): MockControl {
  const file = sources.layout.mockControl;
  const paths = sources.location(file).child("paths");
  completeValue(found(paths.value == null ? undefined : paths, `\`paths\` in ${sources.nameOf(file)}`));
  const operations = paths
    .entries()
    .flatMap(([path, item]) =>
      methods
        .map((method) => ({ path, method, operation: item.child(method) }))
        .filter(({ operation }) => operation.exists),
    );
  const media = (operation: SourceLocation) => operation.child("requestBody", "content", "application/json");
  const trigger = operations.find(({ operation }) => operation.text("operationId") === triggerOperation);
  return {
    operations: operations.map(({ path, method, operation }) => ({
      operationId: operation.text("operationId") ?? "",
      method,
      path,
      parameters: Object.fromEntries(
        operation
          .child("parameters")
          .items()
          .flatMap((parameter) => {
            const { exists, value } = parameter.child("example");
            return exists ? [[parameter.text("name") ?? "", String(value)]] : [];
          }),
      ),
      body: media(operation).child("example").value,
    })),
    externalEvents:
      (trigger && (media(trigger.operation).child("examples").value as MockControl["externalEvents"])) ?? {},
  };
}
