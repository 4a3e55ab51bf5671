/** A copy of this repository in a temporary folder. Its packages are links to those of this repository, except node_modules/.cache. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../scripts/base/index.ts";
import { copyProject } from "../../scripts/tools/verify/reproducible.ts";

const smallContract = join(projectRoot, "test/lint/clean");

/** Files for the small contract. The files of this repository refer to operations and questions that the small contract lacks. */
const filesForSmallContract = {
  "openapi/guides/guides.yaml": "- group: Guides\n  guides: [how-to-call]\n",
  "openapi/sources.yaml": "[]\n",
  // The control interface of this repository lacks the assumptions of the small contract, so no answer can be run.
  "openapi/answers.yaml":
    "Q-loan-period:\n  A number of days: { cannot: It is unknown. }\n  Until the end of the term: { cannot: It is unknown. }\n",
  "openapi/guides/synonyms.yaml": "words: []\nabbreviations: {}\nnotes: []\npages: {}\n",
  "openapi/guides/how-to-call.md":
    "---\ntitle: Lending\nsummary: How to lend.\n---\n\nSee [the call](../paths/loan/createLoan.yaml).\n",
};

export class ProjectCopy {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "project-copy-")));

  constructor(contract: "small" | "whole" = "small") {
    copyProject(this.folder);
    cpSync(join(projectRoot, "openapi"), join(this.folder, "openapi"), {
      recursive: true,
      // The control interface of the mock fits the small contract too, because it does not depend on operations.
      filter: (path) => contract === "whole" || /mock-control\.yaml$|(?<!\.yaml|\.md)$/.test(path),
    });
    if (contract === "small") {
      const filter = (path: string) => !path.endsWith("mock-control.yaml");
      cpSync(smallContract, join(this.folder, "openapi"), { recursive: true, filter });
      const [invalidRequests = ""] = this.read("openapi/mock.yaml").split("\n\n");
      const wholeMockFile = readFileSync(join(projectRoot, "openapi/mock.yaml"), "utf8");
      const requiredSections = ["users", "webhooks", "refused", "effects", "repeats", "successes", "shapes"].map(
        (name) =>
          (new RegExp(`^${name}:\\n(?: .*\\n)+`, "m").exec(wholeMockFile)?.[0] ?? "").replace(
            /^ {2}(questions|responses): .*\n/gm,
            "",
          ),
      );
      // The site and every call of the mock need these keys.
      this.write(
        "openapi/mock.yaml",
        `${invalidRequests}\ncountries: { outcomes: {} }\ncurrencies: { list: {} }\ndelays: {}\n${requiredSections.join("\n")}`,
      );
      for (const [path, text] of Object.entries(filesForSmallContract)) this.write(path, text);
      const [, version = ""] = /^ {2}version: (.*)$/m.exec(this.read("openapi/openapi.yaml")) ?? [];
      const packageFile = JSON.parse(this.read("package.json")) as object;
      this.write("package.json", JSON.stringify({ ...packageFile, version }));
    }
  }

  /**
   * Replaces the command `redocly` by one that copies the document, which saves processor time in each build. The tests of the stock commands
   * use the real command.
   */
  replaceRedocly(): void {
    const scope = join(this.folder, "node_modules/@redocly");
    const realScope = realpathSync(scope);
    rmSync(scope);
    this.createFolder("node_modules/@redocly/cli/bin");
    for (const name of readdirSync(realScope).filter((name) => name !== "cli"))
      symlinkSync(join(realScope, name), join(scope, name));
    this.write("node_modules/@redocly/cli/package.json", "{}");
    this.write(
      "node_modules/@redocly/cli/bin/cli.js",
      `const [from, to] = [process.argv[3], process.argv.at(-1)];
const { copyFileSync, mkdirSync } = require("node:fs");
mkdirSync(require("node:path").dirname(to), { recursive: true });
copyFileSync(from, to);
`,
    );
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
  }

  createFolder(path: string): void {
    mkdirSync(join(this.folder, path), { recursive: true });
  }

  delete(path: string): void {
    rmSync(join(this.folder, path));
  }

  /** @returns the line number of the text, from 1. @throws {Error} if the text does not occur exactly once. */
  edit(path: string, searchText: string, replacement: string): number {
    const [textBefore = "", ...textsAfter] = this.read(path).split(searchText);
    if (textsAfter.length !== 1)
      throw new Error(`"${searchText}" occurs ${textsAfter.length} times in ${path}, not once.`);
    this.write(path, textBefore + replacement + textsAfter[0]);
    return textBefore.split("\n").length;
  }

  fileStatesBelow(folder: string): string[] {
    return readdirSync(join(this.folder, folder), { recursive: true, encoding: "utf8" })
      .sort()
      .map((path) => {
        const { ino, mtimeMs } = statSync(join(this.folder, folder, path));
        return `${folder}/${path} ${ino} ${mtimeMs}`;
      });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
