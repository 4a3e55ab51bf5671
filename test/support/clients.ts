import { type ClientOptions, createPartnerClient, type PartnerApiError } from "partner-wallet-api";
import type { Edition } from "../../scripts/base/index.ts";
import type { Operation } from "../../scripts/contract/model/index.ts";

export interface AnyResult {
  data: unknown;
  error: PartnerApiError | undefined;
  response: Response | undefined;
  status: number | undefined;
}

export type AnyCall = (options?: object) => Promise<AnyResult>;

export function makeClient(edition: Edition, options: ClientOptions): Record<string, AnyCall> {
  return createPartnerClient({ ...options, edition }) as unknown as Record<string, AnyCall>;
}

export function exampleCalls(operation: Operation): { name: string; options: Record<string, unknown> }[] {
  const parameters = parametersOf(operation);
  const body = operation.requestBody?.bodies[0];
  if (body === undefined) return [{ name: "no body", options: parameters }];
  const isMultipart = body.mediaType.startsWith("multipart/");
  return body.examples.map(({ name, value }) => ({
    name,
    options: { ...parameters, body: isMultipart ? toFiles(value as Record<string, unknown>) : value },
  }));
}

function parametersOf(operation: Operation): Record<string, unknown> {
  const parametersIn = (place: string) =>
    Object.fromEntries(
      operation.parameters.flatMap(({ name, in: where, example }) => (where === place ? [[name, example]] : [])),
    );
  const path = parametersIn("path");
  const query = parametersIn("query");
  return {
    ...(Object.keys(path).length > 0 ? { path } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
  };
}

function toFiles(example: Record<string, unknown>): Record<string, unknown> {
  const toFile = (text: unknown, name: string) => new File([String(text)], `${name}.png`, { type: "image/png" });
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item) => toFile(item, name)) : toFile(value, name),
    ]),
  );
}
