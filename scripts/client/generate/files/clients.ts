/** Generates the file `clients.ts`: the types of the client objects. */
import type { Contract, OpenQuestions, Operation } from "../../../contract/model/index.ts";
import { isProposed, needsOptions, typeName } from "../reading/facts.ts";
import { operationLines } from "../writing/operation-comments.ts";
import { contractTypesPath, generatedNotice, toMemberComment } from "../writing/text.ts";

export function clientsSource(contract: Contract, questions: OpenQuestions): string {
  const methodsOf = (operations: Operation[]) => {
    const methods = operations.map((operation) => methodOf(contract, operation, questions));
    return methods.map((method) => `${method}\n\n`).join("");
  };
  const proposedOperations = contract.operations.filter(isProposed);
  const latestOperations = contract.operations.filter((operation) => !isProposed(operation));
  return `${generatedNotice}
import type { Client, CommonOptions, Explanation } from "${contractTypesPath}";
import type * as operations from "./operations.ts";

/** The client of the partner account and wallet service: one function for each operation of the edition \`latest\`. */
export interface PartnerClient extends Client {
${methodsOf(latestOperations)}${explainMethod("operations.LatestOperationName")}}

/** The client of the edition \`test\`, which has the proposed operations as well. */
export interface TestPartnerClient extends PartnerClient {
  readonly edition: "test";

${methodsOf(proposedOperations)}${explainMethod("keyof operations.OperationOptions")}}
`;
}

function explainMethod(names: string): string {
  return `  /**
   * Describes a call without making it: the request as a curl command without sensitive values, and the documented responses.
   *
   * @returns a promise of the description. It rejects with a TypeError when there is no such operation, or the client would refuse the call.
   */
  explain<Name extends ${names}>(
    operationId: Name,
    options?: Omit<operations.OperationOptions[Name], keyof CommonOptions>,
  ): Promise<Explanation>;
`;
}

function methodOf(contract: Contract, operation: Operation, questions: OpenQuestions): string {
  const name = typeName(operation);
  const optionalMark = needsOptions(operation) ? "" : "?";
  return `${toMemberComment(operationLines(contract, operation, questions, "operations."))}
  ${operation.operationId}(options${optionalMark}: operations.${name}Options): Promise<operations.${name}Result>;`;
}
