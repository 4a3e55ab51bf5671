/** The build beside the stock commands that make a part of the same: lint, bundles, types and a page of documentation. */
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { bundleFile, editions, projectRoot } from "../contract/index.ts";
import { run } from "../verify/processes.ts";
import { table } from "./figures.ts";

const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };

/** What the build reads. */
const inputs = [
  "openapi",
  "scripts",
  ".spectral.yaml",
  "CHANGELOG.md",
  "package-lock.json",
  "package.json",
  "redocly.yaml",
  "tsconfig.json",
];

/**
 * Times a full build, one of what has not changed, and the stock commands one after the other.
 *
 * @param folder absolute path of an empty folder.
 * @returns the table in Markdown.
 * @throws {UsageError} when a command fails.
 */
export async function measureBuild(folder: string): Promise<string> {
  const copy = join(folder, "project");
  for (const path of inputs) cpSync(join(projectRoot, path), join(copy, path), { recursive: true });
  // One by one, so that what the build keeps in node_modules/.cache is that of the copy.
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(projectRoot, "node_modules")).filter((name) => name !== ".cache")) {
    symlinkSync(join(projectRoot, "node_modules", name), join(copy, "node_modules", name));
  }
  const build = () => time([["node", "--import", "tsx", "scripts/commands/build.ts"]], copy);
  const tool = (name: string) => join(projectRoot, "node_modules/.bin", name);
  const config = ["--config", join(projectRoot, "redocly.yaml")];
  const stock = [
    [tool("redocly"), "lint", ...config],
    ...editions.flatMap((edition) => {
      const file = bundleFile(edition, "yaml");
      return [
        [tool("redocly"), "bundle", edition, "--output", join(folder, `${edition}.yaml`), ...config],
        [tool("openapi-typescript"), file, "--output", join(folder, `${edition}.d.ts`)],
        [tool("redocly"), "build-docs", file, "--output", join(folder, `${edition}.html`)],
      ];
    }),
    [tool("spectral"), "lint", bundleFile("test", "yaml"), "--ruleset", join(projectRoot, ".spectral.yaml")],
  ];
  const times = { "npm run build, all of it": await build(), "npm run build, nothing has changed": await build() };
  // Not in the repository: openapi-typescript would read its redocly.yaml.
  const ofStock = await time(stock, folder);
  return table([
    ["Command", "seconds", "ratio"],
    ...Object.entries({ ...times, "stock commands, one after the other": ofStock }).map(([name, seconds]) => [
      name,
      seconds.toFixed(1),
      (seconds / ofStock).toFixed(2),
    ]),
  ]);
}

/** Runs commands one after the other, and returns the seconds. */
async function time(commands: readonly (readonly string[])[], cwd: string): Promise<number> {
  const startedAt = performance.now();
  for (const [program = "", ...args] of commands) await run(program, args, { cwd, env });
  return (performance.now() - startedAt) / 1000;
}
