/** Finds answers to invalid requests that an operation of latest does not have. */
import { methods, type OpenApiDocument, type OperationObject, valueAt } from "../../contract/index.ts";
import type { LatestProblem } from "./problems.ts";
import { type JsonObject, type Path, visitNodes } from "./visit.ts";

/** A problem for each P-code or status under `x-invalid-request` that the operation does not answer with. */
export function invalidRequestProblems(latest: OpenApiDocument): LatestProblem[] {
  return Object.entries(latest.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const at = ["paths", path, method];
      return [
        ...partProblems(latest, operation, item.parameters ?? [], ["paths", path, "parameters"]),
        ...partProblems(latest, operation, operation.parameters ?? [], [...at, "parameters"]),
        ...partProblems(latest, operation, [operation.requestBody], [...at, "requestBody"]),
      ];
    }),
  );
}

function partProblems(latest: OpenApiDocument, operation: OperationObject, parts: unknown[], at: Path) {
  const answered = answersOf(latest, operation);
  return parts.flatMap((part, index): LatestProblem[] => {
    const { "x-invalid-request": named } = (resolved(latest, part) ?? {}) as JsonObject;
    const names = typeof named === "object" ? Object.values(named ?? {}) : [named];
    const wrong = names.filter((name) => name !== undefined && !answered.has(String(name)));
    return wrong.map((name) => ({
      path: at.at(-1) === "parameters" ? [...at, index] : at,
      message: `In the edition latest x-invalid-request names ${name}, which ${operation.operationId} does not answer`,
      remedy: "Let scripts/bundle/filter take it out",
    }));
  });
}

/** The P-codes of an operation, and the statuses of its answers without one. */
function answersOf(latest: OpenApiDocument, { responses }: OperationObject): Set<string> {
  const answered = new Set<string>();
  for (const [status, answer] of Object.entries(responses)) {
    const codes: string[] = [];
    visitNodes(resolved(latest, answer), ({ $ref }) => {
      const [code] = /P\d{3}$/.exec(String($ref)) ?? [];
      if (code !== undefined) codes.push(code);
    });
    for (const name of codes.length === 0 ? [status] : codes) answered.add(name);
  }
  return answered;
}

function resolved(latest: OpenApiDocument, node: unknown): unknown {
  const { $ref } = (node ?? {}) as { $ref?: string };
  return $ref === undefined ? node : resolved(latest, valueAt(latest, $ref));
}
