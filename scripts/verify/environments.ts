/** The environments besides Node that the packed package is tried in: bundlers, runtimes, frameworks, and tools that judge it. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../contract/index.ts";
import { findChromium, launchChromium } from "./chromium.ts";
import { checkClosingLine, makeProject, runConsumer, typeCheck } from "./package.ts";
import { run, withServer } from "./processes.ts";

export interface Environment {
  /** How the output names it. */
  readonly name: string;
  /** npm packages with exact versions, installed beside the packed package. */
  readonly packages: readonly string[];
  /**
   * Tries the package there.
   *
   * @returns a few words on what was done.
   * @throws {UsageError} when the package does not work there.
   */
  readonly check: (workplace: Workplace) => Promise<string>;
}

/** What an environment is given to work with. */
export interface Workplace {
  /** Absolute path of a project with the programs of `test/consumer`, the package and those of the environment. */
  readonly project: string;
  /** Absolute path of the packed package. */
  readonly tarball: string;
  /** MAIN_URL and DEPOSIT_URL of the mock, and variables that keep tools from sending telemetry. */
  readonly env: Readonly<Record<string, string>>;
}

/** Pinned, so that a result changes only when something in this repository changes. */
const versions = {
  publint: "0.3.25",
  attw: "0.18.5",
  typescript: "7.0.2",
  esbuild: "0.28.2",
  vite: "8.3.8",
  bun: "1.4.5",
  deno: "2.9.6",
  workerd: "1.20261117.1",
  next: "16.4.6",
  react: "19.3.1",
} as const;

/** The package that holds only the binary. The package `bun` would download it in an install script. */
const bunPackage = `@oven/bun-${process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`;

export const environments: readonly Environment[] = [
  { name: "publint", packages: [`publint@${versions.publint}`], check: checkWithPublint },
  { name: "attw", packages: [`@arethetypeswrong/cli@${versions.attw}`], check: checkWithAttw },
  { name: "ts 7", packages: [`typescript@${versions.typescript}`], check: ({ project }) => typeCheck(project, "tsc") },
  { name: "esbuild", packages: [`esbuild@${versions.esbuild}`], check: runBundled },
  { name: "vite", packages: [`vite@${versions.vite}`], check: openInBrowser },
  { name: "bun", packages: [`${bunPackage}@${versions.bun}`], check: runOnBun },
  { name: "deno", packages: [`deno@${versions.deno}`], check: runOnDeno },
  {
    name: "workerd",
    packages: [`workerd@${versions.workerd}`, `esbuild@${versions.esbuild}`],
    check: runOnWorkerd,
  },
  {
    name: "next",
    packages: [`next@${versions.next}`, `react@${versions.react}`, `react-dom@${versions.react}`],
    check: runOnNext,
  },
];

/**
 * Tries the packed package in an environment, in a project of its own that is removed afterwards.
 *
 * @param folder absolute path of the folder that the project is made in.
 * @returns a few words on what was done.
 * @throws {UsageError} when the environment cannot be installed, or the package does not work there.
 */
