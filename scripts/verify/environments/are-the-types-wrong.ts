/** Are the types wrong: whether every entry is found, with types that say what the JavaScript is. */
import { run } from "../run.ts";
import type { Environment } from "./environment.ts";

const version = "0.18.5";

/**
 * Resolution as of Node 10 knows no `exports`, and Node 10 cannot run the package either. It is left out with
 * `--profile node16`.
 */
const profile = "node16";

/**
 * Finding ES modules on `require` is meant: Node 20.19 and newer, which the package asks for, require them. The step `use`
 * does so.
 */
const ignoredRules = ["cjs-resolves-to-esm"];

/** YAML has no types. */
const notCode = ["openapi.yaml", "test/openapi.yaml"];

export const areTheTypesWrong: Environment = {
  name: "attw",
  packages: [`@arethetypeswrong/cli@${version}`],
  check: async ({ project, tarball, env }) => {
    const exceptions = ["--profile", profile, "--ignore-rules", ...ignoredRules, "--exclude-entrypoints", ...notCode];
    const cli = "node_modules/@arethetypeswrong/cli/dist/index.js";
    await run(process.execPath, [cli, tarball, "--format", "ascii", ...exceptions], { cwd: project, env });
    return `are-the-types-wrong ${version} finds nothing (profile ${profile}, without ${ignoredRules.join(", ")})`;
  },
};
