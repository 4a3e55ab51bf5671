/** `npm run docs` */
import { docsFolder } from "../contract/index.ts";
import { closeOnSignal, defineCommand, hostOption, portOption, run } from "./command.ts";

const command = defineCommand("docs", "Serve the built reference docs until it is stopped.")
  .addOption(portOption("--port", "the site", 4000))
  .addOption(hostOption())
  .action(async ({ port, host }: { port: number; host: string }) => {
    const { serveSite } = await import("../docs/server/site-server.ts");
    const site = await serveSite({ folder: docsFolder, port, host });
    closeOnSignal(() => site.close());
    console.log(`The reference is at ${site.url}/ Stop with Ctrl+C.`);
  });

await run(command);
