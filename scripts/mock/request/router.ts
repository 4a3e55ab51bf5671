/** Finds the operation of a request. */
import { nearestName } from "../../contract/messages/index.ts";
import type { Edition, PlanOperation } from "../plan/plan.ts";

export type Address = PlanOperation["address"];

/** What is known of an operation to find it. */
type Routed = Pick<PlanOperation, "address" | "method" | "path" | "editions">;

/** What a request is matched with. `template` is the path template of the contract. */
export type Route<Operation = PlanOperation> =
  | {
      readonly kind: "operation";
      readonly operation: Operation;
      readonly pathParameters: Readonly<Record<string, string>>;
    }
  | { readonly kind: "wrongMethod"; readonly template: string; readonly allowed: readonly string[] }
  | { readonly kind: "otherAddress"; readonly template: string }
  /** Only these editions have the operation. */
  | { readonly kind: "otherEdition"; readonly template: string; readonly editions: readonly Edition[] }
  /** `nearest` is the path template that looks most like the path. */
  | { readonly kind: "unknown"; readonly nearest: string | undefined };

export type Router<Operation = PlanOperation> = (address: Address, method: string, path: string) => Route<Operation>;

/** So many routes are remembered, of paths that are not longer. */
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
  const candidates = operations.map((operation) => ({ operation, parts: operation.path.split("/") }));
  // The most concrete first.
  candidates.sort((a, b) => shapeOf(a.parts).localeCompare(shapeOf(b.parts)));
  const templates = [...new Set(operations.filter(isHere).map(({ path }) => path))];
  templates.sort((a, b) => a.split("{").length - b.split("{").length);
  const find = (address: Address, method: string, path: string): Route<Operation> => {
    const segments = decodeSegments(path);
    const matching = candidates.filter(({ parts }) => isMatch(parts, segments)).map(({ operation }) => operation);
    const isWanted = (one: Routed) => one.address === address && one.method === (method === "HEAD" ? "GET" : method);
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
    return { kind: "unknown", nearest: nearestPath(path, templates) };
  };
  const remembered = new Map<string, Route<Operation>>();
  return (address, method, path) => {
    const key = `${address} ${method} ${path}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const found = find(address, method, path);
    if (remembered.size >= mostRemembered) remembered.clear();
    if (path.length <= longestPath) remembered.set(key, found);
    return found;
  };
}

function isMatch(parts: readonly string[], segments: readonly string[] = []): boolean {
  const fits = (part: string, index: number) => (isTemplated(part) ? segments[index] !== "" : segments[index] === part);
  return parts.length === segments.length && parts.every(fits);
}

/** By which the templates are sorted that match one path: the later the first parameter stands, the earlier. */
function shapeOf(parts: readonly string[]): string {
  return parts.map((part) => (isTemplated(part) ? "1" : "0")).join("");
}

function isTemplated(part: string): boolean {
  return /^\{.*\}$/.test(part);
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
