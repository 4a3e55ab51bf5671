/** `npm run prepack` */
import { defineCommand, run } from "./command.ts";

const command = defineCommand("prepack", "Build dist/ from scratch, as it is published.").action(async () => {
  const { replaceFolder } = await import("../build/index.ts");
  const { distFolder, makeDist } = await import("../client/dist.ts");
  const { buildPlan } = await import("../plan/index.ts");
  await buildPlan();
  replaceFolder(distFolder, await makeDist());
});

await run(command);
