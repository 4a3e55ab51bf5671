/** These programs use the packed package. Their versions are pinned in this repository. */
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, projectRoot, readManifest, UsageError } from "../../base/index.ts";
import { run, withServer } from "../processes/index.ts";
import { chromiumArguments, findChromium } from "./chromium.ts";
import { checkClosingLine, makeProject, runConsumer } from "./package.ts";
import { peersFolder } from "./peers.ts";

interface StepContext {
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

type Step = (context: StepContext) => Promise<unknown>;

export interface Environment {
  readonly name: string;
  readonly packages: readonly string[];
  readonly result: string;
  readonly steps: readonly Step[];
}

const node = process.execPath;

const packageFile = "package.tgz";

const denoPermissions = ["--allow-net=127.0.0.1", "--allow-env=MAIN_URL,DEPOSIT_URL"];

const commandStep =
  (program: string, ...args: string[]): Step =>
  ({ project, env }) =>
    run(program, args, { cwd: project, env });

const consumerStep =
  (program: string, ...args: string[]): Step =>
  ({ project, env }) =>
    runConsumer(program, args, { cwd: project, env });

/** @param portPattern matches the server's output when it listens; the first group is the port. */
const serverStep =
  (
    program: string,
    args: readonly string[],
    stepFor: (origin: string) => Step,
    portPattern = /127\.0\.0\.1:(\d+)/,
  ): Step =>
  (context) =>
    withServer(program, args, { cwd: context.project, env: context.env, portPattern }, (origin) =>
      stepFor(origin)(context),
    );

const visitStep =
  (...basePaths: string[]) =>
  (origin: string): Step =>
  ({ project, env }) =>
    runConsumer(node, ["visit.mjs"], { cwd: project, env: { ...env, ORIGIN: origin, MOUNTED: basePaths.join(" ") } });

const esbuildStep = (entry: string, outfile: string, ...args: string[]): Step =>
  commandStep("esbuild", entry, "--bundle", "--minify", "--format=esm", `--outfile=${outfile}`, ...args);

const compileStep = (folder: string): Step =>
  commandStep(join(projectRoot, "node_modules/typescript/bin/tsc"), "--project", folder);

const peersManifest: Pick<Manifest, "dependencies"> = JSON.parse(readFileSync(`${peersFolder}/package.json`, "utf8"));
const versions = { ...peersManifest.dependencies, ...readManifest().devDependencies };

/** The packages in the versions that package.json of this repository or of `test/peers` names. */
const pinnedPackages = (...names: string[]): string[] => names.map((name) => `${name}@${versions[name]}`);

/** The npm package of Bun's binary. The package `bun` would need its install script, and scripts are not run. */
const bunPackage = `@oven/bun-${process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`;

const jestEnvironment = (version: string, types: string): Environment => ({
  name: `jest ${Number.parseInt(version, 10)}`,
  packages: [
    `jest@${version}`,
    `@types/jest@${types}`,
    "ts-jest@29.4.15",
    ...pinnedPackages("typescript", "@types/node"),
  ],
  result: "tests in CommonJS without configuration, in TypeScript with ts-jest",
  steps: [commandStep("jest", "--rootDir", "jest/plain"), commandStep("jest", "--config", "jest/typed/jest.config.js")],
});

export const environments: readonly Environment[] = [
  {
    name: "publint",
    packages: ["publint@0.3.25"],
    result: "publint --strict finds nothing",
    steps: [commandStep("publint", "run", packageFile, "--strict")],
  },
  {
    name: "attw",
    packages: ["@arethetypeswrong/cli@0.18.5"],
    result: "are-the-types-wrong finds nothing (Node 10, Node 16 and newer, bundlers; no rule ignored)",
    // mock-control.yaml is excluded, because a YAML file has no types.
    steps: [commandStep("attw", packageFile, "--format", "ascii", "--exclude-entrypoints", "mock-control.yaml")],
  },
  {
    name: "esbuild",
    packages: pinnedPackages("esbuild"),
    result: `bundled and minified, run on Node ${process.version} without node_modules`,
    steps: [
      esbuildStep("imported.mjs", "bundle.mjs", "--platform=node"),
      async ({ project }) => rmSync(join(project, "node_modules"), { recursive: true }),
      consumerStep(node, "bundle.mjs"),
    ],
  },
  {
    name: "vite",
    packages: ["vite@8.3.8", ...pinnedPackages("playwright-core")],
    result: "a built page calls the mock from Chromium, if it is installed",
    steps: [
      commandStep("vite", "build", "vite"),
      serverStep("vite", ["preview", "vite", "--host", "127.0.0.1", "--port", "0"], openInBrowser),
    ],
  },
  {
    name: "bun",
    packages: [`${bunPackage}@1.4.5`],
    result: "calls and webhooks on Bun",
    steps: [consumerStep(join("node_modules", bunPackage, "bin/bun"), "--no-install", "bun.mjs")],
  },
  {
    name: "deno",
    packages: ["deno@2.9.6"],
    result: "calls and webhooks on Deno, with no permission except for loopback",
    steps: [consumerStep("deno", "run", "--no-remote", "--no-prompt", ...denoPermissions, "deno.mjs")],
  },
  {
    // A runtime of edge workers. The worker also checks that it cannot generate code at run time.
    name: "workerd",
    packages: ["workerd@1.20261117.1", ...pinnedPackages("esbuild")],
    result: "calls and webhooks on workerd, which refuses to generate code at run time",
    steps: [
      esbuildStep("workerd/worker.mjs", "workerd/bundle.js"),
      serverStep("workerd", ["serve", "workerd/config.capnp", "--control-fd=1"], useWorker, /"port":(\d+)/),
    ],
  },
  jestEnvironment("29.7.0", "29.5.14"),
  jestEnvironment("30.5.2", "30.0.0"),
  {
    name: "hono",
    packages: pinnedPackages("hono", "@hono/node-server", "@types/node"),
    result: "calls and webhooks of a backend on Hono, compiled with TypeScript",
    steps: [compileStep("hono"), serverStep(node, ["hono/dist/index.mjs"], visitStep("/hooks"))],
  },
];

function openInBrowser(origin: string): Step {
  return async ({ project, env }) => {
    const chromium = findChromium();
    if (chromium === undefined) {
      if (process.env.CI)
        throw new UsageError("There is no Chromium to open the page in. Install it, or set CHROMIUM_PATH.");
      console.log("The page of vite was NOT OPENED: there is no Chromium here.");
      return;
    }
    const url = `${origin}/#${encodeURIComponent(`${env.MAIN_URL} ${env.DEPOSIT_URL}`)}`;
    await runConsumer(node, ["vite/open.mjs", url, chromium, ...chromiumArguments], { cwd: project, env });
  };
}

function useWorker(origin: string): Step {
  return async ({ project, env }) => {
    checkClosingLine(await (await fetch(`${origin}/call-the-service`)).text(), "The worker");
    await runConsumer(node, ["deliver.mjs"], { cwd: project, env: { ...env, ORIGIN: origin } });
  };
}

export async function tryEnvironment(
  { name, packages, result, steps }: Environment,
  { folder, tarball, env }: Pick<StepContext, "env"> & { readonly folder: string; readonly tarball: string },
): Promise<string> {
  const project = await makeProject(folder, name, [tarball, ...packages]);
  try {
    cpSync(tarball, join(project, packageFile));
    for (const step of steps) await step({ project, env });
    return `${result} (${packages[0]})`;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
