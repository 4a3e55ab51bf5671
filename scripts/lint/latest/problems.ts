/**
 * Proves on the finished bundles that the edition latest holds nothing proposed and names nothing that it does not have.
 * It knows nothing of how the edition is made: it looks at the two documents only.
 */
import { type ErrorAdvice, type OpenApiDocument, valueAt } from "../../contract/index.ts";
import { exampleProblems } from "./example-problems.ts";
import { invalidRequestProblems } from "./invalid-request-problems.ts";
import { textProblems } from "./text-problems.ts";
import { type Path, visitNodes } from "./visit.ts";

/** What is wrong in latest, and the path to it there. */
export interface LatestProblem {
  path: Path;
  message: string;
  remedy: string;
}

/** Keys whose value says where something comes from. */
const provenanceKeys = ["x-provenance", "x-required-provenance", "provenance"];

/** Everything that is wrong in latest, given both bundles. */
export function latestProblems(latest: OpenApiDocument, test: OpenApiDocument): LatestProblem[] {
  return [
    ...proposedElements(latest),
    ...textProblems(latest, test),
    ...exampleProblems(latest),
    ...deadReferences(latest),
    ...invalidRequestProblems(latest),
    ...missingWebhooks(latest, test),
  ];
}

function proposedElements(latest: OpenApiDocument): LatestProblem[] {
  const found: LatestProblem[] = [];
  visitNodes(latest, (node, path) => {
    for (const key of provenanceKeys) {
      if (node[key] !== "proposed") continue;
      found.push({
        path: [...path, key],
        message: `The edition latest holds something proposed: ${path.join("/")}`,
        remedy: "Let scripts/bundle/filter leave it out, or mark something that can be left out",
      });
    }
  });
  return found;
}

/** References, links, triggers and resolutions that lead to nothing, and fields that are required or tell events apart and are not there. */
function deadReferences(latest: OpenApiDocument): LatestProblem[] {
  const found: LatestProblem[] = [];
  const report = (path: Path, what: string) => {
    const remedy = "Let scripts/bundle/filter take out what leads to it";
    found.push({ path, message: `In the edition latest ${what}, which it does not have`, remedy });
  };
  const operationIds = new Set<unknown>();
  visitNodes(latest.paths, ({ operationId, responses }) => responses !== undefined && operationIds.add(operationId));
  const webhooks = Object.keys(latest.webhooks ?? {});
  visitNodes(latest, (node, path) => {
    const { $ref, links, "x-triggers": triggers, "x-dedupe-key": dedupeKey, "x-error": error } = node;
    if (typeof $ref === "string" && valueAt(latest, $ref) === undefined) report(path, `a reference names ${$ref}`);
    for (const [name, link] of Object.entries((links ?? {}) as Record<string, { operationId?: string }>)) {
      if (path.at(-2) !== "responses") continue;
      if (!operationIds.has(link.operationId)) report([...path, "links", name], `a link names ${link.operationId}`);
    }
    for (const entry of (triggers ?? []) as (string | { webhook: string })[]) {
      const name = typeof entry === "string" ? entry : entry.webhook;
      if (!webhooks.includes(name)) report([...path, "x-triggers"], `x-triggers names ${name}`);
    }
    for (const operationId of (error as Partial<ErrorAdvice> | undefined)?.resolvedBy ?? []) {
      if (!operationIds.has(operationId)) report([...path, "x-error", "resolvedBy"], `resolvedBy names ${operationId}`);
    }
    const fields = dedupeKey === undefined ? [] : fieldsOf(latest, bodyOf(node));
    for (const field of (dedupeKey ?? []) as string[]) {
      if (!fields.includes(field)) report([...path, "x-dedupe-key"], `x-dedupe-key names ${field}`);
    }
  });
  return found;
}

function bodyOf({ requestBody }: Record<string, unknown>): unknown {
  const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { schema?: unknown }> };
  return Object.values(content)[0]?.schema;
}

/** The names of all fields that a schema describes, in whatever branch. */
function fieldsOf(latest: OpenApiDocument, schema: unknown, depth = 0): string[] {
  if (typeof schema !== "object" || schema === null || depth > 20) return [];
  const { $ref, properties, allOf, anyOf, oneOf } = schema as Record<string, unknown>;
  const branches = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const target = typeof $ref === "string" ? [valueAt(latest, $ref)] : [];
  return [
    ...Object.keys((properties ?? {}) as object),
    ...[...branches, ...target].flatMap((branch) => fieldsOf(latest, branch, depth + 1)),
  ];
}

/** The specification names all webhooks, so latest has each of them with at least an open body. */
function missingWebhooks(latest: OpenApiDocument, test: OpenApiDocument): LatestProblem[] {
  const missing = Object.keys(test.webhooks ?? {}).filter((name) => latest.webhooks?.[name]?.post === undefined);
  return missing.map((name) => ({
    path: ["webhooks", name],
    message: `The edition latest does not have the webhook ${name}`,
    remedy: "Keep it with an open body: the specification names it",
  }));
}
