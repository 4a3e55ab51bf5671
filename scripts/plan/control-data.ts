/** The operations of the control interface (`openapi/mock-control.yaml`), with the validators of their bodies. */
import type { PlanData } from "../mock/plan/attach.ts";
import { Sources } from "../sources/index.ts";
import type { Validators } from "./validators.ts";

interface ControlOperation {
  operationId: string;
  security?: unknown[];
  requestBody?: { required?: boolean; content: { "application/json": { schema: object } } };
}

/** What the plan knows of the control interface. */
export function controlData(validators: Validators): PlanData["control"] {
  const sources = new Sources();
  const document = sources.document(sources.layout.mockControl).parsed as Record<string, unknown>;
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, ControlOperation>>>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, security, requestBody }]) => {
      const schema = withoutReferences(requestBody?.content["application/json"].schema, document) as object;
      return {
        operationId,
        method: method.toUpperCase(),
        path,
        isOpen: security?.length === 0,
        body: requestBody && {
          isRequired: requestBody.required === true,
          schema,
          validator: validators.controlBody(schema),
        },
      };
    }),
  );
}

/** The value with what its references refer to in their places; nothing in the document refers to itself. */
function withoutReferences(value: unknown, document: object): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, document));
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutReferences(part, document)]));
  }
  const names = $ref.slice(2).split("/");
  const target = names.reduce((node: unknown, name) => (node as Record<string, unknown>)[name], document);
  return withoutReferences(target, document);
}
