/** `npm run build` */
import { defineCommand, run } from "./command.ts";

const command = defineCommand("build", "Lint the contract, then make the bundles, the clients, dist/ and the docs.")
  .option("--check", "change nothing; only say which committed files are stale")
  .action(async ({ check }: { check?: true }) => {
    const { build, checkGenerated } = await import("../build/index.ts");
    await (check ? checkGenerated() : build());
  });

await run(command);
