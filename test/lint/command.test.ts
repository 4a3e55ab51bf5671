/** `npm run lint` as a person meets it. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/project.ts";

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

/** Five mistakes that are easily made. The first two leave no document to judge, so each of them is told alone. */
const mistakes: { name: string; made: Mistake[] }[] = [
  {
    name: "a property that is indented wrongly",
    made: [
      {
        file: "schemas/card/CardSummary.yaml",
        find: "  label:\n",
        put: " label:\n",
        at: " label:",
        says: "yaml-syntax  This is no YAML: bad indentation of a mapping entry.",
      },
    ],
  },
  {
    name: "a reference to a file that there is not",
    made: [
      {
        file: "paths/user/createUserAccount.yaml",
        find: "$ref: ../../schemas/user/User.yaml",
        put: "$ref: ../../schemas/user/Users.yaml",
        at: "$ref: ../../schemas/user/Users.yaml",
        says: "no-unresolved-refs  `$ref: ../../schemas/user/Users.yaml` points to nothing: there is no file openapi/schemas/user/Users.yaml.",
      },
    ],
  },
  {
    name: "a code that is not mapped, a misspelt field and a misspelt x- key",
    made: [
      {
        file: "paths/user/createUserAccount.yaml",
        find: "                P411: ../../errors/P411.yaml\n",
        put: "",
        at: "mapping:",
        says: "code-mapping  P411 is missing in the mapping.",
      },
      {
        file: "paths/order/createOrderRateLock.yaml",
        find: 'amount: "250.00"',
        put: 'amounts: "250.00"',
        at: "value:",
        says: 'examples-valid  The example "bitcoin" does not fit its schema: amount is missing.',
      },
      {
        file: "paths/card/listUserCards.yaml",
        find: "x-provenance:",
        put: "x-provenence:",
        at: "x-provenence:",
        says: "extension-known  x-provenence is no known key.",
      },
    ],
  },
];

describe("npm run lint", () => {
  it.each(mistakes)("tells $name, with file and line, and ends with 1", async ({ made }) => {
    const copy = mkdtempSync(join(folder, "copy-"));
    cpSync(`${projectRoot}/openapi`, `${copy}/openapi`, { recursive: true });
    const lines = made.map((mistake) => makeMistake(`${copy}/openapi`, mistake));

    const { code, output } = await lint(["openapi/openapi.yaml"], copy);
    for (const [index, { file, says }] of made.entries()) {
      const found = output.split("\n").find((line) => line.includes(says));
      expect(found).toMatch(new RegExp(`^openapi/${file}:${lines[index]}:\\d+  error  .+ Remedy: .+\\.$`));
    }
    expect(output).toMatch(/\n\d+ problems?; \d+ files, \d+ checks in \d+\.\d s\.\n$/);
    expect(code).toBe(1);
  });

  it("says that the contract has no problems, and ends with 0", async () => {
    const { code, output } = await lint([], projectRoot);
    expect(output).toMatch(/^No problems; \d+ files, \d+ checks in \d+\.\d s\.\n$/);
    expect(code).toBe(0);
  });

  it.each([
    { args: ["nowhere.yaml"], says: "There is no file nowhere.yaml.\n" },
    { args: ["one.yaml", "two.yaml"], says: "Name one file: the root document of the contract.\n" },
    { args: ["--fix"], says: /^Unknown option '--fix'.*\n$/ },
  ])("refuses $args with one line", async ({ args, says }) => {
    const { code, output } = await lint(args, projectRoot);
    expect(output).toMatch(says);
    expect(output.split("\n")).toHaveLength(2);
    expect(code).toBe(1);
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
function lint(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const command = spawn(`${projectRoot}/node_modules/.bin/tsx`, [`${projectRoot}/scripts/lint/lint.ts`, ...args], {
    cwd,
  });
  let output = "";
  command.stdout.on("data", (chunk) => {
    output += chunk;
  });
  command.stderr.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((done) => command.on("close", (code) => done({ code, output })));
}
