/** `npm start` */
import { Option } from "commander";
import { docsFolder, type Edition } from "../contract/index.ts";
import {
  closeOnSignal,
  defineCommand,
  editionOption,
  hostOption,
  type MockPorts,
  mockOptions,
  portOption,
  run,
} from "./command.ts";

interface Options extends MockPorts {
  docsPort: number;
  edition: Edition;
  empty: boolean;
  host: string;
}

const command = defineCommand("start", "Build everything, then serve the docs and the mock until it is stopped.");
for (const option of [
  portOption("--docs-port", "the site", 4000),
  ...mockOptions(),
  // The samples of both editions work with it.
  editionOption().default("test" satisfies Edition),
  new Option("--empty", "start the mock without the users and records that the docs tell of").default(false),
  hostOption(),
]) {
  command.addOption(option);
}
command.action(async ({ docsPort, port, depositPort, edition, empty, host }: Options) => {
  const { build } = await import("../build/index.ts");
  await build();
  const { serveSite } = await import("../docs/server/site-server.ts");
  const { startFrom } = await import("../mock/start.ts");
  const { exampleCurl, formatEntry } = await import("../mock/server/terminal.ts");
  const { builtSource } = await import("../plan/index.ts");
  // What the mock does is the same in every edition, and is checked against the whole contract.
  const source = await builtSource("test");
  // A contract need not have a scenario.
  const hasScenario = !empty && Boolean(source.plan.scenario);
  const site = await serveSite({ folder: docsFolder, port: docsPort, host, portOption: "--docs-port" });
  const mock = await startFrom(source, {
    ...{ edition, port, depositPort, host },
    hasScenario,
    onRequest: (entry) => console.log(formatEntry(entry)),
    onNote: (note) => console.error(note),
  }).catch(async (error: unknown) => {
    await site.close();
    throw error;
  });
  closeOnSignal(async () => {
    await Promise.all([site.close(), mock.close()]);
  });
  const records = hasScenario ? "with the users and records that the docs tell of" : "without users";
  console.log(
    [
      "",
      `  reference docs   ${site.url}`,
      `  main address     ${mock.url}`,
      `  deposit address  ${mock.depositUrl}`,
      `Try: ${exampleCurl({ ...source.plan, edition }, mock.url, { isEmpty: !hasScenario })}`,
      `The mock answers as the edition ${edition}, ${records}. Any API key is accepted. Stop with Ctrl+C.`,
    ].join("\n"),
  );
});

await run(command);
