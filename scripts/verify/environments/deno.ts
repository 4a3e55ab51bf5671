/** Deno: calls, and webhooks received by Deno.serve, with no permission but for loopback. */
import { join } from "node:path";
import { runConsumer } from "../run.ts";
import type { Environment } from "./environment.ts";

const version = "2.9.6";

export const deno: Environment = {
  name: "deno",
  packages: [`deno@${version}`],
  check: async ({ project, env }) => {
    const permissions = ["--no-prompt", "--allow-net=127.0.0.1", "--allow-env=MAIN_URL,DEPOSIT_URL"];
    const args = ["node_modules/deno/bin.cjs", "run", "--no-remote", ...permissions, "deno.mjs"];
    await runConsumer(process.execPath, args, { cwd: project, env: { ...env, DENO_DIR: join(project, ".deno") } });
    return `calls and webhooks on Deno ${version}, with no permission but for loopback`;
  },
};
