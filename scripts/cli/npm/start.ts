import { portOption } from "../kit/arguments.ts";
import { runNpmCommand } from "../kit/npm-command.ts";
import { closeOnSignal } from "../kit/shutdown.ts";
import { addressOptions, editionOption, readAddressOptions } from "../package/mock-options.ts";

const options = [
  portOption("docs-port", "the site", 4000),
  ...addressOptions,
  // The default is `test`, which has all operations, so that the code samples of both editions work.
  editionOption("test"),
  { name: "empty", text: "start the mock without the users and records of the docs" },
  { name: "lint", text: "print the findings of lint, and apply no change that has an error (npm run dev)" },
];

const text = "Serves the docs and the mock, and brings them up to date on every saved change.";

await runNpmCommand("start", { text, options }, async (parsedArgs) => {
  const { start } = await import("../../tools/start/index.ts");
  const { exampleCurl } = await import("../../mock/server/index.ts");
  const addressOptions = readAddressOptions(parsedArgs);
  const { mock, plan, siteUrl, close } = await start({
    ...addressOptions,
    docsPort: Number(parsedArgs.requiredText("docs-port")),
    isEmpty: parsedArgs.has("empty"),
    mustLint: parsedArgs.has("lint"),
  });
  closeOnSignal(close);
  const { edition } = addressOptions;
  const hasNoRecords = parsedArgs.has("empty") || !plan.scenario;
  const recordsText = hasNoRecords ? "without users" : "with the users and records of the docs";
  console.log(
    [
      "",
      `  reference docs   ${siteUrl}`,
      `  main address     ${mock.url}`,
      `  deposit address  ${mock.depositUrl}`,
      `Try: ${exampleCurl(plan, mock.url, { edition })}`,
      `The mock serves the edition ${edition}, ${recordsText}. Any API key is accepted.`,
      "Watching openapi/. Stop with Ctrl+C.",
    ].join("\n"),
  );
});
