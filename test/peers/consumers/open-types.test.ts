/** If the contract marks the codes of a response as incomplete, its generated type accepts any P-code; otherwise, only the listed codes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import openapiTypeScript, { astToString } from "openapi-typescript";
import { expect, it } from "vitest";
import { bundleFile } from "../../../scripts/base/index.ts";
import { readContract } from "../../../scripts/contract/model/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { problemsOf } from "./problems-of.ts";

const folder = temporaryFolder();
const file = bundleFile("test", "json");

interface Generator {
  generate(output: string): Promise<void>;
  importOf(path: string): string;
  errorType(operationId: string, status: string): string;
}

const generators: Record<string, Generator> = {
  "openapi-typescript": {
    generate: async (output) => {
      const nodes = await openapiTypeScript(readFileSync(file, "utf8"), { silent: true });
      writeFileSync(`${output}.ts`, astToString(nodes));
    },
    importOf: (path) => `import type { operations } from "${path}";`,
    errorType: (operationId, status) =>
      `operations["${operationId}"]["responses"][${status}]["content"]["application/json"]`,
  },
  "hey-api": {
    generate: async (output) => {
      await createClient({ input: file, output, logs: { level: "silent" }, plugins: ["@hey-api/typescript"] });
    },
    importOf: (path) => `import type * as types from "${path}/types.gen";`,
    errorType: (operationId, status) =>
      `types.${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Errors[${status}]`,
  },
};

it.each(Object.entries(generators))("%s", async (name, { generate, importOf, errorType }) => {
  await generate(join(folder, name));
  const { operations } = readContract(JSON.parse(readFileSync(file, "utf8")));
  const failures = operations.flatMap(({ operationId, responses }) =>
    responses.flatMap(({ key, codes, isOpen }) => {
      const isListed = (key === "400" || key === "404") && codes.length > 0;
      return isListed ? [{ type: errorType(operationId, key), isOpen }] : [];
    }),
  );
  const lines = failures.map(({ type, isOpen }, index) => {
    const error = `{ errorCode: "P999", errorMessage: "Not listed", timestamp: "2026-03-02T09:12:07.318Z" }`;
    const expected = isOpen ? "" : "// @ts-expect-error The codes of this response are stated.\n";
    return `${expected}export const error${index}: ${type} = ${error};`;
  });
  const program = join(folder, `program-${name}.ts`);
  writeFileSync(program, `${importOf(`./${name}`)}\n${lines.join("\n")}\n`);
  expect(await problemsOf([program])).toEqual([]);
  expect(failures.filter(({ isOpen }) => isOpen).length).toBeGreaterThan(30);
  expect(failures.filter(({ isOpen }) => !isOpen)).toHaveLength(11);
});
