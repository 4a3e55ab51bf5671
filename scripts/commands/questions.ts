/** `npm run questions` */
import { writeFileSync } from "node:fs";
import { Option } from "commander";
import { type Rank, ranks, readContract, UsageError } from "../contract/index.ts";
import { defineCommand, run } from "./command.ts";

interface Options {
  format: "markdown" | "csv";
  rank?: Rank;
  out?: string;
}

const command = defineCommand("questions", "Print the open questions as a questionnaire for the team of the service.")
  .addOption(new Option("--format <format>", "how it is written").choices(["markdown", "csv"]).default("markdown"))
  .addOption(new Option("--rank <rank>", "only what a wrong assumption costs").choices(Object.keys(ranks)))
  .option("--out <file>", "write it to a file")
  .action(async ({ format, rank, out }: Options) => {
    const { bundleContract } = await import("../bundle/index.ts");
    const { questionnaireCsv, questionnaireMarkdown } = await import("../docs/index.ts");
    const { Sources } = await import("../sources/index.ts");
    const sources = new Sources();
    const registers = sources.registers();
    const contract = readContract(await bundleContract("test", sources), registers);
    const write = format === "csv" ? questionnaireCsv : questionnaireMarkdown;
    const text = write(registers.questions, contract, rank);
    if (out === undefined) process.stdout.write(text);
    else save(out, text);
  });

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

await run(command);
