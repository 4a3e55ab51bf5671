import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { Command } from "../support/command.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lint-"));
  cpSync(`${projectRoot}/test/lint/clean`, `${folder}/openapi`, { recursive: true });
  const file = `${folder}/openapi/openapi.yaml`;
  const { version } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8"));
  writeFileSync(file, readFileSync(file, "utf8").replace(/^ {2}version: .*$/m, `  version: ${version}`));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("npm run lint", () => {
  it("reports that the contract has no errors, and exits with 0", async () => {
    const { code, output } = await lint(["openapi/openapi.yaml"], folder);
    expect(output).toMatch(
      /^openapi\/openapi\.yaml:5:1 {2}warn {2}info-description {2}.+\n0 errors, 1 warning; \d+ files, \d+ checks in \d+\.\d s\.\n$/,
    );
    expect(code).toBe(0);
  });

  it("reports a mistake with file and line, and exits with 1", async () => {
    const file = "openapi/paths/loan/createLoan.yaml";
    const textBefore = readFileSync(`${folder}/${file}`, "utf8");
    writeFileSync(`${folder}/${file}`, textBefore.replace("summary: Create Loan", 'summary: ""'));
    const { code, output } = await lint(["./openapi/openapi.yaml"], folder);
    writeFileSync(`${folder}/${file}`, textBefore);
    const line = textBefore.slice(0, textBefore.indexOf("summary: Create Loan")).split("\n").length;
    const lines = output.trimEnd().split("\n");
    expect(lines[0]).toMatch(new RegExp(`^${file}:${line}:\\d+  error  operation-summary  .+ Remedy: .+\\.$`));
    expect(lines.at(-1)).toMatch(/^1 error, \d warnings?; \d+ files, \d+ checks in \d+\.\d s\.$/);
    expect(code).toBe(1);
  });

  it("reports what the OpenAPI 3.0 form cannot express", async () => {
    const file = "openapi/schemas/Loan.yaml";
    const textBefore = readFileSync(`${folder}/${file}`, "utf8");
    writeFileSync(`${folder}/${file}`, `${textBefore}  nothing:\n    type: "null"\n`);
    const { code, output } = await lint(["openapi/openapi.yaml"], folder);
    writeFileSync(`${folder}/${file}`, textBefore);
    const line = textBefore.split("\n").length;
    const problem = "The schema can be null only, which the OpenAPI 3.0 form cannot express.";
    expect(output).toContain(`${file}:${line}:3  error  openapi-3.0-form  ${problem} Remedy: Allow another value.`);
    expect(code).toBe(1);
  });

  it.each([
    { args: ["nowhere.yaml"], message: /^There is no file .*nowhere\.yaml\.\n$/, code: 1 },
    { args: ["--explian"], message: /^There is no option --explian\. Did you mean --explain\? See .*\n$/, code: 2 },
  ])("refuses $args in one line", async ({ args, message, ...expected }) => {
    const { code, output } = await lint(args, projectRoot);
    expect(output).toMatch(message);
    expect(code).toBe(expected.code);
  });
});

async function lint(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const script = `${projectRoot}/scripts/cli/npm/lint.ts`;
  // The path of tsx is absolute, because the command runs in another folder.
  const command = new Command(process.execPath, ["--import", import.meta.resolve("tsx"), script, ...args], cwd);
  return { code: await command.exitCode, output: command.output };
}
