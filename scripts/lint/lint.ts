/** `npm run lint [-- file]`: says what is wrong with the contract, where, and what to do about it. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { contractFile } from "../contract/project.ts";
import { runCommand, UsageError } from "../contract/usage-error.ts";
import { formatFindings } from "./report.ts";

async function main(): Promise<void> {
  const rootFile = readArguments();
  // Loaded only now, so that a mistake in the command line is told at once.
  const { lintContract } = await import("./lint-contract.ts");
  const { findings, files, checks } = await lintContract(rootFile);
  const colour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  if (findings.length > 0) console.log(formatFindings(findings, { colour }));
  const seconds = (performance.now() / 1000).toFixed(1);
  console.log(
    `${count(findings.length, "problem")}; ${count(files.length, "file")}, ${checks} checks in ${seconds} s.`,
  );
  if (findings.length > 0) process.exitCode = 1;
}

/**
 * The root document to lint.
 *
 * @throws {UsageError} when there is no such file.
 */
function readArguments(): string {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length > 1) throw new UsageError("Name one file: the root document of the contract.");
  const file = positionals[0] === undefined ? contractFile : resolve(positionals[0]);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`There is no file ${positionals[0] ?? file}.`);
  return file;
}

function count(number: number, noun: string): string {
  return `${number === 0 ? "No" : number} ${noun}${number === 1 ? "" : "s"}`;
}

await runCommand(main);