export async function tryEnvironment(
  { name, packages, check }: Environment,
  { folder, tarball, env }: Omit<Workplace, "project"> & { folder: string },
): Promise<string> {
  const project = await makeProject(folder, name, [tarball, ...packages]);
  try {
    return await check({ project, tarball, env });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Whether the fields of package.json lead to files of the kind that they promise. */
async function checkWithPublint({ project, tarball, env }: Workplace): Promise<string> {
  await run("publint", ["run", tarball, "--strict"], { cwd: project, env });
  return `publint ${versions.publint} --strict has nothing to say`;
}

/** Whether every entry point is found, with types that describe its JavaScript. */
async function checkWithAttw({ project, tarball, env }: Workplace): Promise<string> {
  // Resolution as in Node 10, which this profile leaves out, knows no `exports`; Node 10 cannot run the package either.
  const profile = "node16";
  // ES modules are found on `require` on purpose: Node 20.19 and newer, which the package needs, can require them.
  const ignored = "cjs-resolves-to-esm";
  const documents = ["openapi.yaml", "test/openapi.yaml"];
  const options = ["--format", "ascii", "--profile", profile, "--ignore-rules", ignored];
  await run("attw", [tarball, ...options, "--exclude-entrypoints", ...documents], { cwd: project, env });
  return `are-the-types-wrong ${versions.attw} finds nothing (profile ${profile}, without ${ignored})`;
}

/** Bundles a program into one file, which needs no package when it runs. */
async function runBundled({ project, env }: Workplace): Promise<string> {
  await bundleProgram(project, "imported.mjs", "bundle.mjs", "--platform=node");
  rmSync(join(project, "node_modules"), { recursive: true });
  await runConsumer(process.execPath, ["bundle.mjs"], { cwd: project, env });
  return `bundled and minified by esbuild ${versions.esbuild}, run on Node ${process.version} without node_modules`;
}

async function bundleProgram(project: string, entry: string, outfile: string, ...args: string[]): Promise<void> {
  const options = ["--bundle", "--minify", "--format=esm", `--outfile=${outfile}`, ...args];
  await run("esbuild", [entry, ...options], { cwd: project });
}

/** Opens a built page in Chromium. The page calls the service from another origin. */
async function openInBrowser({ project, env }: Workplace): Promise<string> {
  await run("vite", ["build", "vite"], { cwd: project, env });
  const chromium = findChromium();
  if (chromium === undefined) {
    if (process.env.CI)
      throw new UsageError("There is no Chromium to open the page in. Install it, or set CHROMIUM_PATH.");
    return `built by Vite ${versions.vite}; NOT OPENED: there is no Chromium here`;
  }
  const args = ["preview", "vite", "--host", "127.0.0.1", "--port", "0"];
  const options = { cwd: project, env, port: /127\.0\.0\.1:(\d+)/ };
  const browserVersion = await withServer("vite", args, options, async (origin) => {
    const browser = await launchChromium(chromium);
    try {
      const page = await browser.newPage();
      await page.goto(`${origin}/#${encodeURIComponent(`${env.MAIN_URL} ${env.DEPOSIT_URL}`)}`);
      const output = await page.locator("output:not(:empty)").textContent({ timeout: 20_000 });
      checkClosingLine(output ?? "", "The page");
      return browser.version();
    } finally {
      await browser.close();
    }
  });
  return `a page built by Vite ${versions.vite} calls from Chromium ${browserVersion}`;
}

/** Calls the service, and receives webhooks with `Bun.serve`. */
async function runOnBun({ project, env }: Workplace): Promise<string> {
  const options = { cwd: project, env: { ...env, BUN_INSTALL: join(project, ".bun") } };
  await runConsumer(join(project, "node_modules", bunPackage, "bin/bun"), ["--no-install", "bun.mjs"], options);
  return `calls and webhooks on Bun ${versions.bun}`;
}

/** Calls the service, and receives webhooks with `Deno.serve`. */
async function runOnDeno({ project, env }: Workplace): Promise<string> {
  const permissions = ["--no-prompt", "--allow-net=127.0.0.1", "--allow-env=MAIN_URL,DEPOSIT_URL"];
  const options = { cwd: project, env: { ...env, DENO_DIR: join(project, ".deno") } };
  await runConsumer("deno", ["run", "--no-remote", ...permissions, "deno.mjs"], options);
  return `calls and webhooks on Deno ${versions.deno}, with no permission but for loopback`;
}

/** Calls and webhooks on the runtime of edge workers. The worker also checks that it cannot make code at run time. */
async function runOnWorkerd({ project, env }: Workplace): Promise<string> {
  await bundleProgram(project, "workerd/worker.mjs", "workerd/bundle.js");
  const args = ["serve", "workerd/config.capnp", "--control-fd=1"];
  await withServer("workerd", args, { cwd: project, env, port: /"port":(\d+)/ }, async (origin) => {
    const response = await fetch(`${origin}/call-the-service`);
    checkClosingLine(await response.text(), "The worker");
    await deliverWebhooks(project, env, origin);
  });
  return `calls and webhooks on workerd ${versions.workerd}, which refuses to make code at run time`;
}

/** Receives webhooks in a route handler of a production build. */
async function runOnNext({ project, env }: Workplace): Promise<string> {
  await run("next", ["build", "next"], { cwd: project, env });
  const args = ["start", "next", "--port", "0", "--hostname", "127.0.0.1"];
  await withServer("next", args, { cwd: project, env, port: /127\.0\.0\.1:(\d+)/ }, (origin) =>
    deliverWebhooks(project, env, origin),
  );
  return `webhooks received by a route handler of Next.js ${versions.next}`;
}

async function deliverWebhooks(project: string, env: Workplace["env"], origin: string): Promise<void> {
  await runConsumer(process.execPath, ["deliver.mjs"], { cwd: project, env: { ...env, ORIGIN: origin } });
}
