/** Finds the operation of a request. */
import { nearestName } from "../nearest-name.ts";
import type { Edition, PlanOperation } from "../plan/plan.ts";

export type Address = PlanOperation["address"];

/** What is known of an operation to find it. */
type Routed = Pick<PlanOperation, "address" | "method" | "path" | "editions">;

/** What a request is matched with. `template` is the path template of the contract. */
export type Route<Operation = PlanOperation> =
  | { readonly kind: "operation"; readonly operation: Operation; readonly pathParameters: Record<string, string> }
  | { readonly kind: "wrongMethod"; readonly template: string; readonly allowed: readonly string[] }
  | { readonly kind: "otherAddress"; readonly template: string }
  /** Only these editions have the operation. */
  | { readonly kind: "otherEdition"; readonly template: string; readonly editions: readonly Edition[] }
  /** `nearest` is the path template that looks most like the path. */
  | { readonly kind: "unknown"; readonly nearest: string | undefined };

export type Router<Operation = PlanOperation> = (address: Address, method: string, path: string) => Route<Operation>;

interface Node<Operation> {
  readonly fixed: Map<string, Node<Operation>>;
  /** What follows a path parameter. */
  templated: Node<Operation> | undefined;
  readonly operations: Operation[];
}

/** So many unknown paths are remembered with the path that is nearest to them, which takes long to find; longer ones have none. */
const mostRemembered = 256;
const longestPath = 512;

/**
 * Makes the router of a plan. An operation is found on its own address only. Where several path templates match, the one
 * that is concrete for longer wins; HEAD is allowed where GET is.
 *
 * @param edition the operations of this edition are answered, those of others are told of.
 */
export function makeRouter<Operation extends Routed>(
  { operations }: { readonly operations: readonly Operation[] },
  edition: Edition,
): Router<Operation> {
  const isHere = ({ editions }: Routed) => editions.includes(edition);
  const root = makeNode<Operation>();
  for (const operation of operations) insert(root, operation);
  const templates = [...new Set(operations.filter(isHere).map(({ path }) => path))];
  templates.sort((a, b) => a.split("{").length - b.split("{").length);
  const fixed = new Map<string, Route<Operation>>(
    operations
      .filter((operation) => isHere(operation) && !operation.path.includes("{"))
      .map((operation) => [keyOf(operation), { kind: "operation", operation, pathParameters: {} }]),
  );
  const remembered = new Map<string, string | undefined>();
  const nearestTo = (path: string) => {
    if (!remembered.has(path)) {
      if (remembered.size >= mostRemembered) remembered.clear();
      remembered.set(path, nearestPath(path, templates));
    }
    return remembered.get(path);
  };
  return (address, method, path) => {
    const wanted = method === "HEAD" ? "GET" : method;
    const known = fixed.get(keyOf({ address, method: wanted, path }));
    if (known !== undefined) return known;
    const segments = decodeSegments(path);
    const matching = segments === undefined ? [] : operationsAt(root, segments);
    const isWanted = (one: Routed) => one.address === address && one.method === wanted;
    const found = matching.find((one) => isWanted(one) && isHere(one));
    if (found !== undefined && segments !== undefined) {
      return { kind: "operation", operation: found, pathParameters: parametersOf(found.path, segments) };
    }
    const other = matching.find(isWanted);
    if (other !== undefined) return { kind: "otherEdition", template: other.path, editions: other.editions };
    const here = matching.filter((one) => one.address === address && isHere(one));
    if (here[0] !== undefined) return { kind: "wrongMethod", template: here[0].path, allowed: allowedMethods(here) };
    const elsewhere = matching.find(isHere);
    if (elsewhere !== undefined) return { kind: "otherAddress", template: elsewhere.path };
    const [absent] = matching;
    if (absent !== undefined) return { kind: "otherEdition", template: absent.path, editions: absent.editions };
    const isComparable = segments !== undefined && path.length <= longestPath;
    return { kind: "unknown", nearest: isComparable ? nearestTo(path) : undefined };
  };
}

function keyOf({ address, method, path }: Omit<Routed, "editions">): string {
  return `${address} ${method} ${path}`;
}

function makeNode<Operation>(): Node<Operation> {
  return { fixed: new Map(), templated: undefined, operations: [] };
}

function insert<Operation extends Routed>(root: Node<Operation>, operation: Operation): void {
  let node = root;
  for (const part of operation.path.split("/")) {
    if (isTemplated(part)) {
      node.templated ??= makeNode<Operation>();
      node = node.templated;
    } else {
      const next = node.fixed.get(part) ?? makeNode<Operation>();
      node.fixed.set(part, next);
      node = next;
    }
  }
  node.operations.push(operation);
}

/** Everything that a path matches, the most concrete first. */
function operationsAt<Operation>(node: Node<Operation>, segments: readonly string[], index = 0): readonly Operation[] {
  const segment = segments[index];
  if (segment === undefined) return node.operations;
  const fixed = node.fixed.get(segment);
  const concrete = fixed === undefined ? [] : operationsAt(fixed, segments, index + 1);
  if (node.templated === undefined || segment === "") return concrete;
  const templated = operationsAt(node.templated, segments, index + 1);
  return concrete.length === 0 ? templated : [...concrete, ...templated];
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
    return path.includes("%") ? path.split("/").map(decodeURIComponent) : path.split("/");
  } catch {
    return undefined;
  }
}

function allowedMethods(operations: readonly Routed[]): string[] {
  const methods = operations.map(({ method }) => method);
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])];
}

/** The path template that looks most like a path, with the path's own segments in the places of its parameters. */
function nearestPath(path: string, templates: readonly string[]): string | undefined {
  const segments = path.split("/");
  // Of two that are alike then, the one that comes first stays, which is concrete for longer.
  const byPath = new Map<string, string>();
  for (const template of templates) {
    const filled = template.replace(/\{[^}]+\}/g, (name) => segments[template.split("/").indexOf(name)] || name);
    if (!byPath.has(filled)) byPath.set(filled, template);
  }
  return byPath.get(nearestName(path, [...byPath.keys()]) ?? "");
}
