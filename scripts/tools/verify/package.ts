import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { escapePattern, found, projectRoot, UsageError } from "../../base/index.ts";
import { loadPlan } from "../../mock/make-plan/index.ts";
import { packPackage } from "../build/index.ts";
import { productFolders, programPath } from "../packaging/index.ts";
import { type RunOptions, run, withServer } from "../processes/index.ts";
import { installPeers, peersFolder } from "./peers.ts";

/** The only files that the package may contain. Tools, sources and tests are not published. */
const publishedPaths = [
  new RegExp(`^dist/(cjs/)?(${productFolders().join("|")})/[\\w/-]+\\.(js|d\\.ts)$`),
  new RegExp(`^dist/(${escapePattern(programPath)}|mock/Dockerfile)$`),
  /^dist\/cjs\/(package\.json|_virtual\/_rolldown\/runtime\.js)$/,
  /^dist\/openapi(-3\.0)?\.(latest|test)\.json$/,
  /^openapi\/mock(-control)?\.yaml$/,
  /^(package\.json|README\.md|LICENSE|THIRD-PARTY-LICENSES\.txt|CHANGELOG\.md)$/,
];

const maxBytes = 4_350_000;

export async function packAndCheck(folder: string): Promise<string> {
  const packResult = await packPackage(folder);
  const unexpectedFiles = packResult.files.filter(({ path }) => !publishedPaths.some((pattern) => pattern.test(path)));
  if (unexpectedFiles.length > 0) {
    throw new UsageError(`These files must not be published:\n${unexpectedFiles.map(({ path }) => path).join("\n")}`);
  }
  if (packResult.unpackedSize >= maxBytes) {
    throw new UsageError(`The package has ${packResult.unpackedSize} bytes installed; ${maxBytes} are the limit.`);
  }
  return `${packResult.files.length} files, ${packResult.size} bytes packed, ${packResult.unpackedSize} bytes installed`;
}

/** Does not run scripts of packages. @returns the absolute path of the new folder. */
export async function installPackages(parent: string, name: string, packages: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(parent, `${name.replaceAll(" ", "-")}-`));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", ["install", ...options, ...packages], { cwd: folder });
  return folder;
}

export async function makeProject(parent: string, name: string, packages: readonly string[]): Promise<string> {
  const project = await installPackages(parent, name, packages);
  cpSync(`${projectRoot}/test/client/consumer`, project, { recursive: true });
  return project;
}

export async function useInstalledPackage(
  project: string,
  node: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const version = await run(node, ["--version"], { cwd: project });
  // With this flag, `require` of an ES module fails, as in Node before 20.19, and in Node 22 before 22.12.
  const strictFlag = "--no-experimental-require-module";
  const flagCheck = `process.allowedNodeEnvironmentFlags.has("${strictFlag.replace("no-", "")}")`;
  const flags = (await run(node, ["--print", flagCheck], { cwd: project })).trim() === "true" ? [strictFlag] : [];
  for (const program of ["imported.mjs", "required.cjs", "entries.mjs", "refused.mjs", "mock.mjs", "mock.cjs"]) {
    await runConsumer(node, [...(program.endsWith(".cjs") ? flags : []), program], { cwd: project, env });
  }
  await useMockCommand(project, node);
  return `imported and required${flags.length > 0 ? ", no ES module by require" : ""} on Node ${version.trim()}`;
}

async function useMockCommand(project: string, node: string): Promise<void> {
  const { operations } = await loadPlan();
  const operation = operations.find(({ operationId }) => operationId === "getPartnerBalances");
  const { path } = found(operation, "operation getPartnerBalances");
  const args = [join(project, "node_modules/.bin/partner-wallet-api"), "mock", "--port", "0", "--deposit-port", "0"];
  await withServer(
    node,
    args,
    { cwd: project, portPattern: /main address +http:\/\/127\.0\.0\.1:(\d+)/ },
    async (origin) => {
      const { status } = await fetch(`${origin}${path}`, { headers: { "x-api-key": "any-key" } });
      if (status !== 200) throw new UsageError(`partner-wallet-api mock answers ${status} where 200 is documented.`);
    },
  );
}

const closingLine = "Everything worked.";

/** Also checks the closing line, because a program can exit with status 0 before its end. */
export async function runConsumer(program: string, args: readonly string[], options: RunOptions): Promise<void> {
  const output = await run(program, args, options).catch((error: Error) => {
    throw new UsageError(`${error.message}\nThe program is in test/client/consumer.`);
  });
  checkClosingLine(output, [program, ...args].join(" "));
}

export function checkClosingLine(output: string, consumer: string): void {
  if (output.trim() === closingLine) return;
  throw new UsageError(`${consumer} did not work:\n${output.trim() || "(no output)"}`);
}

/** Both compilers are named `tsc`. */
export const compilers = ["typescript", "typescript7"].map((name) =>
  join(projectRoot, "node_modules", name, "bin/tsc"),
);

const resolutions = {
  "tsconfig.json": "Node (ESM, CommonJS)",
  "tsconfig.bundler.json": "bundlers",
  "tsconfig.node10.json": "Node 10",
} as const;

export async function typeCheck(project: string, compiler: string): Promise<string> {
  const version = (await run(compiler, ["--version"], { cwd: project })).replace("Version", "").trim();
  // TypeScript 7 would refuse the configuration, because it no longer has the module resolution of Node 10.
  const configs = Object.entries(resolutions).filter(
    ([file]) => file !== "tsconfig.node10.json" || Number.parseInt(version, 10) < 7,
  );
  for (const [file] of configs) await run(compiler, ["--project", file], { cwd: project });
  return `type-checked by TypeScript ${version} for ${configs.map(([, name]) => name).join(", ")}`;
}

/** Uses the npm package with Node's binary. @param major such as `22`. @returns the binary's path. */
export async function installNode(parent: string, major: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await installPackages(parent, `node ${major}`, [`${name}@${major}`]);
  return join(folder, "node_modules", name, "bin", "node");
}

/**
 * The project has the installed package, and the tests of `test/client/packed` and `test/peers/packed`. Other imports of the tests, such as
 * vitest and the servers, are resolved in this repository and `test/peers`.
 */
export async function makeTestProject(parent: string, tarball: string): Promise<string> {
  await installPeers();
  // A separate folder, so that other projects in the parent do not find the repository's packages.
  const folder = join(parent, "packed");
  mkdirSync(folder);
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  const project = await installPackages(folder, "packed", [tarball]);
  for (const path of ["client/packed", "peers/packed"]) {
    cpSync(join(projectRoot, "test", path), join(project, path), { recursive: true });
  }
  symlinkSync(join(peersFolder, "node_modules"), join(project, "peers/node_modules"));
  return project;
}

export async function runPackedTests(project: string, node: string): Promise<string> {
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--root", project, "--config", join(project, "client/packed/vitest.config.ts")];
  const output = await run(node, args, { cwd: project, env: { NO_COLOR: "1" }, limitMs: 10 * 60_000 });
  return `${/Tests +(.*)/.exec(output)?.[1] ?? "passed"}, with the installed package`;
}
