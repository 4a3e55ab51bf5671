/** Takes out operations that are proposed, and what webhooks hold that are. */
import { isRef, type JsonSchema, methods, type OperationObject, type ResponseObject } from "../../contract/index.ts";
import { openBody } from "./bodies.ts";
import type { Draft } from "./draft.ts";
import { operationsOf } from "./parts.ts";

/**
 * Takes out the operations that are proposed or do not say where they come from, and paths that have none left. Their
 * names are kept under `x-absent-operations`, so that a text that names one can say that it is not there.
 */
export function filterOperations({ document }: Draft): void {
  const absent: [string, string][] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method];
      if (operation === undefined || !isUnknown(operation)) continue;
      delete item[method];
      absent.push([operation.operationId ?? `${method} ${path}`, operation.summary ?? ""]);
    }
    if (methods.every((method) => item[method] === undefined)) delete document.paths[path];
  }
  if (absent.length > 0) document["x-absent-operations"] = Object.fromEntries(absent.sort());
}

/** Opens the webhooks of which only the name is known: the specification names all of them. */
export function openWebhooks({ document }: Draft): void {
  for (const [operation] of operationsOf(document.webhooks)) if (isUnknown(operation)) openWebhook(operation);
}

const received: ResponseObject = {
  description: "The partner has received the event.",
  content: { "application/json": { schema: { type: "object" } as JsonSchema } },
};

function isUnknown(operation: OperationObject): boolean {
  return operation["x-provenance"] === undefined || operation["x-provenance"] === "proposed";
}

function openWebhook(operation: OperationObject): void {
  operation.description =
    "The specification names this webhook. Its body, its path and what makes the service send it are not shown.";
  operation["x-provenance"] = "specification";
  operation["x-stated"] = ["name"];
  // What webhooks share is known of each: the partner answers 200 with a JSON object (interface specification, Events).
  const shared = Object.entries(operation.responses).filter(([, answer]) => isRef(answer));
  operation.responses = { 200: received, ...Object.fromEntries(shared) };
  operation.requestBody = { required: true, content: { "application/json": openBody({}) } };
  for (const key of ["parameters", "x-webhook-path", "x-dedupe-key", "x-event", "x-irregularity"] as const) {
    delete operation[key];
  }
}
