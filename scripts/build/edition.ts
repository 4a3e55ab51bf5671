/** Keeps of the whole contract what belongs to an edition. */
import {
  methods,
  type OpenApiDocument,
  type OperationObject,
  type PathItemObject,
  type ResponseObject,
  resolve,
} from "../contract/document.ts";
import type { Edition } from "../contract/project.ts";

/**
 * The document of an edition: `test` holds everything, `latest` leaves out proposed operations and webhooks, and whatever
 * points to them. Components that nothing refers to any more go as well, and what is left is sorted by name.
 */
export function filterEdition(whole: OpenApiDocument, edition: Edition): OpenApiDocument {
  const document = structuredClone(whole);
  const filtered: OpenApiDocument = {
    ...document,
    info: { ...document.info, title: `${document.info.title} (${edition})`, "x-edition": edition },
    paths: keepItems(document.paths, edition),
    webhooks: keepItems(document.webhooks ?? {}, edition),
  };
  dropDangling(filtered);
  filtered.tags = (document.tags ?? []).filter((tag) => isTagUsed(filtered, tag.name));
  return { ...filtered, components: keepReferenced(filtered) };
}

function keepItems(items: Record<string, PathItemObject>, edition: Edition): Record<string, PathItemObject> {
  const kept: Record<string, PathItemObject> = {};
  for (const [key, item] of Object.entries(items)) {
    const left = Object.fromEntries(
      Object.entries(item).filter(([name, value]) => !isMethod(name) || belongs(value as OperationObject, edition)),
    );
    if (methods.some((method) => method in left)) kept[key] = left as PathItemObject;
  }
  return kept;
}

function isMethod(name: string): boolean {
  return (methods as readonly string[]).includes(name);
}

function belongs(operation: OperationObject, edition: Edition): boolean {
  return edition === "test" || operation["x-provenance"] !== "proposed";
}

/** Takes out what points to operations and webhooks of the other edition: `links` and `x-triggers`. */
function dropDangling(document: OpenApiDocument): void {
  const operations = operationsOf(document.paths);
  const operationIds = new Set(operations.map(({ operationId }) => operationId));
  const webhooks = new Set(Object.keys(document.webhooks ?? {}));
  for (const operation of operations) {
    const triggers = operation["x-triggers"]?.filter((webhook) => webhooks.has(webhook)) ?? [];
    if (triggers.length > 0) operation["x-triggers"] = triggers;
    else delete operation["x-triggers"];
    for (const node of Object.values(operation.responses)) {
      const response = resolve<ResponseObject>(document, node);
      const links = Object.entries(response.links ?? {}).filter(([, link]) => operationIds.has(link.operationId));
      if (links.length > 0) response.links = Object.fromEntries(links);
      else delete response.links;
    }
  }
}

function operationsOf(items: Record<string, PathItemObject>): OperationObject[] {
  return Object.values(items).flatMap((item) => methods.flatMap((method) => item[method] ?? []));
}

function isTagUsed(document: OpenApiDocument, tag: string): boolean {
  const operations = [...operationsOf(document.paths), ...operationsOf(document.webhooks ?? {})];
  return operations.some((operation) => operation.tags?.includes(tag));
}

/** The components that paths and webhooks reach, in alphabetical order. Security schemes are reached by name. */
function keepReferenced(document: OpenApiDocument): NonNullable<OpenApiDocument["components"]> {
  const components = document.components ?? {};
  const reached = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === "object" && node !== null) Object.values(node).forEach(visit);
    else if (typeof node === "string" && node.startsWith("#/components/") && !reached.has(node)) {
      reached.add(node);
      const [section, name] = node.replace("#/components/", "").split("/") as [string, string];
      visit(components[section]?.[name]);
    }
  };
  visit(document.paths);
  visit(document.webhooks);
  const sections = Object.entries(components).map(([section, entries]) => {
    const kept = Object.entries(entries).filter(
      ([name]) => section === "securitySchemes" || reached.has(`#/components/${section}/${name}`),
    );
    return [section, Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)))] as const;
  });
  return Object.fromEntries(sections.filter(([, entries]) => Object.keys(entries).length > 0).sort());
}
