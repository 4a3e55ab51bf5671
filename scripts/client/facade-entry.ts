/** Generates `index.ts` of an edition: the object of all operations. */
import type { Contract, Edition, OpenQuestions } from "../contract/index.ts";
import { operationLines } from "./operation-entry.ts";
import { needsOptions, typeName } from "./operation-types.ts";
import { generatedNotice, runtimePath, toMemberComment } from "./text.ts";

/** Returns the text of `index.ts`: the interface of the client and the function that creates it. */
export function indexSource(contract: Contract, edition: Edition, questions: OpenQuestions): string {
  const methods = contract.operations.map((operation) => {
    const name = typeName(operation);
    const optional = needsOptions(operation) ? "" : "?";
    return `${toMemberComment(operationLines(contract, operation, questions, "operations."))}
  ${operation.operationId}(options${optional}: operations.${name}Options): Promise<operations.${name}Result>;`;
  });
  return `${generatedNotice}
import { type Client, makeClient } from "${runtimePath}/client.ts";
import type { Explanation } from "${runtimePath}/explain.ts";
import { makeFacade } from "${runtimePath}/facade.ts";
import type { ClientOptions } from "${runtimePath}/options.ts";
import type { RawClient } from "${runtimePath}/raw.ts";
import type { CommonOptions } from "${runtimePath}/types.ts";
import { contract } from "./contract.ts";
import * as table from "./operation-table.ts";
import type * as operations from "./operations.ts";
import type { paths } from "./types.ts";

/** The client of the partner account and wallet service, edition ${edition}: one function for each operation. */
export interface PartnerClient extends Client {
${methods.join("\n\n")}

  /**
   * Describes what a call would send, as a curl command without sensitive values, and which responses are documented.
   *
   * @throws {TypeError} when there is no such operation, or the call cannot be sent.
   */
  explain<Name extends keyof operations.OperationOptions>(
    operationId: Name,
    options?: Omit<operations.OperationOptions[Name], keyof CommonOptions>,
  ): Explanation;

  /**
   * The underlying openapi-fetch client, for requests that the functions do not cover. Its middleware applies to its own
   * requests only; \`onRequest\` and \`onResponse\` of the client are called for the functions.
   */
  readonly raw: RawClient<paths>;
}

/**
 * Creates a client. Its functions return \`{ data, error, response }\` and never reject.
 *
 * @throws {TypeError} when a base URL or the API key is missing or malformed, or another option is.
 */
export function createPartnerClient(options: ClientOptions = {}): PartnerClient {
  return makeFacade<PartnerClient>(makeClient(options, contract), table);
}

export type * from "./operations.ts";
export * from "${runtimePath}/exports.ts";
export type * from "./types.ts";
`;
}
