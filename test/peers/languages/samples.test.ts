/** Runs samples of operations in compiled languages: `test/site/samples.slow.test.ts` does not run these samples. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { mockAddresses } from "../../../scripts/site/samples/addresses.ts";
import { snippetLanguages } from "../../../scripts/site/samples/snippets.ts";
import { collectSamples } from "../../site/samples/collect.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { programFor, toolchains } from "./toolchains.ts";

let mock: Awaited<ReturnType<typeof startMock>>;
const folder = temporaryFolder();
beforeAll(async () => {
  mock = await startMock(await loadPlan(), { edition: "test", scenario: true });
});
afterAll(() => mock.close());

const commands = { java: ["java", "Sample.java"], go: ["go", "run", "sample.go"] } as const;
/** An operation with a JSON body, and an operation with files. */
const wantedOperations = ["createTransfer", "addKycFiles"];

it.for(Object.keys(commands) as (keyof typeof commands)[])(
  "%s samples run as they are shown",
  { timeout: 60_000 },
  async (language, context) => {
    const [program, ...args] = commands[language];
    const toolchain = toolchains[language];
    if (toolchain === undefined || programFor(toolchain) === undefined) {
      const missingToolchain = "The toolchain is not installed: run .ci/system-packages";
      expect(process.env.CI, missingToolchain).toBeUndefined();
      return context.skip(missingToolchain);
    }
    for (const operationId of wantedOperations) {
      const sample = collectSamples().find(
        (candidate) => candidate.operation.operationId === operationId && candidate.code === undefined,
      );
      if (sample === undefined) throw new Error(`There is no sample of ${operationId}.`);
      for (const file of sample.call.files ?? []) writeFileSync(join(folder, file.name), file.content);
      const code = snippetLanguages[language]?.(sample.call) ?? "";
      writeFileSync(join(folder, args.at(-1) as string), code.replaceAll(mockAddresses.base_url, mock.url));
      const { stdout } = await promisify(execFile)(program, args, { cwd: folder });
      expect(stdout).toMatch(new RegExp(`^${sample.response?.status}\\s`));
    }
  },
);
