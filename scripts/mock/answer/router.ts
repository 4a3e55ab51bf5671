/** Finds the operation of a request. */

import type { Edition, Plan, PlanOperation } from "../plan/plan.ts";
import { nearestPath } from "./nearest-path.ts";

export type Address = PlanOperation["address"];

/** What a request is matched with; `template` is the path template of the contract, `allowed` are its methods. */
export type Route =
  | {
      kind: "operation";
      template: string;
      allowed: string[];
      operation: PlanOperation;
      pathParameters: Record<string, string>;
    }
  | { kind: "wrongMethod"; template: string; allowed: string[] }
  | { kind: "otherAddress"; template: string }
  /** Only these editions have the operation. */
  | { kind: "otherEdition"; template: string; editions: readonly Edition[] }
  /** `nearest` is the path template that looks most like the path. */
  | { kind: "unknown"; nearest: string | undefined };

export type Router = (address: Address, method: string, path: string) => Route;

interface Node {
  readonly fixed: Map<string, Node>;
  /** What follows a path parameter. */
  templated: Node | undefined;
  readonly endpoints: PlanOperation[];
}

/**
 * Makes the router of a plan. An operation is found on its own address only. Where several path templates match, the one
 * that is concrete for longer wins; HEAD is allowed where GET is.
 *
 * @param edition the operations of this edition are answered, those of others are told of.
 */
export function makeRouter({ operations }: Pick<Plan, "operations">, edition: Edition): Router {
  const isHere = ({ editions }: PlanOperation) => editions.includes(edition);
  const root = makeNode();
  for (const operation of operations) insert(root, operation);
  const templates = [...new Set(operations.filter(isHere).map(({ path }) => path))];
  return (address, method, path) => {
    const segments = decodeSegments(path);
    const matching = segments === undefined ? [] : [...endpointsAt(root, segments)];
    const here = matching.filter((one) => one.address === address && isHere(one));
    const wanted = method === "HEAD" ? "GET" : method;
    const found = here.find((operation) => operation.method === wanted);
    if (found !== undefined && segments !== undefined) {
      const pathParameters = parametersOf(found.path, segments);
      return {
        kind: "operation",
        template: found.path,
        allowed: allowedMethods(here),
        operation: found,
        pathParameters,
      };
    }
    const other = matching.find((one) => one.address === address && one.method === wanted);
    if (other !== undefined) return { kind: "otherEdition", template: other.path, editions: other.editions };
    const [first] = here;
    if (first !== undefined) return { kind: "wrongMethod", template: first.path, allowed: allowedMethods(here) };
    const elsewhere = matching.find(isHere);
    if (elsewhere !== undefined) return { kind: "otherAddress", template: elsewhere.path };
    const [absentHere] = matching;
    if (absentHere !== undefined) {
      return { kind: "otherEdition", template: absentHere.path, editions: absentHere.editions };
    }
    return { kind: "unknown", nearest: nearestPath(segments ?? [], templates) };
  };
}

function makeNode(): Node {
  return { fixed: new Map(), templated: undefined, endpoints: [] };
}

function insert(root: Node, endpoint: PlanOperation): void {
  let node = root;
  for (const part of endpoint.path.split("/")) {
    if (isTemplated(part)) {
      node.templated ??= makeNode();
      node = node.templated;
    } else {
      const next = node.fixed.get(part) ?? makeNode();
      node.fixed.set(part, next);
      node = next;
    }
  }
  node.endpoints.push(endpoint);
}

/** Everything that a path matches, the most concrete first. */
function* endpointsAt(node: Node, segments: readonly string[], index = 0): Generator<PlanOperation> {
  const segment = segments[index];
  if (segment === undefined) {
    yield* node.endpoints;
    return;
  }
  const fixed = node.fixed.get(segment);
  if (fixed !== undefined) yield* endpointsAt(fixed, segments, index + 1);
  if (node.templated !== undefined && segment !== "") yield* endpointsAt(node.templated, segments, index + 1);
}

function isTemplated(part: string): boolean {
  return part.startsWith("{") && part.endsWith("}");
}

function parametersOf(template: string, segments: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [index, part] of template.split("/").entries()) {
    if (isTemplated(part)) values[part.slice(1, -1)] = segments[index] ?? "";
  }
  return values;
}

/** The decoded segments; undefined when the percent-encoding of the path is not valid. */
function decodeSegments(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function allowedMethods(operations: readonly PlanOperation[]): string[] {
  const methods = operations.map(({ method }) => method);
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])];
}
