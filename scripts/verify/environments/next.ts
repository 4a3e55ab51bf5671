/** Next.js: the receiver as the POST of a route handler, in a production build. */
import { run, runConsumer } from "../run.ts";
import { withServer } from "../serve.ts";
import type { Environment } from "./environment.ts";

const version = "16.4.6";
const reactVersion = "19.3.1";

export const next: Environment = {
  name: "next",
  packages: [`next@${version}`, `react@${reactVersion}`, `react-dom@${reactVersion}`],
  check: async ({ project, env }) => {
    const command = "node_modules/next/dist/bin/next";
    await run(process.execPath, [command, "build", "next"], { cwd: project, env });
    const args = [command, "start", "next", "--port", "0", "--hostname", "127.0.0.1"];
    await withServer(process.execPath, args, { cwd: project, env, port: /127\.0\.0\.1:(\d+)/ }, (origin) =>
      runConsumer(process.execPath, ["deliver.mjs"], { cwd: project, env: { ...env, ORIGIN: origin } }),
    );
    return `webhooks received by a route handler of Next.js ${version}`;
  },
};
