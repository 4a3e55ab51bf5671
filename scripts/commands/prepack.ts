/** `npm run prepack` */
import { rmSync } from "node:fs";
import { editions } from "../contract/index.ts";
import { defineCommand, run } from "./command.ts";

const command = defineCommand("prepack", "Build dist/ from scratch, as it is published.").action(async () => {
  const { buildDist, distFolder } = await import("../client/dist.ts");
  const { buildPlan } = await import("../plan/index.ts");
  for (const edition of editions) await buildPlan(edition);
  rmSync(distFolder, { recursive: true, force: true });
  await buildDist();
});

await run(command);
