/** Bun: calls, and webhooks received by Bun.serve. */
import { join } from "node:path";
import { runConsumer } from "../run.ts";
import type { Environment } from "./environment.ts";

const version = "1.4.5";

/** The package that holds the plain binary; `bun` itself would fetch it in an install script. */
const name = `@oven/bun-${process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`;

export const bun: Environment = {
  name: "bun",
  packages: [`${name}@${version}`],
  check: async ({ project, env }) => {
    const options = { cwd: project, env: { ...env, BUN_INSTALL: join(project, ".bun") } };
    await runConsumer(join(project, "node_modules", name, "bin/bun"), ["--no-install", "bun.mjs"], options);
    return `calls and webhooks on Bun ${version}`;
  },
};
