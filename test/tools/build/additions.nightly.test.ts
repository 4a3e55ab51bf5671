/** Adds an operation, a webhook, a P-code and a field to a copy of this repository, with the steps of .github/recipes.md. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import { runCommand } from "../../support/command.ts";
import { ProjectCopy } from "../../support/project-copy.ts";

const minutes = 60_000;
/** The test folders and files with tables of all operations, webhooks, P-codes or fields; `npm run lint` replaces test/lint. */
const suites = [
  "specification",
  "contract",
  "client/conformance",
  "site/questionnaire-rows",
  "mock/codes",
  "mock/plan",
  "mock/scenario",
  "mock/webhooks",
];

let copy: ProjectCopy;

beforeAll(() => {
  copy = new ProjectCopy("whole");
  const copiedPaths =
    "test generated .vscode vitest.config.ts .github biome.json README.md CONTRIBUTING.md LICENSE".split(" ");
  const isLeftOut = (path: string) =>
    /\/test\/(peers\/(?!languages(\/toolchains\.ts)?$)|consumer\/)|\/generated\/docs(\/|$)/.test(path);
  for (const path of copiedPaths) {
    cpSync(join(projectRoot, path), join(copy.folder, path), {
      recursive: true,
      filter: (sourcePath) => !isLeftOut(sourcePath),
    });
  }
});
afterAll(() => copy.remove());

function addFileLike(
  neighbour: string,
  path: string,
  ...changes: [pattern: string | RegExp, replacement: string][]
): void {
  copy.write(
    path,
    changes.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), copy.read(neighbour)),
  );
}

function insert(path: string, followingText: string, lines: string): void {
  copy.edit(path, followingText, lines + followingText);
}

async function expectSuccess(program: string, ...args: string[]): Promise<string> {
  const { code, output } = await runCommand(program, args, copy.folder);
  expect(code, `${(output.match(/^.*(FAIL|Error: ).*$/gm) ?? []).join("\n")}\n${output.slice(-12_000)}`).toBe(0);
  return output;
}

describe("adding by the steps of the guide", () => {
  it("an operation, in three files", () => {
    addFileLike(
      "openapi/paths/sepa/listSepaDepositContacts.yaml",
      "openapi/paths/sepa/listSepaMandates.yaml",
      ["listSepaDepositContacts", "listSepaMandates"],
      ["Deposit Contact List", "Mandate List"],
      ["SEPA deposit contacts", "SEPA mandates"],
    );
    insert(
      "openapi/openapi.yaml",
      "  /v1/sepa-deposit/contacts/{externalUserId}:\n",
      "  /v1/sepa-mandates/{externalUserId}:\n    $ref: paths/sepa/listSepaMandates.yaml\n",
    );
    insert(
      "openapi/scenario.yaml",
      "  - { webhook: sepaTransfer, example: failedWithError",
      ["own", "none"]
        .map(
          (example) => `  - { operation: listSepaMandates, example: ${example}, reason: Nothing changes mandates. }\n`,
        )
        .join(""),
    );
  });

  it("a webhook for a resource that already has one", () => {
    addFileLike(
      "openapi/webhooks/sepaDeposit.yaml",
      "openapi/webhooks/sepaDepositReview.yaml",
      ["summary: SEPA Deposit\n", "summary: SEPA Deposit Review\n"],
      ["/sepa-deposit-webhook", "/sepa-deposit-review-webhook"],
    );
    insert(
      "openapi/openapi.yaml",
      "  cryptoWithdrawal:\n    $ref: webhooks",
      "  sepaDepositReview:\n    $ref: webhooks/sepaDepositReview.yaml\n",
    );
    insert(
      "test/specification/surface.ts",
      '  ["cryptoWithdrawal", "Crypto',
      '  ["sepaDepositReview", "SEPA Deposit Review", "P"],\n',
    );
    insert(
      "openapi/scenario.yaml",
      "  - { webhook: sepaTransfer, example: failedWithError",
      ["inProgress", "successful", "partner", "unsuccessful"]
        .map((example) => `  - { webhook: sepaDepositReview, example: ${example}, reason: The same as sepaDeposit. }\n`)
        .join(""),
    );
  });

  it("a P-code", () => {
    const neighbour = /^P411:\n(?: .*\n)+/m.exec(copy.read("openapi/errors.yaml"))?.[0] ?? "";
    const entry = neighbour
      .replaceAll("P411", "P498")
      .replaceAll("User exists", "Moon is full")
      .replace("x-provenance: specification", "x-provenance: proposed");
    insert("openapi/errors.yaml", "P500:\n", `${entry}\n`);
    const line = "              - $ref: ../../errors.yaml#/P500\n";
    insert("openapi/paths/exchange/createExchangeRateLock.yaml", line, line.replace("P500", "P498"));
  });

  it("a field", () => {
    insert(
      "openapi/schemas/card.yaml",
      "    cardLastDigits:\n",
      "    nickname:\n      type: string\n      description: A name for the card.\n      x-provenance: proposed\n",
    );
    insert("openapi/extensions.yaml", "externalUserId, sourceExternalUserId", "nickname, ");
  });
});

describe("the project with the additions", () => {
  it("writes the derived parts of the guides", () => expectSuccess("npm", "run", "guides"), minutes);
  it(
    "passes lint",
    async () => expect(await expectSuccess("npm", "run", "lint")).toContain("\n0 errors, 0 warnings; "),
    3 * minutes,
  );
  it(
    "builds, without linting the same files again",
    async () => {
      const output = await expectSuccess("npm", "run", "build");
      expect(output).toMatch(/^✓ docs /m);
      expect(output).not.toMatch(/^✓ lint /m);
    },
    5 * minutes,
  );
  it(
    "has new facts of the contract",
    () => expectSuccess("npx", "vitest", "run", "test/contract/facts.test.ts", "-u"),
    minutes,
  );
  it("compiles", () => expectSuccess("node", "node_modules/typescript7/bin/tsc", "--noEmit"), 5 * minutes);
  it(
    "passes the tests",
    () => expectSuccess(...["npx", "vitest", "run", "--project", "fast"], ...suites.map((name) => `test/${name}`)),
    20 * minutes,
  );
});

it("has documents, client and site that name them", () => {
  expect(copy.read("generated/test/openapi.yaml")).toMatch(/listSepaMandates.*sepaDepositReview.*P498/s);
  expect(copy.read("generated/client/error-texts.ts")).toContain('P498: { meaning: "Moon is full"');
  expect(copy.read("generated/client/operations.ts")).toContain("- 400 `P498`: Moon is full.");
  expect(copy.read("generated/client/types.ts")).toMatch(/listSepaMandates: \{/);
  expect(copy.read("generated/docs/errors/P498.html")).toMatch(/Moon is full.*createExchangeRateLock/s);
  expect(copy.read("generated/docs/operations/listSepaMandates.html")).toContain("Mandate List");
});
