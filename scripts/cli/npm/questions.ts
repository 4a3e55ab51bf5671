import { rankNames, readContract } from "../../contract/model/index.ts";
import { runNpmCommand } from "../kit/npm-command.ts";
import { writeNamedFile } from "../kit/output.ts";

const options = [
  {
    name: "format",
    value: "FORMAT",
    text: "format of the questionnaire",
    choices: ["markdown", "csv"],
    defaultValue: "markdown",
  },
  {
    name: "rank",
    value: "RANK",
    text: "only the questions of this rank, which says what a wrong assumption costs",
    choices: rankNames,
  },
  { name: "out", value: "FILE", text: "write it to a file" },
];

await runNpmCommand(
  "questions",
  { text: "Prints the open questions as a questionnaire for the team of the service.", options },
  async (parsedArgs) => {
    const { bundleContract } = await import("../../contract/bundle/index.ts");
    const { questionnaireCsv, questionnaireMarkdown } = await import("../../site/index.ts");
    const { Sources } = await import("../../contract/sources/index.ts");
    const sources = new Sources();
    const registers = sources.registers();
    const contract = readContract((await bundleContract("test", sources)).document, registers);
    const formatQuestionnaire = parsedArgs.text("format") === "csv" ? questionnaireCsv : questionnaireMarkdown;
    const rank = parsedArgs.has("rank") ? parsedArgs.choice("rank", rankNames) : undefined;
    const text = formatQuestionnaire(registers.questions, contract, rank);
    const outFile = parsedArgs.text("out");
    if (outFile === undefined) process.stdout.write(text);
    else writeNamedFile(outFile, text);
  },
);
