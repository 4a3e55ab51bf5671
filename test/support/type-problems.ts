import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/base/index.ts";

export interface TypeProblem {
  module: string;
  /** Zero-based. */
  line: number;
  message: string;
}

/**
 * Uses `typescript7`, which needs a fraction of the time of the compiler that is written in JavaScript.
 *
 * @param modules the texts by file name.
 * @param extraOptions `compilerOptions` of a tsconfig.json.
 */
export function typeProblems(modules: ReadonlyMap<string, string>, extraOptions: object = {}): TypeProblem[] {
  // The folder is in the repository, so that packages and types are found.
  const cache = `${projectRoot}/node_modules/.cache`;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "types-"));
  try {
    for (const [name, text] of modules) writeFileSync(join(folder, name), text);
    const settings = {
      extends: `${projectRoot}/tsconfig.json`,
      compilerOptions: { ...extraOptions, typeRoots: [`${projectRoot}/node_modules/@types`] },
      files: [...modules.keys()],
      include: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    const compiler = `${projectRoot}/node_modules/typescript7/bin/tsc`;
    const args = [compiler, "--project", folder, "--pretty", "false"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    const problems = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error TS\d+: (.*(?:\n {2}.*)*)$/gm)].map(
      ([, module = "", line, message = ""]) => ({ module, line: Number(line) - 1, message }),
    );
    if ((status === 0) !== (problems.length === 0)) throw new Error(`The compiler has failed:\n${stdout}${stderr}`);
    return problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
