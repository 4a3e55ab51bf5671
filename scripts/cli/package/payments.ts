import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { UsageError } from "../../base/index.ts";
import type { PaymentStore, SqliteDatabase } from "../../client/src/entries/internal/index.ts";
import { ArgumentError, type Arguments, type Command } from "../kit/arguments.ts";
import { runCommand } from "../kit/run-command.ts";
import type { PackageCommand } from "./package-command.ts";

function paymentsCommand(usage: string): Command {
  return {
    usage,
    operands: "import FILE …",
    maxOperands: Number.POSITIVE_INFINITY,
    text: "Copies the payments of a former version, which kept them in a file of JSON lines, into a database of createSqliteStore.\nStop every program that uses the file first. The command can be repeated: payments that the database has already are not changed.\nIt ends with 1 when payments could not be imported, and names each.",
    options: [{ name: "into", value: "DATABASE", text: "the path of the database; a missing one is created" }],
    examples: [["import payouts.jsonl --into payments.db", "a file of version 0.1.0"]],
  };
}

async function importFiles({ operands: [verb, ...files], text }: Arguments, usage: string): Promise<number> {
  const databasePath = text("into");
  if (verb !== "import" || files.length === 0 || databasePath === undefined)
    throw new ArgumentError(`Name the file and the database: ${usage} import FILE --into DATABASE`);
  const { createMemoryStore, importPayments } = await import("../../client/src/entries/internal/index.ts");
  /** Returns what is to be printed when not all payments could be imported. */
  const importFile = async (file: string, store: PaymentStore): Promise<{ count: number } | { problem: string }> => {
    try {
      return { count: await importPayments(await readFile(file, "utf8"), store) };
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof AggregateError) return { problem: `${file}: ${message}` };
      throw new UsageError(`${file} could not be imported: ${message}`);
    }
  };
  // Every file is first imported into memory, so that a missing or damaged one neither creates nor changes a database.
  for (const file of files) await importFile(file, createMemoryStore());
  // `importPayments` closes a store that has `close`, but this store takes all files.
  const { close, ...store } = await openStore(databasePath);
  let exitCode = 0;
  try {
    for (const file of files) {
      const outcome = await importFile(file, store);
      if ("problem" in outcome) {
        exitCode = 1;
        console.error(outcome.problem);
      } else
        console.log(
          `${outcome.count} payments of ${file} are now in ${databasePath}. Keep the file until you have checked them there.`,
        );
    }
    const contradicted = await store.contradicted("", 100);
    if (contradicted.length > 0) {
      const references = contradicted.map(({ reference }) => JSON.stringify(reference)).join(", ");
      console.error(`A person has to look at ${references}: payments.contradictions() says why.`);
    }
  } finally {
    await close?.();
  }
  return exitCode;
}

type DatabaseClass = new (path: string) => SqliteDatabase;

/** Opens the database; with a Node that has no `node:sqlite`, such as 20, by the package libsql, which the partner must have installed. */
async function openStore(path: string): Promise<PaymentStore> {
  const { createSqliteStore } = await import("../../client/src/entries/internal/index.ts");
  const Database = process.getBuiltinModule("node:sqlite") === undefined ? loadLibsql() : undefined;
  try {
    return createSqliteStore(Database === undefined ? path : new Database(path));
  } catch (error) {
    throw new UsageError(`${path} cannot be opened: ${(error as Error).message}`);
  }
}

function loadLibsql(): DatabaseClass {
  const require = createRequire(join(process.cwd(), "package.json"));
  try {
    return require("libsql");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new UsageError('Node has no SQLite. Use Node 22.13 or newer, or run "npm install libsql" first.');
  }
}

export const paymentsCommands: Record<string, PackageCommand> = {
  payments: {
    text: "import the payments of a former version",
    run: (args, { usage }) => runCommand(paymentsCommand(usage), args, (parsedArgs) => importFiles(parsedArgs, usage)),
  },
};
