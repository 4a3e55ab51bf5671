/** Copies of a folder of `scripts/` with one defect each, to show that a check notices the defect. */
import { AssertionError } from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";

/** A defect: what goes wrong, the file, a text of it that occurs once, and what stands in its place in the copy. */
export type Defect = [name: string, file: string, find: string, put: string];

/** Imports a file of the folder or of a copy. What the folder imports from other folders is shared. */
export type Load = <Module>(file: string) => Promise<Module>;

export class Mutants {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "mutants-")));
  readonly #folder: string;
  #count = 0;

  /** @param folder below the repository, such as `scripts/mock`. */
  constructor(folder: string) {
    this.#folder = folder;
    symlinkSync(join(projectRoot, "node_modules"), join(this.#root, "node_modules"));
  }

  /**
   * Makes a copy of the folder with a defect.
   *
   * @throws {Error} when the text of the defect does not occur exactly once.
   */
  make([, path, find, put]: Defect): Load {
    this.#count += 1;
    const project = join(this.#root, String(this.#count));
    const copy = join(project, this.#folder);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(join(projectRoot, this.#folder), copy, { recursive: true });
    for (const name of readdirSync(join(projectRoot, "scripts"))) {
      const isCopied = join("scripts", name) === this.#folder || this.#folder.startsWith(`scripts/${name}/`);
      if (!isCopied) symlinkSync(join(projectRoot, "scripts", name), join(project, "scripts", name));
    }
    const file = join(copy, path);
    const parts = readFileSync(file, "utf8").split(find);
    if (parts.length !== 2) {
      throw new Error(`"${find}" occurs ${parts.length - 1} times in ${this.#folder}/${path}, not once.`);
    }
    writeFileSync(file, parts.join(put));
    return (name) => import(join(copy, name));
  }

  /** Imports a file of the folder itself. */
  readonly original: Load = (name) => import(join(projectRoot, this.#folder, name));

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/**
 * Declares the tests that a check passes for the folder itself, and fails for a copy with each of the defects.
 *
 * @param check throws an AssertionError of `node:assert` for what it notices.
 */
export function expectNoticed(mutants: Mutants, check: (load: Load) => Promise<void>, defects: Defect[]): void {
  it("holds", () => check(mutants.original));

  it.each(defects)("does not hold where %s", async (...defect) => {
    await expect(check(mutants.make(defect))).rejects.toThrow(AssertionError);
  });
}
