import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot, stepStateOf } from "../../scripts/base/index.ts";
import { steps } from "../../scripts/tools/build/build.ts";
import { distFolder, programPath } from "../../scripts/tools/packaging/index.ts";
import { Command } from "./command.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const sourceEntry =
  'import { runProgram } from "./scripts/cli/package/program.ts"; await runProgram(process.argv.slice(1));';

/** The file of the last build starts several times faster than the sources. Cannot be called within a test. */
export function packageCommand(): readonly string[] {
  if (!stepStateOf(steps.dist).isUpToDate) return ["--import", "tsx", "--input-type=module", "--eval", sourceEntry];
  // A link like that of an installed package, because the texts of the command name the way in which it was started.
  const link = join(temporaryFolder(), "node_modules/.bin/partner-wallet-api");
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(distFolder, programPath), link);
  return [link];
}

export function startPackageCommand(command: readonly string[], ...args: readonly string[]): Command {
  return new Command(process.execPath, [...command, ...args], projectRoot);
}
