import { UsageError } from "../../base/index.ts";
import type { Contract, Operation } from "../../contract/model/index.ts";

export interface SampleCall {
  name: string;
  operation: Operation;
  options: { path?: Record<string, string>; query?: Record<string, string>; body?: unknown };
  status: number;
  response: unknown;
}

export function makeSamples(contract: Contract): SampleCall[] {
  return [
    sampleOf(contract, "listUserCards", (status) => status < 300),
    sampleOf(contract, "createUserAccount", (status) => status < 300),
    sampleOf(contract, "listUserCards", (status) => status >= 400),
  ];
}

function sampleOf(contract: Contract, id: string, matchesStatus: (status: number) => boolean): SampleCall {
  const operation = operationOf(contract, id);
  const response = operation.responses.find(({ status }) => matchesStatus(status));
  if (response === undefined)
    throw new UsageError(`The bench needs another response of ${id}. Choose one in samples.ts.`);
  return {
    name: `${operation.method.toUpperCase()}, ${response.status}`,
    operation,
    options: optionsOf(operation),
    status: response.status,
    response: response.bodies[0]?.examples[0]?.value,
  };
}

export function operationOf({ operations }: Contract, id: string): Operation {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (operation === undefined) throw new UsageError(`The bench needs ${id}. Choose another operation in its place.`);
  return operation;
}

export function optionsOf({ parameters, requestBody }: Operation): SampleCall["options"] {
  const exampleValues = (location: "path" | "query") => {
    const locationParameters = parameters.filter((parameter) => parameter.in === location);
    return (
      locationParameters.length > 0 && {
        [location]: Object.fromEntries(locationParameters.map(({ name, example }) => [name, example])),
      }
    );
  };
  const body = requestBody?.bodies[0]?.examples[0]?.value;
  return { ...exampleValues("path"), ...exampleValues("query"), ...(body !== undefined && { body }) };
}

export function pathnameOf({ path }: Operation, values: Record<string, string> = {}): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

export const typicalOperationCount = 10;

export function typicalOperations({ operations }: Contract): Operation[] {
  const isUpload = ({ requestBody }: Operation) => requestBody?.bodies[0]?.mediaType.startsWith("multipart/") ?? false;
  return operations
    .filter((operation) => !isUpload(operation) && operation.responses.some(({ codes }) => codes.length > 0))
    .slice(0, typicalOperationCount);
}
