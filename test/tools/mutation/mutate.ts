import type { Option } from "../../../scripts/cli/kit/arguments.ts";
import { runNpmCommand } from "../../../scripts/cli/kit/npm-command.ts";

const text =
  "Changes the contract, or with --runtime the code, one mutant at a time, and reports which mutants no check notices.";
const wholeNumber = (value: string) => (/^[1-9]\d*$/.test(value) ? undefined : "a whole number from 1");
const options: Option[] = [
  { name: "runtime", text: "mutants of the code; otherwise of the contract" },
  { name: "count", value: "NUMBER", text: "how many", defaultValue: "300", check: wholeNumber },
  { name: "seed", value: "NUMBER", text: "another sample", defaultText: "follows from the files", check: wholeNumber },
  {
    name: "path",
    value: "PATH",
    text: "only those of files whose paths start so",
    defaultValue: "",
    defaultText: "of all files",
  },
  { name: "write", text: "put the figures into generated/proof.md" },
];

await runNpmCommand("mutate", { text, options }, async (parsedArguments) => {
  const { judgeMutants } = await import("./judge-mutants.ts");
  const seed = parsedArguments.text("seed");
  await judgeMutants({
    isRuntime: parsedArguments.has("runtime"),
    mustWrite: parsedArguments.has("write"),
    count: Number(parsedArguments.requiredText("count")),
    seed: seed === undefined ? undefined : Number(seed),
    path: parsedArguments.requiredText("path"),
  });
});
