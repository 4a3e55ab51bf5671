/** `npm run lint` as a person meets it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";
import { Command } from "../support/command.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lint-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Mistake {
  file: string;
  find: string;
  put: string;
  /** What stands first in the line that the finding names. */
  at: string;
  says: string;
}

/** Mistakes that are easily made, in three files. */
const mistakes: Mistake[] = [
  {
    file: "webhooks/ibanStatus.yaml",
    find: "path: /iban-webhook",
    put: "path: /transfer-webhook",
    at: "path: /transfer-webhook",
    says: "contract/webhook-path  Webhook ibanStatus has the same path as the webhook p2pTransfer.",
  },
  {
    file: "paths/order/createOrderRateLock.yaml",
    find: 'amount: "250.00"',
    put: 'amounts: "250.00"',
    at: "value:",
    says: 'contract/examples-valid  The example "bitcoin" does not fit its schema: amount is missing.',
  },
  {
    file: "paths/card/listUserCards.yaml",
    find: "x-provenance:",
    put: "x-provenence:",
    at: "x-provenence:",
    says: "contract/extension-known  x-provenence is no known key.",
  },
];

describe("npm run lint", () => {
  it("reports a path that another webhook has, a misspelt field and a misspelt key with file and line, and ends with 1", async () => {
    const copy = mkdtempSync(join(folder, "copy-"));
    cpSync(`${projectRoot}/openapi`, `${copy}/openapi`, { recursive: true });
    const expected = mistakes.map((mistake) => {
      const says = mistake.says.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const line = makeMistake(`${copy}/openapi`, mistake);
      return new RegExp(`^openapi/${mistake.file}:${line}:\\d+  error  ${says} .*Remedy: .+\\.$`);
    });
    const { code, output } = await lint(["./openapi/openapi.yaml"], copy);
    const lines = output.trimEnd().split("\n");
    for (const line of expected) expect(lines).toContainEqual(expect.stringMatching(line));
    expect(lines.at(-1)).toMatch(/^\d+ errors?, 0 warnings; \d+ files, \d+ checks in \d+\.\d s\.$/);
    expect(code).toBe(1);
  });

  it("says that the contract has no errors, and ends with 0", async () => {
    const { code, output } = await lint([], projectRoot);
    expect(output).toMatch(/^0 errors, 0 warnings; \d+ files, \d+ checks in \d+\.\d s\.\n$/);
    expect(code).toBe(0);
  });

  it.each([
    { args: ["nowhere.yaml"], says: /^There is no file .*nowhere\.yaml\.\n$/, code: 1 },
    { args: ["--explian"], says: /^There is no option --explian\. Did you mean --explain\? See .*\n$/, code: 2 },
  ])("refuses $args with one line", async ({ args, says, ...expected }) => {
    const { code, output } = await lint(args, projectRoot);
    expect(output).toMatch(says);
    expect(code).toBe(expected.code);
  });
});

/** Changes the file, and returns the number of the line that a finding has to name. */
function makeMistake(contract: string, { file, find, put, at }: Mistake): number {
  const before = readFileSync(`${contract}/${file}`, "utf8");
  const after = before.replace(find, () => put);
  expect(after).not.toBe(before);
  writeFileSync(`${contract}/${file}`, after);
  return after.slice(0, after.indexOf(at)).split("\n").length;
}

/** Everything that the command prints, and its exit code. */
async function lint(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const script = `${projectRoot}/scripts/commands/lint.ts`;
  // From another folder, tsx is found by its full name only.
  const command = new Command(process.execPath, ["--import", import.meta.resolve("tsx"), script, ...args], cwd);
  return { code: await command.ended, output: command.output };
}
