import { nearestName } from "../../base/index.ts";
import { memoizeTexts } from "../memoize.ts";
import type { Edition, PlanOperation } from "../plan/plan.ts";

export type Address = PlanOperation["address"];

type RoutableOperation = Pick<PlanOperation, "address" | "method" | "path" | "editions">;

export type Route<Operation = PlanOperation> =
  | {
      readonly kind: "operation";
      readonly operation: Operation;
      readonly pathParameters: Readonly<Record<string, string>>;
    }
  | { readonly kind: "wrongMethod"; readonly template: string; readonly allowedMethods: readonly string[] }
  | { readonly kind: "otherAddress"; readonly template: string }
  | { readonly kind: "otherEdition"; readonly template: string; readonly editions: readonly Edition[] }
  | { readonly kind: "unknown"; readonly nearestPath: string | undefined };

export type Router<Operation = PlanOperation> = (address: Address, method: string, path: string) => Route<Operation>;

/** If several path templates match, the router uses the template whose first parameter comes last. HEAD is routed like GET. */
export function makeRouter<Operation extends RoutableOperation>(
  { operations }: { readonly operations: readonly Operation[] },
  edition: Edition,
): Router<Operation> {
  const isInEdition = ({ editions }: RoutableOperation) => editions.includes(edition);
  const candidates = operations.map((operation) => ({ operation, parts: operation.path.split("/") }));
  candidates.sort((a, b) => sortKeyOf(a.parts).localeCompare(sortKeyOf(b.parts)));
  const templates = [...new Set(operations.filter(isInEdition).map(({ path }) => path))];
  templates.sort((a, b) => a.split("{").length - b.split("{").length);
  const findRoute = (address: Address, method: string, path: string): Route<Operation> => {
    const segments = decodeSegments(path);
    const matchingOperations = candidates
      .filter(({ parts }) => isMatch(parts, segments))
      .map(({ operation }) => operation);
    const hasAddressAndMethod = (operation: RoutableOperation) =>
      operation.address === address && operation.method === (method === "HEAD" ? "GET" : method);
    const matchedOperation = matchingOperations.find(
      (candidate) => hasAddressAndMethod(candidate) && isInEdition(candidate),
    );
    if (matchedOperation !== undefined && segments !== undefined) {
      return {
        kind: "operation",
        operation: matchedOperation,
        pathParameters: parametersOf(matchedOperation.path, segments),
      };
    }
    const unselectedOperation = matchingOperations.find(hasAddressAndMethod);
    if (unselectedOperation !== undefined)
      return { kind: "otherEdition", template: unselectedOperation.path, editions: unselectedOperation.editions };
    const operationsAtAddress = matchingOperations.filter(
      (candidate) => candidate.address === address && isInEdition(candidate),
    );
    if (operationsAtAddress[0] !== undefined)
      return {
        kind: "wrongMethod",
        template: operationsAtAddress[0].path,
        allowedMethods: allowedMethods(operationsAtAddress),
      };
    const operationAtOtherAddress = matchingOperations.find(isInEdition);
    if (operationAtOtherAddress !== undefined) return { kind: "otherAddress", template: operationAtOtherAddress.path };
    const [operationInOtherEdition] = matchingOperations;
    if (operationInOtherEdition !== undefined)
      return {
        kind: "otherEdition",
        template: operationInOtherEdition.path,
        editions: operationInOtherEdition.editions,
      };
    return { kind: "unknown", nearestPath: nearestPath(path, templates) };
  };
  const findMemoized = memoizeTexts(256, 512, (target) => {
    const [address = "", method = "", ...path] = target.split(" ");
    return findRoute(address as Address, method, path.join(" "));
  });
  return (address, method, path) => findMemoized(`${address} ${method} ${path}`);
}

function isMatch(parts: readonly string[], segments: readonly string[] = []): boolean {
  const isMatchingPart = (part: string, index: number) =>
    isParameter(part) ? segments[index] !== "" : segments[index] === part;
  return parts.length === segments.length && parts.every(isMatchingPart);
}

/** For example `001` for `/a/{id}`. A template whose first parameter comes later sorts first. */
function sortKeyOf(parts: readonly string[]): string {
  return parts.map((part) => (isParameter(part) ? "1" : "0")).join("");
}

function isParameter(part: string): boolean {
  return /^\{.*\}$/.test(part);
}

function parametersOf(template: string, segments: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [index, part] of template.split("/").entries()) {
    if (isParameter(part)) values[part.slice(1, -1)] = segments[index] ?? "";
  }
  return values;
}

function decodeSegments(path: string): string[] | undefined {
  try {
    return path.includes("%") ? path.split("/").map(decodeURIComponent) : path.split("/");
  } catch {
    return undefined;
  }
}

function allowedMethods(operations: readonly RoutableOperation[]): string[] {
  const methods = operations.map(({ method }) => method);
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])];
}

function nearestPath(path: string, templates: readonly string[]): string | undefined {
  const segments = path.split("/");
  const byPath = new Map<string, string>();
  for (const template of templates) {
    const filledPath = template.replace(/\{[^}]+\}/g, (name) => segments[template.split("/").indexOf(name)] || name);
    if (!byPath.has(filledPath)) byPath.set(filledPath, template);
  }
  return byPath.get(nearestName(path, [...byPath.keys()]) ?? "");
}
