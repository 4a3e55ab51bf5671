import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { safeBuild } from "@kubb/core";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it, type MockInstance, vi } from "vitest";
import { bundleFile, type Operation, readContract } from "../../../scripts/contract/model/index.ts";

let folder: string;
let orval: typeof import("orval").generate;
let printed: MockInstance<typeof console.log>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "generators-"));
  // orval stores console.log when it is loaded, so console.log is replaced before.
  printed = vi.spyOn(console, "log").mockImplementation(() => {});
  ({ generate: orval } = await import("orval"));
});
afterAll(() => {
  printed.mockRestore();
  rmSync(folder, { recursive: true, force: true });
});

const fileOf = (generator: string) => join(folder, generator, "generated.ts");

// The bundle `latest` is a subset of `test` (test/contract/bundle/edition.test.ts).
describe("the bundle test", () => {
  const input = bundleFile("test", "json");
  const { operations } = readContract(JSON.parse(readFileSync(input, "utf8")));

  it("gives orval a function for every operation, without a warning", async () => {
    await orval({ input: { target: input }, output: { target: fileOf("orval"), client: "fetch" } });
    expect(printed.mock.calls.flat().filter((line) => String(line).includes("⚠"))).toEqual([]);
    const text = readFileSync(fileOf("orval"), "utf8");
    expect(without(operations, ({ operationId }) => text.includes(`export const ${operationId} =`))).toEqual([]);
  });

  it("gives kubb a type for the response of every operation", async () => {
    const { error, failedPlugins } = await safeBuild({
      config: {
        // With another root, kubb would write into the working directory.
        root: process.cwd(),
        input: { path: input },
        output: { path: join(folder, "kubb"), barrelType: false },
        plugins: [pluginOas({ generators: [] }), pluginTs({ output: { path: "generated.ts", barrelType: false } })],
      },
    });
    expect([error, ...failedPlugins]).toEqual([undefined]);
    const text = readFileSync(fileOf("kubb"), "utf8");
    const typed = ({ operationId }: Operation) =>
      new RegExp(`^export type ${operationId}(Query|Mutation)Response =`, "im").test(text);
    expect(without(operations, typed)).toEqual([]);
  });
});

it("is TypeScript that compiles in strict mode", () => {
  const files = ["orval", "kubb"].map(fileOf);
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  expect(program.getSourceFiles().filter(({ fileName }) => files.includes(fileName))).toHaveLength(files.length);
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName.slice(folder.length)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(problems).toEqual([]);
});

function without(operations: Operation[], condition: (operation: Operation) => boolean): string[] {
  return operations.filter((operation) => !condition(operation)).map(({ operationId }) => operationId);
}
