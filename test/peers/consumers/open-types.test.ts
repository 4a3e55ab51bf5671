/** If the list of codes of a response is marked as incomplete, its generated type accepts any P-code, otherwise only the listed codes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import openapiTypeScript, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  bundleFile,
  type DocumentedResponse,
  type Operation,
  readContract,
} from "../../../scripts/contract/model/index.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "open-types-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Failure = [operation: Operation, response: DocumentedResponse];

const typeOf: Record<string, (failure: Failure) => string> = {
  "openapi-typescript": ([{ operationId }, { key }]) =>
    `operations["${operationId}"]["responses"][${key}]["content"]["application/json"]`,
  "hey-api": ([{ operationId }, { key }]) =>
    `types.${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Errors[${key}]`,
};

const typesOf: Record<string, (file: string, output: string) => Promise<void>> = {
  "openapi-typescript": async (file, output) => {
    const nodes = await openapiTypeScript(readFileSync(file, "utf8"), { silent: true });
    writeFileSync(`${output}.ts`, astToString(nodes));
  },
  "hey-api": async (file, output) => {
    await createClient({ input: file, output, logs: { level: "silent" }, plugins: ["@hey-api/typescript"] });
  },
};

const imports: Record<string, (path: string) => string> = {
  "openapi-typescript": (path) => `import type { operations } from "${path}";`,
  "hey-api": (path) => `import type * as types from "${path}/types.gen";`,
};

it.each(Object.keys(typeOf))("%s", async (generator) => {
  const file = bundleFile("test", "json");
  await typesOf[generator]?.(file, join(folder, generator));
  const { operations } = readContract(JSON.parse(readFileSync(file, "utf8")));
  const failures = operations.flatMap((operation): Failure[] =>
    operation.responses
      .filter(({ key, codes }) => (key === "400" || key === "404") && codes.length > 0)
      .map((response) => [operation, response]),
  );
  const lines = failures.map((failure, index) => {
    const [, { isOpen }] = failure;
    const error = `{ errorCode: "P999", errorMessage: "Not listed", timestamp: "2026-03-02T09:12:07.318Z" }`;
    const expected = isOpen ? "" : "// @ts-expect-error The codes of this response are stated.\n";
    return `${expected}export const error${index}: ${typeOf[generator]?.(failure)} = ${error};`;
  });
  const program = join(folder, `program-${generator}.ts`);
  writeFileSync(program, `${imports[generator]?.(`./${generator}`)}\n${lines.join("\n")}\n`);
  expect(problemsOf(program)).toEqual([]);
  expect(failures.filter(([, { isOpen }]) => isOpen).length).toBeGreaterThan(30);
  expect(failures.filter(([, { isOpen }]) => !isOpen)).toHaveLength(11);
});

function problemsOf(file: string): string[] {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
