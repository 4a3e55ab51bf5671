/** Generates the file `lifecycles.ts`: the final states for which `waitUntilFinal` waits. */
import { type Contract, finalValues, type Operation, propertiesOf, type State } from "../../contract/model/index.ts";
import { contractTypesPath, generatedNotice, RawSource, toLiteral, toMembers, toUnion } from "./text.ts";

export function lifecyclesSource(contract: Contract): string {
  const rows = lifecyclesOf(contract).map(({ operation: { operationId }, field, final }) => {
    return [operationId, toLiteral({ operation: new RawSource(`table.${operationId}`), field, final })] as const;
  });
  return `${generatedNotice}
import type { Lifecycle } from "${contractTypesPath}";
import * as table from "./operation-table.ts";

/** The operations that return a status which can change to a final one. */
export type WaitableOperation = ${toUnion(rows.map(([name]) => name))};

export const lifecycles: Readonly<Record<WaitableOperation, Lifecycle>> = {
${toMembers(rows)}
};
`;
}

/**
 * For each operation that reads a resource, the final values of each status that it returns. A status is left out if all its initial values
 * are final.
 */
function lifecyclesOf({ operations, resources }: Contract) {
  return resources.flatMap(({ details, states }) =>
    states.flatMap((state) => {
      const finalStates = finalValues(state);
      if (state.lifecycle.initial.every((value) => finalStates.includes(value))) return [];
      return operations.flatMap((operation) => {
        const field = details.includes(operation.operationId) ? statusFieldOf(operation, state) : undefined;
        return field === undefined ? [] : [{ operation, field, final: finalStates }];
      });
    }),
  );
}

function statusFieldOf({ responses }: Operation, { schema }: State): string | undefined {
  const success = responses.find(({ status }) => status === 200);
  const body = success?.bodies[0]?.schema;
  if (schema === undefined || body === undefined) return undefined;
  const schemaReference = JSON.stringify({ $ref: `#/components/schemas/${schema}` }).slice(1, -1);
  return [...propertiesOf(body)].find(([, property]) => JSON.stringify(property.value).includes(schemaReference))?.[0];
}
