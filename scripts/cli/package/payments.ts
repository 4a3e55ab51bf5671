import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { UsageError } from "../../contract/messages/index.ts";
import { ArgumentError, type Arguments, type Command } from "../kit/arguments.ts";
import { runCommand } from "../kit/run-command.ts";
import type { PackageCommand } from "./package-command.ts";

function paymentsCommand(usage: string): Command {
  return {
    usage,
    operands: "import FILE …",
    text: "Copies the payments of a former version, which kept them in a file of JSON lines, into a database of createSqliteStore.\nStop every program that uses the file first. The command can be repeated: payments that the database has already are not changed.",
    options: [{ name: "into", value: "DATABASE", text: "the path of the database; a missing one is created" }],
    examples: [["import payouts.jsonl --into payments.db", "a file of version 0.1.0"]],
  };
}

async function importFiles({ operands: [verb, ...files], text }: Arguments, usage: string): Promise<number> {
  const databasePath = text("into");
  if (verb !== "import" || files.length === 0 || databasePath === undefined)
    throw new ArgumentError(`Name the file and the database: ${usage} import FILE --into DATABASE`);
  const { createSqliteStore, importPayments } = await import("../../client/src/entries/internal/index.ts");
  for (const file of files) {
    try {
      const writtenCount = await importPayments(
        readFileSync(file, "utf8"),
        createSqliteStore(databaseOf(databasePath)),
      );
      console.log(
        `${writtenCount} payments of ${file} are now in ${databasePath}. Keep the file until you have checked them there.`,
      );
    } catch (cause) {
      throw new UsageError(`${file} could not be imported: ${(cause as Error).message}`);
    }
  }
  return 0;
}

/**
 * The database for `createSqliteStore`: the path; with a Node that has no `node:sqlite`, such as 20, a database of the package libsql, which
 * the partner must have installed.
 */
function databaseOf(path: string) {
  if (process.getBuiltinModule("node:sqlite") !== undefined) return path;
  const require = createRequire(join(process.cwd(), "package.json"));
  try {
    return new (require("libsql"))(path);
  } catch {
    throw new UsageError(`${path} cannot be opened. Use Node 22.13 or newer, or run "npm install libsql" first.`);
  }
}

export const paymentsCommands: Record<string, PackageCommand> = {
  payments: {
    text: "import the payments of a former version",
    run: (args, { usage }) => runCommand(paymentsCommand(usage), args, (parsedArgs) => importFiles(parsedArgs, usage)),
  },
};
