import type { Arguments, Command, Option } from "./arguments.ts";
import { ignoreClosedPipes } from "./output.ts";
import { runCommand } from "./run-command.ts";
import { endWithNpm } from "./shutdown.ts";

export async function runNpmCommand(
  name: string,
  about: Pick<Command, "text" | "operands"> & { options?: readonly Option[] },
  action: (given: Arguments) => Promise<void>,
): Promise<void> {
  endWithNpm();
  ignoreClosedPipes();
  const command = { options: [], ...about, usage: `npm run ${name} --` };
  try {
    const code = await runCommand(command, process.argv.slice(2), async (given) => {
      await action(given);
      return undefined;
    });
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
