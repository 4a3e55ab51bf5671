/** `npm run mock` */
import type { Edition } from "../contract/index.ts";
import {
  closeOnSignal,
  defineCommand,
  editionOption,
  hostOption,
  type MockPorts,
  mockOptions,
  run,
} from "./command.ts";

const command = defineCommand("mock", "Run the mock of the service on its two addresses until it is stopped.");
for (const option of [...mockOptions(), editionOption(), hostOption()]) command.addOption(option);
command.action(async ({ port, depositPort, edition, host }: MockPorts & { edition: Edition; host: string }) => {
  // Prism takes a second to load: a mistake on the command line is reported before that.
  const { readBundle, formatEntry, startMock } = await import("../mock/index.ts");
  const { mockBanner } = await import("./mock-banner.ts");
  const document = readBundle(edition);
  const mock = await startMock({
    document,
    port,
    depositPort,
    host,
    onRequest: (entry) => console.log(formatEntry(entry)),
  });
  closeOnSignal(() => mock.close());
  // performance.now() counts from the start of the process.
  console.log(`Mock of the edition ${edition}, ready in ${(performance.now() / 1000).toFixed(2)} s`);
  console.log(mockBanner(document, mock));
});

await run(command);
