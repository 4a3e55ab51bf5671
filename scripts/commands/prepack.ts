/** `npm run prepack` */
import { run } from "./command.ts";

await run("prepack", { text: "Builds dist/ from scratch, as it is published." }, async () => {
  const { replaceFolder } = await import("../build/index.ts");
  const { distFolder, makeDist } = await import("../client/dist.ts");
  const { writePlan } = await import("../plan/index.ts");
  await writePlan();
  replaceFolder(distFolder, await makeDist());
});
