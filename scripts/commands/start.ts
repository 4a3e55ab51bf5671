/** `npm start` */
import { docsFolder, type Edition } from "../contract/index.ts";
import type { RequestEntry } from "../mock/index.ts";
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
  const { formatEntry, readBundle, startMock } = await import("../mock/index.ts");
  const { mockBanner } = await import("./mock-banner.ts");
  const document = readBundle(edition);
  const site = await serveSite({ folder: docsFolder, port: docsPort, host, portOption: "--docs-port" });
  const onRequest = (entry: RequestEntry) => console.log(formatEntry(entry));
  const mock = await startMock({ document, port, depositPort, host, onRequest }).catch(async (error: unknown) => {
    await site.close();
    throw error;
  });
  closeOnSignal(async () => {
    await Promise.all([site.close(), mock.close()]);
  });
  console.log(`\n  reference docs   ${site.url}\n${mockBanner(document, mock)}`);
});

await run(command);
