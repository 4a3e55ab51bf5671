/** Finds the operation of a request. */
import type { Address, Operation } from "../contract/index.ts";

/** What a request is matched with; `template` is the path template of the contract, `allowed` are its methods. */
export type Route =
  | {
      kind: "operation";
      template: string;
      allowed: string[];
      operation: Operation;
      pathParameters: Record<string, string>;
    }
  | { kind: "wrongMethod"; template: string; allowed: string[] }
  | { kind: "otherAddress"; template: string }
  | { kind: "unknown" };

type Router = (address: Address, method: string, path: string) => Route;

/**
 * Makes the router of a contract. An operation is found on its own address only. Where two path templates match, the one
 * that is concrete for longer wins; HEAD is allowed where GET is.
 */
export function makeRouter(operations: Operation[]): Router {
  const sorted = [...operations].sort((a, b) => (sortKey(a.path) < sortKey(b.path) ? -1 : 1));
  return (address, method, path) => {
    const segments = decodeSegments(path);
    if (segments === undefined) return { kind: "unknown" };
    const matching = sorted.flatMap((operation) => {
      const pathParameters = matchPath(operation.path, segments);
      return pathParameters === undefined ? [] : [{ operation, pathParameters }];
    });
    const here = matching.filter(({ operation }) => operation.address === address);
    const [first] = here;
    if (first === undefined) {
      const [elsewhere] = matching;
      return elsewhere === undefined
        ? { kind: "unknown" }
        : { kind: "otherAddress", template: elsewhere.operation.path };
    }
    const allowed = allowedMethods(here.map(({ operation }) => operation));
    const wanted = method === "HEAD" ? "get" : method.toLowerCase();
    const match = here.find(({ operation }) => operation.method === wanted);
    return match === undefined
      ? { kind: "wrongMethod", template: first.operation.path, allowed }
      : { kind: "operation", template: match.operation.path, allowed, ...match };
  };
}

/** Sorts concrete segments before templated ones. */
function sortKey(path: string): string {
  return path.replace(/\{[^}]*\}/g, "\uffff");
}

/** The decoded segments; undefined when the percent-encoding of the path is not valid. */
function decodeSegments(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** The values of the path parameters, none of them empty; undefined when the path does not match. */
function matchPath(template: string, segments: string[]): Record<string, string> | undefined {
  const expected = template.split("/");
  if (expected.length !== segments.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = segments[index] ?? "";
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === "") return undefined;
    if (name !== undefined) values[name] = segment;
  }
  return values;
}

function allowedMethods(operations: Operation[]): string[] {
  const methods = operations.map(({ method }) => method.toUpperCase());
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])];
}
