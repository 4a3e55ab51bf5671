/** Makes an OpenAPI document for each operation, for programs that call only this operation. */
import { questionTexts } from "../../contract/bundle/index.ts";
import type { OpenApiDocument, Operation } from "../../contract/model/index.ts";

import { sliceName } from "../content/pages.ts";

type Json = Record<string, unknown>;

/** @param document the published document of the edition `test`. @returns the documents by the paths of their files. */
export function openapiSlices(
  document: OpenApiDocument,
  operations: readonly Pick<Operation, "operationId" | "path" | "method" | "tag">[],
): Record<string, string> {
  const {
    openapi,
    jsonSchemaDialect,
    info,
    servers,
    security,
    tags = [],
    "x-questions": questions = {},
  } = document as OpenApiDocument & Json;
  const slices = operations.map((operation) => {
    const { path, method, tag } = operation;
    const { parameters, [method]: operationObject } = (document.paths as Record<string, Json>)[path] as Json;
    // Links are removed, because the slice does not contain the operations that they lead to.
    const operationWithoutLinks = JSON.parse(
      JSON.stringify(operationObject, (key, value) => (key === "links" ? undefined : value)),
    );
    const paths = { [path]: { parameters, [method]: operationWithoutLinks } };
    const components = componentsOf({ paths, security }, document);
    const operationTags = (tags as { name: string }[]).filter(({ name }) => name === tag);
    const parts = { openapi, jsonSchemaDialect, info, servers, security, tags: operationTags, paths, components };
    const slice = { ...parts, "x-questions": questionTexts(parts, questions) };
    return [sliceName(operation), `${JSON.stringify(slice, null, 1)}\n`];
  });
  return Object.fromEntries(slices);
}

/** Security schemes are always included, other components only if they are referenced directly or indirectly. */
function componentsOf(root: object, { components = {} }: OpenApiDocument): Record<string, Json> {
  const allComponents = components as Record<string, Json>;
  const usedComponents: Record<string, Json> = { securitySchemes: allComponents.securitySchemes as Json };
  const visit = (node: unknown): void => {
    if (node instanceof Object) for (const value of Object.values(node)) visit(value);
    const [, kind = "", name = ""] = /^#\/components\/(\w+)\/([^/]+)/.exec(String(node)) ?? [];
    const component = allComponents[kind]?.[name];
    if (component === undefined || usedComponents[kind]?.[name] !== undefined) return;
    usedComponents[kind] = { ...usedComponents[kind], [name]: component };
    visit(component);
  };
  visit(root);
  return usedComponents;
}
