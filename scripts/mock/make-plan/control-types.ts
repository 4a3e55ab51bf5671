/** The TypeScript types of the control interface, from the schemas of `openapi/mock-control.yaml`. */
import openapiTS, { astToString, type SchemaObject } from "openapi-typescript";
import { generatedNotice } from "../../client/generate/index.ts";
import type { Sources } from "../../contract/sources/index.ts";

/** The text of `generated/control/types.ts`: a type for each schema, by its name. */
export async function controlTypes(sources: Sources): Promise<string> {
  const { openapi, info, components } = sources.document(sources.layout.mockControl).parsed as {
    openapi: string;
    info: { title: string; version: string };
    components: { schemas: Record<string, SchemaObject> };
  };
  const { schemas } = structuredClone(components);
  const nodes = await openapiTS(
    { openapi, info, paths: {}, components: { schemas } },
    {
      ...{ immutable: true, emptyObjectsUnknown: true, silent: true },
      ...{ rootTypes: true, rootTypesKeepCasing: true, rootTypesNoSchemaPrefix: true },
    },
  );
  return `${generatedNotice}\n${astToString(nodes)}`;
}
