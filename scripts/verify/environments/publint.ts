/** publint: whether the fields of package.json lead to what they promise. */
import { run } from "../run.ts";
import type { Environment } from "./environment.ts";

const version = "0.3.25";

export const publint: Environment = {
  name: "publint",
  packages: [`publint@${version}`],
  check: async ({ project, tarball, env }) => {
    await run(process.execPath, ["node_modules/publint/src/cli.js", "run", tarball, "--strict"], { cwd: project, env });
    return `publint ${version} --strict has nothing to say`;
  },
};
