/** Programs whose types are tested by compiling them. */
import { readdirSync, readFileSync } from "node:fs";
import { projectRoot } from "../../../scripts/base/index.ts";
import type { Contract, Operation } from "../../../scripts/contract/model/index.ts";

export const typeTestFiles = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".test-d.ts"));
const readme = readFileSync(`${projectRoot}/README.md`, "utf8");
export const readmePrograms = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, program]) => program);

/** @returns the programs by file name. */
export function makeTypePrograms(contract: Contract): Record<string, string> {
  return {
    ...Object.fromEntries(typeTestFiles.map((file) => [file, readFileSync(`${import.meta.dirname}/${file}`, "utf8")])),
    "readme.ts": readmePrograms.join("\n"),
    "flat.ts": flatTypesProgram(contract),
  };
}

export function codesOf({ responses }: Operation): string[] {
  return responses.filter(({ status }) => status >= 300).flatMap(({ codes }) => codes);
}

/** A program that compiles only if the flat types of operations equal the generated types of the contract. */
function flatTypesProgram({ operations }: Contract): string {
  const checks = operations.flatMap((operation) => {
    const { operationId, parameters, requestBody, responses } = operation;
    const options = `OperationOptions[${JSON.stringify(operationId)}]`;
    const operationType = `operations[${JSON.stringify(operationId)}]`;
    const places = ["path", "query"].filter((place) => parameters.some((parameter) => parameter.in === place));
    const bodies = (requestBody?.bodies ?? []).map(({ mediaType }) => `["content"]["${mediaType}"]`);
    const data = responses
      .filter(({ status }) => status < 300)
      .flatMap(
        ({ status, bodies: [body] }) => `${operationType}["responses"][${status}]["content"]["${body?.mediaType}"]`,
      );
    const codes = codesOf(operation).map((code) => JSON.stringify(code));
    return [
      ...places.map((place) => `Same<${options}["${place}"], ${operationType}["parameters"]["${place}"]>`),
      ...bodies.map((body) => `Same<${options}["body"], NonNullable<${operationType}["requestBody"]>${body}>`),
      `Same<Extract<OperationResults["${operationId}"], { error: undefined }>["data"], ${data.join(" | ")}>`,
      `Same<ErrorCodeOf<NonNullable<OperationResults["${operationId}"]["error"]>>, ${codes.join(" | ") || "never"}>`,
    ];
  });
  return `
import type { ErrorCodeOf, OperationOptions, OperationResults, operations } from "partner-wallet-api";
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
${checks.map((check, index) => `export const check${index}: ${check} = true;`).join("\n")}
`;
}
