/** Runs the commands of package.json. */
import type { Arguments, Command, Option } from "./arguments.ts";
import { endWithNpm } from "./ending.ts";
import { runCommand } from "./frame.ts";

/**
 * Runs a command of package.json with the arguments of this process, and sets the exit code of the process. An unexpected error is printed
 * with its stack, with exit code 1.
 *
 * @param action imports heavy modules itself, so that a mistake in the arguments is reported at once.
 */
export async function run(
  name: string,
  about: Pick<Command, "text" | "operands"> & { options?: readonly Option[] },
  action: (given: Arguments) => Promise<void>,
): Promise<void> {
  endWithNpm();
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
