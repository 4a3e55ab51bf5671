/** `npm start` */
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
  host: string;
}

const command = defineCommand("start", "Build everything, then serve the docs and the mock until it is stopped.");
for (const option of [portOption("--docs-port", "the site", 4000), ...mockOptions(), editionOption(), hostOption()]) {
  command.addOption(option);
}
command.action(async ({ docsPort, port, depositPort, edition, host }: Options) => {
  const { build } = await import("../build/index.ts");
  await build();
  const { serveSite } = await import("../docs/index.ts");
  const { startFrom } = await import("../mock/start.ts");
  const { formatEntry } = await import("../mock/server/terminal.ts");
  const { builtSource } = await import("../plan/index.ts");
  const { bannerOf } = await import("../mock/command/banner.ts");
  // What the mock does is the same in every edition, and is checked against the whole contract.
  const source = await builtSource("test");
  const site = await serveSite({ folder: docsFolder, port: docsPort, host, portOption: "--docs-port" });
  const mock = await startFrom(source, {
    ...{ edition, port, depositPort, host },
    onRequest: (entry) => console.log(formatEntry(entry)),
    onNote: (note) => console.error(note),
  }).catch(async (error: unknown) => {
    await site.close();
    throw error;
  });
  closeOnSignal(async () => {
    await Promise.all([site.close(), mock.close()]);
  });
  const facts = {
    isStateless: false,
    isEmpty: true,
    keys: undefined,
    webhooks: undefined,
    seconds: performance.now() / 1000,
  };
  console.log(`\n  reference docs   ${site.url}\n${bannerOf({ ...facts, ...source, ...mock, edition })}`);
});

await run(command);
