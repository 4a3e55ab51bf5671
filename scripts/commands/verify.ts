/** `npm run verify` */
import { InvalidArgumentError } from "commander";
import { defineCommand, run } from "./command.ts";

const command = defineCommand("verify", "Pack the package and use it as a partner would.")
  .option("--node <majors>", "repeat on other major versions of Node.js, such as 22,24", parseMajors, [])
  .option("--environments", "try bundlers, other runtimes and frameworks")
  .action(async ({ node, environments = false }: { node: string[]; environments?: boolean }) => {
    const { verify } = await import("../verify/verify.ts");
    await verify({ node, environments });
  });

function parseMajors(text: string): string[] {
  const majors = text.split(",");
  if (majors.some((major) => !/^\d+$/.test(major))) throw new InvalidArgumentError("Give versions such as 22,24.");
  return majors;
}

await run(command);
