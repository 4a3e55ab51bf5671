/** `npm run lint` as a person meets it. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";
import { formatFindings, lintContract } from "../../scripts/lint/index.ts";
import { Sources } from "../../scripts/sources/index.ts";

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

/** Five mistakes that are easily made. The first two leave no document to judge, so each of them is reported alone. */
const mistakes: { name: string; made: Mistake[] }[] = [
  {
    name: "a property that is indented wrongly",
    made: [
      {
        file: "schemas/user.yaml",
        find: "    poaRequiredForExtended:\n",
        put: "   poaRequiredForExtended:\n",
        at: "   poaRequiredForExtended:",
        says: "yaml-syntax  This is no YAML: bad indentation of a mapping entry.",
      },
    ],
  },
  {
    name: "a reference to a file that does not exist",
    made: [
      {
        file: "paths/user/createUserAccount.yaml",
        find: "$ref: ../../schemas/user.yaml#/User\n",
        put: "$ref: ../../schemas/users.yaml#/User\n",
        at: "$ref: ../../schemas/users.yaml#/User",
        says: "no-unresolved-refs  `$ref: ../../schemas/users.yaml#/User` points to nothing: there is no file",
      },
    ],
  },
  {
    name: "a path that another webhook has, a misspelt field and a misspelt x- key",
    made: [
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
    ],
  },
];

describe("npm run lint", () => {
  it.each(mistakes.slice(0, 2))("reports $name, with file and line, and nothing else", async ({ made }) => {
    const { copy, expected } = makeMistakes(made);
    // Within this process, since starting another one takes longer than the lint itself.
    const { findings } = await lintContract({ sources: new Sources(`${copy}/openapi/openapi.yaml`) });
    const lines = formatFindings(findings, { folder: copy }).split("\n");
    expect(lines).toEqual(expected.map((line) => expect.stringMatching(line)));
  });

  it.each(mistakes.slice(2))("reports $name, each with file and line, and ends with 1", async ({ made }) => {
    const { copy, expected } = makeMistakes(made);
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
    { args: ["nowhere.yaml"], says: /^There is no file .*nowhere\.yaml\.\n$/ },
    { args: ["--fix"], says: /^error: unknown option '--fix'\n$/ },
  ])("refuses $args with one line", async ({ args, says }) => {
    const { code, output } = await lint(args, projectRoot);
    expect(output).toMatch(says);
    expect(code).toBe(1);
  });
});

/** A copy of the contract with the mistakes in it, and the lines that lint has to print. */
function makeMistakes(made: Mistake[]): { copy: string; expected: RegExp[] } {
  const copy = mkdtempSync(join(folder, "copy-"));
  cpSync(`${projectRoot}/openapi`, `${copy}/openapi`, { recursive: true });
  const expected = made.map((mistake) => {
    const line = makeMistake(`${copy}/openapi`, mistake);
    const says = mistake.says.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`^openapi/${mistake.file}:${line}:\\d+  error  ${says} .*Remedy: .+\\.$`);
  });
  return { copy, expected };
}

/** Changes the file, and returns the number of the line that a finding has to name. */
function makeMistake(contract: string, { file, find, put, at }: Mistake): number {
  const before = readFileSync(`${contract}/${file}`, "utf8");
  const after = before.replace(find, () => put);
  expect(after).not.toBe(before);
  writeFileSync(`${contract}/${file}`, after);
  return after.slice(0, after.indexOf(at)).split("\n").length;
}

/** Everything that the command prints, and its exit code. */
function lint(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const script = `${projectRoot}/scripts/commands/lint.ts`;
  // From another folder, tsx is found by its full name only.
  const loader = import.meta.resolve("tsx");
  const command = spawn(process.execPath, ["--import", loader, script, ...args], { cwd });
  let output = "";
  command.stdout.on("data", (chunk) => {
    output += chunk;
  });
  command.stderr.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((done) => command.on("close", (code) => done({ code, output })));
}
