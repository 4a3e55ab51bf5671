/** Values come from `--set`, earlier responses and examples. */
import { randomUUID } from "node:crypto";
import { isObject } from "../client/src/entries/internal/index.ts";
import type { Plan, PlanOperation } from "../mock/plan/index.ts";
import { valuesAt } from "./pointers.ts";

export interface Target {
  readonly baseUrl: string;
  readonly depositBaseUrl: string;
  readonly apiKey: string;
}

/**
 * The values of a call by the name of a parameter or field: a value, `$NAME` for the known value of that name (`$unknown`: an unused
 * identifier; `$month-2`, `$year-2`: the month and the year of two months ago), or null to omit the parameter or field.
 */
export type CallInput = Readonly<Record<string, unknown>>;

export class RequestBuilder {
  readonly #plan: Plan;
  readonly #target: Target;
  readonly #setValues: Readonly<Record<string, string>>;
  /** The values of `--set`, the present month and year, and the identifiers in earlier responses, by name. */
  readonly #knownValues: Map<string, string>;

  constructor(plan: Plan, target: Target, setValues: Readonly<Record<string, string>>) {
    this.#plan = plan;
    this.#target = target;
    this.#setValues = setValues;
    this.#knownValues = new Map(Object.entries({ ...monthsAgo(0), ...setValues }));
  }

  /** Undefined if all values of the call are known. */
  missingOptions(operation: PlanOperation, input: CallInput = {}): string | undefined {
    const unknownValues = [...this.#valuesOf(operation, input)].filter(([, value]) => value === undefined);
    const names = new Set(
      unknownValues.map(([name]) => String(input[name] ?? this.#knownName(operation, name)).replace("$", "")),
    );
    return names.size === 0 ? undefined : [...names].map((name) => `--set ${name}=…`).join(" ");
  }

  build(operation: PlanOperation, input: CallInput): { url: string; init: RequestInit } {
    const { baseUrl, depositBaseUrl, apiKey } = this.#target;
    const { method, address, parameters, keyHeader = "x-api-key" } = operation;
    const values = new Map([...this.#valuesOf(operation, input)].filter(([, value]) => value !== null));
    const sentParameters = (location: string) =>
      parameters.filter((parameter) => parameter.in === location && values.has(parameter.name));
    const resolvedPath = sentParameters("path").reduce(
      (path, { name }) => path.replace(`{${name}}`, encodeURIComponent(String(values.get(name)))),
      operation.path,
    );
    const query = new URLSearchParams(sentParameters("query").map(({ name }) => [name, String(values.get(name))]));
    const url = `${address === "base_url" ? baseUrl : depositBaseUrl}${resolvedPath}${query.size === 0 ? "" : `?${query}`}`;
    const headers = { [keyHeader]: apiKey };
    const example = bodyOf(operation);
    if (example === undefined) return { url, init: { method, headers } };
    const isInBody = (name: string) => name in example || !parameters.some((parameter) => parameter.name === name);
    const body = JSON.stringify(Object.fromEntries([...values].filter(([name]) => isInBody(name))));
    return { url, init: { method, headers: { ...headers, "content-type": "application/json" }, body } };
  }

  /** Keeps the identifiers in the body of a success for later requests, except those that `--set` gives. */
  remember(operation: PlanOperation, body: unknown): void {
    for (const [name, sources] of Object.entries(this.#plan.probes.values)) {
      const foundValues = sources.flatMap(({ operation: id, at }) =>
        id === operation.operationId ? valuesAt(body, at) : [],
      );
      const [value] = foundValues.filter((foundValue) => typeof foundValue === "string" && foundValue !== "");
      if (value !== undefined && !(name in this.#setValues)) this.#knownValues.set(name, String(value));
    }
  }

  /** The values by name of a parameter or field. Null: the call omits the value. Undefined: a required value is not known. */
  #valuesOf(operation: PlanOperation, input: CallInput): Map<string, unknown> {
    const examples = this.#examplesOf(operation, input);
    const names = new Set([...examples.keys(), ...(bodyOf(operation) === undefined ? [] : Object.keys(input))]);
    return new Map(
      [...names].map((name) => {
        if (name in input) return [name, this.#inputValue(input[name])];
        return [name, this.#knownValues.get(this.#knownName(operation, name)) ?? examples.get(name)];
      }),
    );
  }

  /** By name of a parameter or field; undefined if it has no example that can be sent. */
  #examplesOf(operation: PlanOperation, input: CallInput): Map<string, unknown> {
    const parameters = operation.parameters.filter(
      ({ name, required, in: location }) =>
        location !== "header" && (required || name in input || this.#knownValues.has(name)),
    );
    const examples = [
      ...parameters.map(({ name, example }) => [name, example] as const),
      ...Object.entries(bodyOf(operation) ?? {}),
    ];
    return new Map(examples.map(([name, example]) => [name, isIdentifier(name) ? undefined : example]));
  }

  #inputValue(input: unknown): unknown {
    const [, name] = /^\$([\w-]+)$/.exec(String(input)) ?? [];
    return name === undefined ? input : this.#resolveReference(name);
  }

  /**
   * The name of the known value for a parameter or field. It differs from the given name if two operations use that name for different
   * things.
   */
  #knownName({ operationId }: PlanOperation, name: string): string {
    return this.#plan.probes.names[operationId]?.[name] ?? name;
  }

  /** Resolves the name after `$`, see {@link CallInput}. */
  #resolveReference(name: string): unknown {
    const [, part, months] = /^(month|year)-(\d+)$/.exec(name) ?? [];
    if (part === "month") return monthsAgo(Number(months)).month;
    if (part === "year") return monthsAgo(Number(months)).year;
    return name === "unknown" ? randomUUID() : this.#knownValues.get(name);
  }
}

export function inputNames(operation: PlanOperation): string[] {
  const parameterNames = operation.parameters
    .filter(({ in: location }) => location !== "header")
    .map(({ name }) => name);
  return [...parameterNames, ...Object.keys(bodyOf(operation) ?? {})];
}

/** Whether the value with this name identifies a record. The example of such a value is not sent, because no such record may exist. */
const isIdentifier = (name: string): boolean => name.endsWith("Id");

function bodyOf({ requestBody }: PlanOperation): CallInput | undefined {
  const body = requestBody?.bodies.find(({ mediaType }) => mediaType === "application/json");
  const [example] = Object.values(body?.examples ?? {});
  return isObject(example) ? example : undefined;
}

function monthsAgo(months: number): { month: string; year: string } {
  const now = new Date();
  const [year = "", month = ""] = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months))
    .toISOString()
    .split("-");
  return { month, year };
}
