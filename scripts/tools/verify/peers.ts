import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot, UsageError } from "../../base/index.ts";
import { run } from "../processes/index.ts";

export const peersFolder = join(projectRoot, "test/peers");

/** Does nothing if the installed packages match the lock file. */
export async function installPeers(): Promise<void> {
  if (areInstalled()) return;
  console.log("Installing test/peers, once: npm ci --prefix test/peers");
  try {
    await run("npm", ["ci", "--prefix", peersFolder], { cwd: projectRoot, limitMs: 10 * 60_000 });
  } catch (error) {
    throw new UsageError(
      `The packages of test/peers are not there. Install them with "npm ci --prefix test/peers", which needs the npm registry.\n${(error as Error).message}`,
    );
  }
}

function areInstalled(): boolean {
  // npm lists the installed packages in node_modules/.package-lock.json.
  const [lockedPackages, installedPackages] = ["package-lock.json", "node_modules/.package-lock.json"].map((name) => {
    const file = join(peersFolder, name);
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Lock).packages : undefined;
  });
  if (lockedPackages === undefined || installedPackages === undefined) return false;
  const requiredPackages = Object.entries(lockedPackages).filter(
    ([path, { optional }]) => path !== "" && optional !== true,
  );
  return requiredPackages.every(([path, { version }]) => installedPackages[path]?.version === version);
}

interface Lock {
  packages: Record<string, { version?: string; optional?: boolean }>;
}
