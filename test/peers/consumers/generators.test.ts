import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateSource } from "oazapfts";
import { x } from "tinyexec";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleFile, projectRoot } from "../../../scripts/base/index.ts";
import { readContract } from "../../../scripts/contract/model/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import {
  generateWithHeyApi,
  generateWithKubb,
  generateWithOrval,
  generateWithSwaggerTypescriptApi,
} from "../generators.ts";
import { problemsOf } from "./problems-of.ts";

// The bundle `latest` is a subset of `test` (test/contract/bundle/edition.test.ts).
const input = bundleFile("test", "json");
const { operations } = readContract(JSON.parse(readFileSync(input, "utf8")));
const depositLookup = "getCryptoDepositDetails";

const folder = temporaryFolder();

function filesIn(name: string): string[] {
  const paths = readdirSync(join(folder, name), { recursive: true, encoding: "utf8" });
  return paths.filter((path) => path.endsWith(".ts")).map((path) => join(folder, name, path));
}

const textIn = (name: string) =>
  filesIn(name)
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");

interface Generator {
  generate(): Promise<string>;
  declarationOf(operationId: string): string;
  /** The start of the declaration below the comment of the deposit lookup; undefined if the generator writes no comments. */
  commentedDeclaration: string | undefined;
}

const generators: Record<string, Generator> = {
  "hey-api": {
    generate: async () => {
      await generateWithHeyApi(input, join(folder, "hey-api"));
      return textIn("hey-api");
    },
    declarationOf: (operationId) => `export const ${operationId} =`,
    commentedDeclaration: `export const ${depositLookup} `,
  },
  kubb: {
    generate: async () => {
      await generateWithKubb(input, join(folder, "kubb"));
      return textIn("kubb");
    },
    declarationOf: (operationId) => `export async function ${operationId}(`,
    commentedDeclaration: `export async function ${depositLookup}(`,
  },
  oazapfts: {
    generate: () => generateSource(input),
    declarationOf: (operationId) => `export function ${operationId}(`,
    commentedDeclaration: `export function ${depositLookup}(`,
  },
  "openapi-zod-client": {
    generate: async () => {
      const output = join(folder, "zod.ts");
      const program = `${projectRoot}/test/peers/node_modules/.bin/openapi-zod-client`;
      const { exitCode, stderr } = await x(program, [input, "--output", output, "--with-alias", "--with-deprecated"]);
      expect(exitCode, stderr).toBe(0);
      return readFileSync(output, "utf8");
    },
    declarationOf: (operationId) => `alias: "${operationId}"`,
    commentedDeclaration: undefined,
  },
  orval: {
    generate: async () => {
      await generateWithOrval(input, join(folder, "orval"));
      return textIn("orval");
    },
    declarationOf: (operationId) => `export const ${operationId} =`,
    // orval writes the comment above the type of the response instead of the function.
    commentedDeclaration: `export type ${depositLookup}Response200 `,
  },
  "swagger-typescript-api": {
    generate: async () => {
      await generateWithSwaggerTypescriptApi(input, join(folder, "swagger-typescript-api"));
      return textIn("swagger-typescript-api");
    },
    declarationOf: (operationId) => ` ${operationId}: (`,
    commentedDeclaration: `${depositLookup}: (`,
  },
};

describe.each(Object.entries(generators))("%s", (_, { generate, declarationOf, commentedDeclaration }) => {
  let generatedText: string;
  beforeAll(async () => {
    generatedText = await generate();
  }, 60_000);

  it("has every operation", () => {
    const missingOperations = operations.filter(
      ({ operationId }) => !generatedText.includes(declarationOf(operationId)),
    );
    expect(missingOperations.map(({ operationId }) => operationId)).toEqual([]);
  });

  if (commentedDeclaration === undefined) return;
  // The generators ignore the `servers` of an operation, so only the comment can name its address.
  it("names the second address in the comment of the deposit lookup", () => {
    const comments = [...generatedText.matchAll(/\/\*\*[\s\S]*?\*\/\s*(.*)/g)];
    const foundComments = comments
      .filter(([, next = ""]) => next.startsWith(commentedDeclaration))
      .map(([comment]) => comment);
    expect(foundComments).toEqual([expect.stringContaining("deposit_base_url")]);
  });
});

it("orval and kubb generate TypeScript that compiles in strict mode", async () => {
  expect(await problemsOf(["orval", "kubb"].flatMap(filesIn))).toEqual([]);
});
