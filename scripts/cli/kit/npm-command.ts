import type { Arguments, Command, Option } from "./arguments.ts";
import { ignoreClosedPipes } from "./output.ts";
import { runCommand } from "./run-command.ts";
import { endWithNpm } from "./shutdown.ts";

export async function runNpmCommand(
  name: string,
  description: Pick<Command, "text" | "operands" | "maxOperands"> & { options?: readonly Option[] },
  action: (parsedArgs: Arguments) => Promise<void>,
): Promise<void> {
  endWithNpm();
  ignoreClosedPipes();
  const command = { options: [], ...description, usage: `npm run ${name} --` };
  try {
    const code = await runCommand(command, process.argv.slice(2), async (parsedArgs) => {
      await action(parsedArgs);
      return undefined;
    });
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
