/** Generates `helpers.ts`: what programs of partners do on top of single calls, with what the contract knows of states and histories. */
import { type Contract, type Operation, propertiesOf, type State } from "../../contract/model/index.ts";
import { clientType, typeName } from "./operation-types.ts";
import { Code, generatedNotice, runtimePath, toLiteral, toMembers } from "./text.ts";

/** What the file takes from the runtime for the states, and for the histories. */
const waiting = ["type Lifecycle", "type Waited", "type WaitOptions", "waitUntilFinalWith"];
const reading = ["historyMonthsWith", "type Month", "type MonthOfHistory"];

/** Returns the text of `helpers.ts`. */
export function helpersSource(contract: Contract): string {
  const waits = lifecyclesOf(contract);
  const histories = contract.operations.filter(isHistory);
  const operations = [...new Set([...waits.map(({ operation }) => operation), ...histories])];
  const names = operations.map(({ operationId }) => operationId).sort();
  const rows = waits.map(({ operation, field, final }) => {
    const row = { operation: new Code(operation.operationId), field, final };
    return [operation.operationId, toLiteral(row)] as const;
  });
  const others = waits.filter(({ field }) => field !== "status");
  return `${generatedNotice}
import type { Client } from "${runtimePath}/client.ts";
import { ${[...waiting, ...(histories.length === 0 ? [] : reading)].join(", ")} } from "${runtimePath}/helpers.ts";
${histories.length === 0 ? "" : `import type { CommonOptions } from "${runtimePath}/types.ts";\n`}import { ${names.join(", ")} } from "./operation-table.ts";
import type * as operations from "./operations.ts";

/** The operations that show a resource whose states end in a final one. */
export type WaitableOperation = ${waits.map(({ operation }) => JSON.stringify(operation.operationId)).join(" | ") || "never"};

/**
 * Calls an operation until the resource that it shows is in a final state, by the lifecycles of the contract, which are assumed
 * where nobody has stated them. A status that the contract does not know is not taken for a final one. The calls are reads, with
 * a growing pause in between; those that fail for a passing reason are repeated. The state is the \`status\` of the response${others.map(({ operation, field }) => `, of \`${operation.operationId}\` the \`${field}\``).join("")};
 * a final one can be a failure.
 *
 * @param operationId the operation, such as "getTransferDetails".
 * @param options the options of the operation, such as its \`path\`.
 * @param limits how long to wait: two minutes unless told otherwise.
 * @returns a promise of how the waiting ended and of the last result. It does not reject.
 * @throws {TypeError} when the client is none.
 */
export function waitUntilFinal<Name extends WaitableOperation>(
  client: Name extends operations.LatestOperationName ? Client : Client<"test">,
  operationId: Name,
  options: operations.OperationOptions[Name],
  limits?: WaitOptions,
): Promise<Waited<operations.OperationResults[Name]>> {
  return waitUntilFinalWith(client, lifecycles[operationId], options, limits);
}

/** The field that holds the status, and the final values, of each of these operations. */
const lifecycles: Readonly<Record<WaitableOperation, Lifecycle>> = {
${toMembers(rows)}
};

${historySource(histories)}export type { MiddlewareCall, MiddlewareResult } from "${runtimePath}/client.ts";
export { type Middleware, type Month, type MonthOfHistory, sumDecimals, use, type Waited, type WaitOptions } from "${runtimePath}/helpers.ts";
export { parseEvent } from "${runtimePath}/entries/webhooks.ts";
`;
}

/** `historyMonths` and its types; nothing in a contract without histories. */
function historySource(histories: Operation[]): string {
  const [first] = histories;
  if (first === undefined) return "";
  const methods = histories.map(
    (
      operation,
    ) => `/** The history of ${operation.path.includes("{externalUserId}") ? "a user" : "the partner"}, by {@link operations.${operation.operationId} ${operation.operationId}}. ${historyComment} */
export function historyMonths(
  client: ${clientType(operation)},
  options: HistoryOptions<operations.${typeName(operation)}Options["path"]>,
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined>;`,
  );
  const [ofUser, ofPartner] = ["{externalUserId}", ""].map(
    (part) => histories.find(({ path }) => path.includes("{externalUserId}") === (part !== ""))?.operationId,
  );
  return `/** A record of a history. */
export type HistoryRecord = operations.${typeName(first)}Data[number];

/** The months of a history, and of whom: what its path has besides. The other options are those of every call. */
export type HistoryOptions<Path> = CommonOptions & Omit<Path, "month" | "year"> & { from: Month; to: Month };

${methods.join("\n")}
export function historyMonths(
  client: Client,
  given: CommonOptions & { from: Month; to: Month; externalUserId?: string },
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined> {
  const { from, to, externalUserId, ...options } = given;
  // A user that is undefined is refused, and not taken for the partner.
  const isOfUser = "externalUserId" in given;
  const operation = isOfUser ? ${ofUser} : ${ofPartner};
  return historyMonthsWith(client, operation, isOfUser ? { externalUserId } : {}, { from, to }, options);
}

`;
}

const historyComment =
  "The months come one after the other, the earliest first; of a record that two months have, the copy of the later one counts, so that all months are read before the first is returned. The service answers for the last months only. When a month cannot be read, the iteration throws its PartnerApiError. A wrong month is a TypeError.";

/** Whether an operation returns the records of a month. */
function isHistory({ method, parameters, path }: Operation): boolean {
  return (
    method === "get" &&
    ["month", "year"].every((name) => path.includes(`{${name}}`) && parameters.some((each) => each.name === name))
  );
}

/** The operations whose response holds a state that begins with a value and ends with another one. */
function lifecyclesOf({ operations, resources }: Contract) {
  return resources.flatMap(({ details, states }) =>
    details.flatMap((name) => {
      const operation = operations.find(({ operationId }) => operationId === name);
      return states.flatMap((state) => {
        const field = operation && fieldOf(operation, state);
        const final = state.values.filter((value) => (state.moves.transitions[value] ?? []).length === 0);
        const begins = state.moves.initial.some((value) => !final.includes(value));
        return operation === undefined || field === undefined || !begins ? [] : [{ operation, field, final }];
      });
    }),
  );
}

/** The property of a successful response that has the schema of a state. */
function fieldOf({ responses }: Operation, { schema }: State): string | undefined {
  const success = responses.find(({ status }) => status === 200);
  const body = success?.bodies[0]?.schema;
  if (schema === undefined || body === undefined) return undefined;
  const hasSchema = JSON.stringify({ $ref: `#/components/schemas/${schema}` }).slice(1, -1);
  return [...propertiesOf(body)].find(([, property]) => JSON.stringify(property.value).includes(hasSchema))?.[0];
}
