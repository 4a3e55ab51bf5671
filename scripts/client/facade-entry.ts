/** Generates `index.ts`: the objects of the operations. */
import type { Contract, OpenQuestions, Operation } from "../contract/index.ts";
import { clientErrors, operationLines } from "./operation-entry.ts";
import { isProposed, needsOptions, typeName } from "./operation-types.ts";
import { generatedNotice, runtimePath, toMemberComment } from "./text.ts";

/** Returns the text of `index.ts`: the interfaces of the clients and the function that creates them. */
export function indexSource(contract: Contract, questions: OpenQuestions): string {
  const methodsOf = (operations: Operation[]) => {
    const methods = operations.map((operation) => methodOf(contract, operation, questions));
    return methods.map((method) => `${method}\n\n`).join("");
  };
  const proposed = contract.operations.filter(isProposed);
  const latest = contract.operations.filter((operation) => !isProposed(operation));
  return `${generatedNotice}
import { type Client, makeClient } from "${runtimePath}/client.ts";
import type { Explanation } from "${runtimePath}/explain.ts";
import { makeFacade } from "${runtimePath}/facade.ts";
import type { ClientOptions, TestClientOptions } from "${runtimePath}/client-options.ts";
import type { RawClient } from "${runtimePath}/raw.ts";
import type { CommonOptions } from "${runtimePath}/types.ts";
import { contract } from "./contract.ts";
import * as table from "./operation-table.ts";
import type * as operations from "./operations.ts";
import type { paths } from "./types.ts";

/** The client of the partner account and wallet service: one function for each operation of the edition \`latest\`. */
export interface PartnerClient extends Client {
${methodsOf(latest)}  /**
   * Describes what a call would send, as a curl command without sensitive values, and which responses are documented.
   *
   * @throws {TypeError} when the client has no such operation, or the call cannot be sent.
   */
  explain<Name extends operations.LatestOperationName>(
    operationId: Name,
    options?: Omit<operations.OperationOptions[Name], keyof CommonOptions>,
  ): Explanation;

  /**
   * The underlying openapi-fetch client, for requests that the functions do not cover; it has the paths of both editions. Its
   * middleware applies to its own requests only; \`onRequest\` and \`onResponse\` of the client are called for the functions.
   */
  readonly raw: RawClient<paths>;
}

/** The client of the edition \`test\`, which has the proposed operations as well. */
export interface TestPartnerClient extends PartnerClient {
  readonly edition: "test";

${methodsOf(proposed)}  /**
   * Describes what a call would send, as a curl command without sensitive values, and which responses are documented.
   *
   * @throws {TypeError} when there is no such operation, or the call cannot be sent.
   */
  explain<Name extends keyof operations.OperationOptions>(
    operationId: Name,
    options?: Omit<operations.OperationOptions[Name], keyof CommonOptions>,
  ): Explanation;
}

/**
 * Creates a client of the edition \`test\`, which has the proposed operations as well. Its functions return
 * \`{ data, error, response }\` and never reject.
 *
 * ${clientErrors}
 */
export function createPartnerClient(options: TestClientOptions): TestPartnerClient;
/**
 * Creates a client. Its functions return \`{ data, error, response }\` and never reject. With \`edition: "test"\` it has the
 * proposed operations as well.
 *
 * ${clientErrors}
 */
export function createPartnerClient(options?: ClientOptions): PartnerClient;
export function createPartnerClient(options: ClientOptions = {}): PartnerClient {
  return makeFacade<PartnerClient>(makeClient(options, contract), table);
}

export type * from "./operations.ts";
export * from "${runtimePath}/exports.ts";
export type * from "./types.ts";
`;
}

function methodOf(contract: Contract, operation: Operation, questions: OpenQuestions): string {
  const name = typeName(operation);
  const optional = needsOptions(operation) ? "" : "?";
  return `${toMemberComment(operationLines(contract, operation, questions, "operations."))}
  ${operation.operationId}(options${optional}: operations.${name}Options): Promise<operations.${name}Result>;`;
}
