/** Runtimes besides Node that the packed package is tried on. */
import { join } from "node:path";
import { bundleProgram } from "./bundlers.ts";
import { checkClosingLine, runConsumer } from "./package.ts";
import { withServer } from "./processes.ts";
import { versions } from "./versions.ts";
import { deliverWebhooks, type Environment, type Workplace } from "./workplace.ts";

/** The package that holds only the binary. The package `bun` would download it in an install script. */
const bunPackage = `@oven/bun-${process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`;

export const runtimes: readonly Environment[] = [
  { name: "bun", packages: [`${bunPackage}@${versions.bun}`], check: runOnBun },
  { name: "deno", packages: [`deno@${versions.deno}`], check: runOnDeno },
  {
    name: "workerd",
    packages: [`workerd@${versions.workerd}`, `esbuild@${versions.esbuild}`],
    check: runOnWorkerd,
  },
];

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
async function runOnWorkerd(workplace: Workplace): Promise<string> {
  const { project, env } = workplace;
  await bundleProgram(project, "workerd/worker.mjs", "workerd/bundle.js");
  const args = ["serve", "workerd/config.capnp", "--control-fd=1"];
  await withServer("workerd", args, { cwd: project, env, port: /"port":(\d+)/ }, async (origin) => {
    const response = await fetch(`${origin}/call-the-service`);
    checkClosingLine(await response.text(), "The worker");
    await deliverWebhooks(workplace, origin);
  });
  return `calls and webhooks on workerd ${versions.workerd}, which refuses to make code at run time`;
}
