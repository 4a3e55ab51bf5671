/** The build beside the stock commands that make a part of the same: lint, bundles, types and a page of documentation. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { bundleFile, editions, projectRoot } from "../contract/index.ts";
import { run } from "../verify/processes.ts";
import { copyProject } from "../verify/reproducible.ts";
import { type Section, table } from "./figures.ts";

/**
 * Times a full build, one of what has not changed, and the stock commands one after the other.
 *
 * @param folder absolute path of an empty folder.
 * @throws {UsageError} when a command fails.
 */
export async function measureBuild(folder: string): Promise<Section> {
  const copy = join(folder, "project");
  copyProject(copy);
  cpSync(join(projectRoot, "openapi"), join(copy, "openapi"), { recursive: true });
  const config = ["--config", join(projectRoot, "redocly.yaml")];
  const stock = [
    ["redocly", "lint", ...config],
    ...editions.flatMap((edition) => {
      const file = bundleFile(edition, "yaml");
      return [
        ["redocly", "bundle", edition, "--output", join(folder, `${edition}.yaml`), ...config],
        ["openapi-typescript", file, "--output", join(folder, `${edition}.d.ts`)],
        ["redocly", "build-docs", file, "--output", join(folder, `${edition}.html`)],
      ];
    }),
    ["spectral", "lint", bundleFile("test", "yaml"), "--ruleset", join(projectRoot, ".spectral.yaml")],
  ].map(([tool = "", ...args]) => [join(projectRoot, "node_modules/.bin", tool), ...args]);
  const times = {
    "npm run build, all of it": await time([["npm", "run", "build"]], copy),
    "npm run build, nothing has changed": await time([["npm", "run", "build"]], copy),
    // Not in the repository: openapi-typescript would read its redocly.yaml.
    "stock commands, one after the other": await time(stock, folder),
  };
  const ofStock = times["stock commands, one after the other"];
  const rows = Object.entries(times).map(([name, seconds]) => {
    return [name, seconds.toFixed(1), (seconds / ofStock).toFixed(2)];
  });
  return { report: table([["Command", "seconds", "ratio"], ...rows]) };
}

/** Runs commands one after the other, and returns the seconds. */
async function time(commands: readonly (readonly string[])[], cwd: string): Promise<number> {
  const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };
  const startedAt = performance.now();
  for (const [program = "", ...args] of commands) await run(program, args, { cwd, env });
  return (performance.now() - startedAt) / 1000;
}
