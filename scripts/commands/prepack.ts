/** `npm run prepack` */
import { rmSync } from "node:fs";
import { defineCommand, run } from "./command.ts";

const command = defineCommand("prepack", "Build dist/ from scratch, as it is published.").action(async () => {
  const { buildDist, distFolder } = await import("../client/dist.ts");
  rmSync(distFolder, { recursive: true, force: true });
  await buildDist();
});

await run(command);
