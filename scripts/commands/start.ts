/** `npm start`, and `npm run dev`, which lints as well */
import { Option } from "commander";
import type { Edition } from "../contract/index.ts";
import type { StartOptions } from "../start/index.ts";
import { closeOnSignal, defineCommand, editionOption, hostOption, mockOptions, portOption, run } from "./command.ts";

const command = defineCommand("start", "Serve the docs and the mock, and bring them up to date on every saved change.");
for (const option of [
  portOption("--docs-port", "the site", 4000),
  ...mockOptions(),
  // The samples of both editions work with it.
  editionOption().default("test" satisfies Edition),
  new Option("--empty", "start the mock without the users and records that the docs tell of").default(false),
  new Option("--lint", "say what lint finds, and take up no change with an error (npm run dev)").default(false),
  hostOption(),
]) {
  command.addOption(option);
}
command.action(async (options: Required<Omit<StartOptions, "print">>) => {
  const { start } = await import("../start/index.ts");
  const { exampleCurl } = await import("../mock/server/terminal.ts");
  const { mock, plan, siteUrl, close } = await start(options);
  closeOnSignal(close);
  const { edition } = options;
  // A contract need not have a scenario.
  const isEmpty = options.empty || !plan.scenario;
  const records = isEmpty ? "without users" : "with the users and records that the docs tell of";
  console.log(
    [
      "",
      `  reference docs   ${siteUrl}`,
      `  main address     ${mock.url}`,
      `  deposit address  ${mock.depositUrl}`,
      `Try: ${exampleCurl(plan, mock.url, { edition, isEmpty })}`,
      `The mock answers as the edition ${edition}, ${records}. Any API key is accepted.`,
      "Watching openapi/. Stop with Ctrl+C.",
    ].join("\n"),
  );
});

await run(command);
