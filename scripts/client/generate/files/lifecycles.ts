/** Generates the file `lifecycles.ts`: the final states for which `waitUntilFinal` waits. */
import {
  type Contract,
  finalValues,
  isRef,
  isSuccess,
  type Operation,
  propertiesOf,
  type SourceLocation,
  type State,
  schemasOfValue,
} from "../../../contract/model/index.ts";
import { jsonBodyOf } from "../reading/bodies.ts";
import { Refusal } from "../reading/refusal.ts";
import {
  contractTypesPath,
  generatedNotice,
  RawSource,
  toLiteral,
  toMembers,
  toUnion,
  uniqueEntries,
} from "../writing/text.ts";

export function lifecyclesSource(contract: Contract): string {
  const lifecycles = lifecyclesOf(contract);
  const rows = lifecycles.map(({ operation: { operationId }, field, final }) => {
    return [operationId, toLiteral({ operation: new RawSource(`table.${operationId}`), field, final })] as const;
  });
  const members = uniqueEntries(rows, (id) => {
    const { resource, operation } = lifecycles.findLast(({ operation }) => operation.operationId === id) ?? {};
    return new Refusal(
      resource?.location.child("details") ?? operation?.location ?? contract.root,
      `${id} returns two statuses that can change, but waitUntilFinal waits for one`,
      "Leave it out of the details of a resource",
    );
  });
  return `${generatedNotice}
import type { Lifecycle } from "${contractTypesPath}";
import * as table from "./operation-table.ts";

/** The operations that return a status which can change to a final one. */
export type WaitableOperation = ${toUnion(rows.map(([name]) => name))};

export const lifecycles: Readonly<Record<WaitableOperation, Lifecycle>> = {
${toMembers(members)}
};
`;
}

/**
 * For each operation that reads a resource, the final values of each status that it returns. A status is left out if all its initial values
 * are final.
 */
function lifecyclesOf({ operations, resources }: Contract) {
  return resources.flatMap((resource) =>
    resource.states.flatMap((state) => {
      const finalStates = finalValues(state);
      if (state.lifecycle.initial.every((value) => finalStates.includes(value))) return [];
      return operations.flatMap((operation) => {
        const field = resource.details.includes(operation.operationId) ? statusFieldOf(operation, state) : undefined;
        return field === undefined ? [] : [{ resource, operation, field, final: finalStates }];
      });
    }),
  );
}

/** The field of the body whose schema is that of the state; undefined if the operation does not return this state. */
function statusFieldOf({ responses, location }: Operation, { schema }: State): string | undefined {
  const fields = responses.filter(isSuccess).flatMap((response) => {
    const body = jsonBodyOf(response);
    if (schema === undefined || body === undefined) return [];
    return [...propertiesOf(body.schema)].flatMap(([name, property]) => (usesSchema(property, schema) ? [name] : []));
  });
  const [field, ...otherFields] = new Set(fields);
  if (otherFields.length === 0) return field;
  throw new Refusal(
    location,
    `The operation returns the status ${schema} in ${[...new Set(fields)].join(" and ")}`,
    "Have one field of this schema",
  );
}

function usesSchema(schema: SourceLocation, name: string): boolean {
  return schemasOfValue(schema).some(({ value, nextTarget }) => isRef(value) && nextTarget.name === name);
}
