/** The webhooks of a contract as a document of its own, for tools that would take in everything else with them. */
import type { OpenApiDocument } from "../contract/document.ts";

/** The document without operations, without the components that no webhook reaches, and without prose. */
export function webhookDocument(document: OpenApiDocument): object {
  const { openapi, jsonSchemaDialect, info, webhooks, components } = document;
  const schemas: Record<string, unknown> = {};
  const visit = (node: unknown): void => {
    if (typeof node === "object" && node !== null) Object.values(node).forEach(visit);
    if (typeof node !== "string" || !node.startsWith(schemaPrefix)) return;
    const name = node.slice(schemaPrefix.length);
    if (name in schemas) return;
    schemas[name] = components?.schemas?.[name];
    visit(schemas[name]);
  };
  const bodies = Object.fromEntries(
    Object.entries(webhooks ?? {}).map(([name, { post }]) => [
      name,
      { post: { requestBody: post?.requestBody, responses: { 200: { description: "Received." } } } },
    ]),
  );
  visit(bodies);
  const whole = { openapi, jsonSchemaDialect, info, paths: {}, webhooks: bodies, components: { schemas } };
  return JSON.parse(JSON.stringify(whole, withoutProse)) as object;
}

const schemaPrefix = "#/components/schemas/";

function withoutProse(key: string, value: unknown): unknown {
  const isProse = (key === "description" || key === "title") && typeof value === "string" && value !== "Received.";
  return isProse || key.startsWith("x-") || key === "examples" ? undefined : value;
}
