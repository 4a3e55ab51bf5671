/** Generates `generated/control/types.ts` from `openapi/mock-control.yaml` and the external events of `openapi/resources.yaml`. */
import openapiTS, { astToString, type SchemaObject } from "openapi-typescript";
import { generatedNotice } from "../../client/generate/index.ts";
import type { Sources } from "../../contract/sources/index.ts";

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
      immutable: true,
      emptyObjectsUnknown: true,
      silent: true,
      rootTypes: true,
      rootTypesKeepCasing: true,
      rootTypesNoSchemaPrefix: true,
    },
  );
  return `${generatedNotice}\n${astToString(nodes)}${externalEventTypes(sources)}`;
}

function externalEventTypes(sources: Sources): string {
  const lines = sources.registers().resources.flatMap(({ name, externalEvents }) => {
    const events = externalEvents.map(({ name: event, parameterNames, to }) => {
      const values = to.map((value) => JSON.stringify(value)).join(" | ");
      const typeOf = (field: string) =>
        field === "status" && values !== "" ? `${values} | (string & {})` : "EventField";
      const fields = parameterNames.map((field) => `readonly ${field}?: ${typeOf(field)} | undefined`);
      return `    readonly ${event}: { ${fields.join("; ")} };`;
    });
    return events.length === 0 ? [] : [`  readonly ${name}: {`, ...events, "  };"];
  });
  return [
    "/** A field of an external event: a text, or an amount; null stands for the partner. */",
    "export type EventField = string | number | null;",
    "",
    "/** What each external event takes, by its resource and its name. */",
    "export interface ExternalEvents {",
    ...lines,
    "}",
    "",
  ].join("\n");
}
