/** `npm run dev` */
import type { Edition } from "../contract/index.ts";
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
  host: string;
}

const command = defineCommand(
  "dev",
  "Serve the docs and the mock, and bring everything up to date on every saved change.",
);
for (const option of [portOption("--docs-port", "the site", 4000), ...mockOptions(), editionOption(), hostOption()]) {
  command.addOption(option);
}
command.action(async (options: Options) => {
  const { develop } = await import("../dev/index.ts");
  const { mock, siteUrl, close } = await develop(options);
  closeOnSignal(close);
  console.log(`\n  reference docs   ${siteUrl}/${options.edition}/`);
  console.log(`  mock             ${mock.url}, ${mock.depositUrl}`);
  console.log("Watching openapi/. Stop with Ctrl+C.");
});

await run(command);
