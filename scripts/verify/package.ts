/** The package as a partner gets it: packed, installed in a project of its own, and used there. */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleContract } from "../build/bundle.ts";
import { projectRoot } from "../contract/project.ts";
import { UsageError } from "../contract/usage-error.ts";
import { startMock } from "../mock/mock.ts";
import { run } from "./run.ts";

/** What a tarball may hold. The toolchain is none of it. */
const published = [/^generated\/(latest|test)\//, /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/];

/**
 * Packs the package into a temporary folder.
 *
 * @returns the path of the tarball.
 * @throws {UsageError} when a file is in it that does not belong there.
 */
export async function packPackage(): Promise<{ result: string; summary: string }> {
  const folder = mkdtempSync(join(tmpdir(), "packed-"));
  const printed = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: projectRoot });
  const packed = Object.values(JSON.parse(printed) as Record<string, PackReport>)[0] as PackReport;
  const strangers = packed.files.map(({ path }) => path).filter((path) => !published.some((form) => form.test(path)));
  if (strangers.length > 0) throw new UsageError(`These files do not belong in the package:\n${strangers.join("\n")}`);
  return {
    result: join(folder, packed.filename),
    summary: `${packed.files.length} files, ${packed.size} bytes packed`,
  };
}

interface PackReport {
  filename: string;
  size: number;
  files: { path: string }[];
}

/**
 * Installs a tarball in a throw-away project, with the consumers of `test/consumer`.
 *
 * @returns the folder of the project.
 */
export async function installPackage(tarball: string): Promise<{ result: string; summary: string }> {
  const project = mkdtempSync(join(tmpdir(), "consumer-"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  cpSync(`${projectRoot}/test/consumer`, project, { recursive: true });
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", tarball], {
    cwd: project,
  });
  const installed = readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."));
  return { result: project, summary: `brings ${installed.join(", ")}` };
}

/** Removes a throw-away project. */
export function removePackage(project: string): void {
  rmSync(project, { recursive: true, force: true });
}

/** Uses the installed package against the mock: imported, required, and type-checked without `skipLibCheck`. */
export async function useInstalled(project: string, node: string): Promise<{ result: undefined; summary: string }> {
  const mock = await startMock({ document: await bundleContract("latest"), port: 0, depositPort: 0 });
  const env = { ...process.env, MAIN_URL: mock.url, DEPOSIT_URL: mock.depositUrl };
  try {
    const version = await run(node, ["--version"], { cwd: project });
    await run(node, ["imported.mjs"], { cwd: project, env });
    await run(node, ["required.cjs"], { cwd: project, env });
    await run(node, [`${projectRoot}/node_modules/typescript/bin/tsc`, "--project", "."], { cwd: project });
    return { result: undefined, summary: `imported, required and type-checked on Node ${version.trim()}` };
  } finally {
    await mock.close();
  }
}
