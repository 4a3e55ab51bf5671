/** Says of an operation that something it requires comes only from operations that the edition does not have. */
import type {
  JsonSchema,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
} from "../../contract/index.ts";
import type { Draft } from "./draft.ts";
import type { FilterRegisters } from "./machine-data.ts";
import { operationsOf } from "./parts.ts";

/** By what is supplied: the names of the operations that supply it. */
export type Supplies = Map<string, Set<OperationObject>>;

/**
 * Reads from all operations, before any is taken out, what each supplies for others:
 *
 * - identifiers that only the service can issue: the id of what the operation creates, where a link of it fills a
 *   parameter or field of another operation with that id. Other values that links fill are known to a partner anyway.
 * - conditions that its effects fulfil. A condition is named after the resource and the value that fulfils it:
 *   `userExtended` after `{ moves: user, to: extended }`.
 */
export function readSupplies(draft: Draft): Supplies {
  const supplies: Supplies = new Map();
  const add = (key: string, operation: OperationObject) => {
    supplies.set(key, (supplies.get(key) ?? new Set()).add(operation));
  };
  for (const [operation] of operationsOf(draft.document.paths)) {
    const effects = (operation["x-effects"] ?? []) as Effect[];
    const issued = new Set<unknown>(effects.flatMap(({ creates, id }) => (creates === undefined ? [] : [id])));
    for (const answer of Object.values(operation.responses)) {
      for (const link of Object.values(draft.target<ResponseObject>(answer)?.links ?? {}) as Link[]) {
        const { operationId = "", parameters = {}, requestBody } = link;
        const fields = typeof requestBody === "object" && requestBody !== null ? requestBody : {};
        for (const [name, expression] of Object.entries({ ...parameters, ...fields })) {
          if (issued.has(expression)) add(valueKey(operationId, name), operation);
        }
      }
    }
    for (const { moves, to = [] } of effects) {
      for (const value of [to].flat()) add(`${moves}${value.charAt(0).toUpperCase()}${value.slice(1)}`, operation);
    }
  }
  return supplies;
}

interface Effect {
  creates?: string;
  moves?: string;
  id?: string;
  to?: string | string[];
}

interface Link {
  operationId?: string;
  parameters?: Record<string, unknown>;
  requestBody?: unknown;
}

const valueKey = (operationId: string, name: string) => `${operationId} ${name}`;

/**
 * Adds a sentence to the description of each operation with a dead end, unless the description names an operation that
 * leads out of it.
 */
export function tellDeadEnds(draft: Draft, supplies: Supplies, registers: () => FilterRegisters): void {
  const present = new Set(operationsOf(draft.document.paths).map(([operation]) => operation));
  /** The names of the operations that supply something, when none of them is left and a text names none of them. */
  const lost = (key: string, { description = "" }: OperationObject): string | undefined => {
    const suppliers = [...(supplies.get(key) ?? [])];
    if (suppliers.length === 0 || suppliers.some((operation) => present.has(operation))) return undefined;
    const names = suppliers.map(({ summary, operationId }) => summary ?? operationId ?? "");
    const text = description.replace(/\s+/g, " ");
    return names.some((name) => text.includes(name)) ? undefined : names.join(" or ");
  };
  for (const [operation, item] of operationsOf(draft.document.paths)) {
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    const sentences = [
      ...requiredNames(draft, operation, parameters).flatMap((name) => {
        const from = lost(valueKey(operation.operationId ?? "", name), operation);
        return from === undefined ? [] : [`Nothing in this edition issues the \`${name}\`: it comes from ${from}.`];
      }),
      ...Object.keys(operation["x-requires"] ?? {}).flatMap((condition) => {
        const by = lost(condition, operation);
        const meaning = registers().conditions[condition]?.meaning ?? condition;
        return by === undefined ? [] : [`That ${by} fulfils the condition "${meaning}" is assumed.`];
      }),
    ];
    if (sentences.length === 0) continue;
    operation.description = [operation.description?.trim() ?? "", ...sentences].filter(Boolean).join("\n\n");
  }
}

/** The names of the required parameters and of the required fields of the request. */
function requiredNames(draft: Draft, operation: OperationObject, parameters: unknown[]): string[] {
  const named = parameters.flatMap((parameter) => {
    const { name, required } = draft.target<ParameterObject>(parameter) ?? {};
    return name !== undefined && required === true ? [name] : [];
  });
  const { content = {} } = draft.target<RequestBodyObject>(operation.requestBody) ?? {};
  const fields = Object.values(content).flatMap(({ schema }) => {
    return draft.composed(schema as JsonSchema, { conditional: false }).flatMap(({ required = [] }) => required);
  });
  return [...new Set([...named, ...fields])];
}
